/** Replaces exact matches only; keeps line ends and the byte order mark. */

export interface TextReplacement {
  path: string;
  present: string;
  oldText: string;
  newText: string;
  /** Otherwise it must occur exactly once. */
  all: boolean;
}

/** Returns the changed lines, counted from 1. Throws an error that says how to go on. */
export function replaceText({ path, present, oldText, newText, all }: TextReplacement): {
  text: string;
  lines: number[];
} {
  const ends = lineEndsOf(present);
  const [text, wanted, instead] = [present, oldText, newText].map(ends.toPlain) as [string, string, string];
  const places = placesOf(wanted, text);
  const lines = places.map((at) => lineAt(text, at));
  if (places.length === 0) throw new Error(`oldText is not in ${path}${nearest(text, wanted)}`);
  if (places.length > 1 && !all)
    throw new Error(
      `oldText is ${places.length} times in ${path} (lines ${lines.slice(0, 10).join(", ")}); give more of what is around it, or set all`,
    );
  return { text: ends.fromPlain(text.split(wanted).join(instead)), lines };
}

/** A file with CRLF throughout is edited without, and gets them back. */
export function lineEndsOf(text: string): { toPlain(text: string): string; fromPlain(text: string): string } {
  const isForeign = text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
  return {
    toPlain: (some) => (isForeign ? some.replaceAll("\r\n", "\n") : some),
    fromPlain: (some) => (isForeign ? some.replaceAll("\n", "\r\n") : some),
  };
}

function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}

/** Where a match differs in white space alone. */
function nearest(text: string, wanted: string): string {
  const bare = (line: string) => line.replace(/\s+/g, "");
  const [lines, sought] = [text.split("\n").map(bare), wanted.trim().split("\n").map(bare)];
  const at = lines.findIndex((_, index) => sought.every((line, below) => lines[index + below] === line));
  if (at >= 0) return `; line ${at + 1} differs from it in white space`;
  const first = lines.indexOf(sought.find((line) => line !== "") ?? "");
  return first >= 0 ? `; line ${first + 1} is like its first line, what follows differs` : "";
}
