/** Finds the parts of a paragraph that must not be cut: code, links, addresses, emphasis. */
export interface Stretch {
  start: number;
  end: number;
}

export function inlineStretches(paragraph: string): Stretch[] {
  if (!/[`[<*_~]|:\/\//.test(paragraph)) return [];
  const code = codeSpans(paragraph);
  // Marks inside code have no meaning.
  const masked = mask(paragraph, code);
  const links = Array.from(masked.matchAll(link), ({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }));
  return [...code, ...links, ...emphases(mask(masked, links))];
}

const link =
  /!?\[(?:[^[\]]|\[[^[\]]*\])*\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^[\]]*\])|<[a-z][a-z0-9+.-]*:[^<>\s]*>|\bhttps?:\/\/[^\s<>]+|<\/?[a-z][^<>\n]*>/gi;

function codeSpans(text: string): Stretch[] {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }));
  const lengthOf = ({ start, end }: Stretch) => end - start;
  // From last to first: each run learns where the next of its length is.
  const next: Array<number | undefined> = [];
  const newest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (!run) continue;
    next[index] = newest.get(lengthOf(run));
    newest.set(lengthOf(run), index);
  }
  const spans: Stretch[] = [];
  for (let index = 0; index < runs.length; index++) {
    const [opener, closer] = [runs[index], runs[next[index] ?? -1]];
    if (!opener || !closer) continue;
    spans.push({ start: opener.start, end: closer.end });
    index = next[index] ?? index;
  }
  return spans;
}

function mask(text: string, stretches: Stretch[]): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of stretches) {
    masked += text.slice(at, start) + "x".repeat(end - start);
    at = end;
  }
  return masked + text.slice(at);
}

/** A run of marks before a word opens; the next run of the same marks after a word closes it. */
function emphases(text: string): Stretch[] {
  const found: Stretch[] = [];
  const open = new Map<string, number>();
  for (const { 0: run, index } of text.matchAll(/(?<!\\)(?:\*+|_+|~~)/g)) {
    const before = text[index - 1] ?? " ";
    const after = text[index + run.length] ?? " ";
    const start = open.get(run);
    if (start !== undefined && /\S/.test(before)) {
      found.push({ start, end: index + run.length });
      open.delete(run);
    } else if (/\S/.test(after) && !(run.startsWith("_") && /\w/.test(before))) open.set(run, index);
  }
  return found;
}
