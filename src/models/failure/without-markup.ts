/** Pages made for browsers, read as words. Every step passes over the text once: what comes from a server may be made to hurt. */

/** Undefined when it is no page. */
export function titleOfPage(text: string): string | undefined {
  if (/^[{[]/.test(text) || !/<(?:!doctype|html|head|body|title)\b/i.test(text.slice(0, 2000)))
    return undefined;
  const opened = /<title\b/i.exec(text);
  const from = opened ? text.indexOf(">", opened.index) + 1 : 0;
  const to = from > 0 ? after(/<\/title/gi, text, from) : undefined;
  return (to === undefined ? "" : text.slice(from, to).trim()) || text;
}

export const withoutMarkup = (text: string): string =>
  withoutHidden(text)
    .replace(/<[a-z/!?][^<>]*>/gi, " ")
    .replace(/<(?=[a-z/!?])/gi, " ")
    .replace(/&(?:nbsp|#160);/g, " ")
    .replace(/&amp;/g, "&");

/** Without what a browser does not show. What is never closed lasts to the end, as in a browser. */
function withoutHidden(text: string): string {
  const shown: string[] = [];
  const opening = /<(style|script)\b/gi;
  let from = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    shown.push(text.slice(from, found.index));
    const closing = found[1]?.toLowerCase() === "style" ? /<\/style/gi : /<\/script/gi;
    from = after(closing, text, found.index) ?? text.length;
    opening.lastIndex = from;
  }
  return [...shown, text.slice(from)].join(" ");
}

function after(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
}
