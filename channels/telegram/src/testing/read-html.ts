/** Reads HTML as the Bot API documents it, and refuses what Telegram refuses: unknown tags, wrong nesting, bare marks. */
const known = new Set([
  "b",
  "strong",
  "i",
  "em",
  "u",
  "ins",
  "s",
  "strike",
  "del",
  "code",
  "pre",
  "a",
  "blockquote",
  "tg-spoiler",
  "span",
]);

export type ReadHtml =
  | {
      ok: true;
      text: string;
      entities: Array<{ type: string; offset: number; length: number; url?: string }>;
    }
  | { ok: false; description: string };

export function readHtml(html: string): ReadHtml {
  const open: Array<{ tag: string; offset: number; url?: string }> = [];
  const entities: Array<{ type: string; offset: number; length: number; url?: string }> = [];
  let text = "";
  let at = 0;
  const bad = (words: string): ReadHtml => ({
    ok: false,
    description: `Bad Request: can't parse entities: ${words} at byte offset ${Buffer.byteLength(html.slice(0, at))}`,
  });
  while (at < html.length) {
    const mark = html[at];
    if (mark === "&") {
      const entity = /^&(lt|gt|amp|quot|#\d{1,7}|#x[0-9a-fA-F]{1,6});?/.exec(html.slice(at, at + 12));
      if (!entity?.[1]) {
        text += mark;
        at += 1;
        continue;
      }
      text += decode(entity[1]);
      at += entity[0].length;
    } else if (mark === "<") {
      const tag = /^<(\/?)([a-zA-Z-]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/.exec(html.slice(at));
      if (!tag) return bad("Unsupported start tag");
      const [whole, slash, given = "", attributes = ""] = tag;
      const name = given.toLowerCase();
      if (!known.has(name)) return bad(`Unsupported start tag "${name}"`);
      if (slash) {
        const last = open.pop();
        if (!last) return bad("Unexpected end tag");
        if (last.tag !== name) return bad(`Unmatched end tag, expected "</${last.tag}>", found "</${name}>"`);
        const length = text.length - last.offset;
        if (length > 0)
          entities.push({
            type: name,
            offset: last.offset,
            length,
            ...(last.url !== undefined && { url: last.url }),
          });
      } else {
        if (name === "blockquote" && open.some((outer) => outer.tag === name))
          return bad("Nested blockquote");
        const url = /href="([^"]*)"/.exec(attributes)?.[1];
        open.push({ tag: name, offset: text.length, ...(url !== undefined && { url }) });
      }
      at += whole.length;
    } else {
      text += mark;
      at += 1;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) return bad(`Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  return { ok: true, text: text.trim(), entities };
}

function decode(name: string): string {
  const plain: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
  if (plain[name] !== undefined) return plain[name];
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}
