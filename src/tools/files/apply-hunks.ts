/** Applies the hunks of a patch to one text, each after the previous one. */
import type { Hunk } from "./parse-patch.ts";
import { lineEndsOf } from "./replace-text.ts";

/** Throws an error that names the hunk that does not fit. */
export function applyHunks(path: string, present: string, hunks: readonly Hunk[]): string {
  const ends = lineEndsOf(present);
  const mark = present.startsWith("\uFEFF") ? "\uFEFF" : "";
  const plain = ends.toPlain(present.slice(mark.length));
  const isEnded = plain === "" || plain.endsWith("\n");
  const lines = plain.split("\n");
  if (isEnded) lines.pop();

  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = placeOf(hunk, lines, from);
    if (at === undefined)
      throw new Error(`hunk ${index + 1} does not fit ${path}: ${missing(hunk, lines, from)}`);
    lines.splice(at, hunk.before.length, ...hunk.instead);
    from = at + hunk.instead.length;
  }
  return mark + ends.fromPlain(lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
}

function placeOf(hunk: Hunk, lines: readonly string[], from: number): number | undefined {
  const start = startOf(hunk, lines, from);
  if (start === undefined) return undefined;
  if (hunk.before.length === 0) return hunk.after === undefined || hunk.isAtEnd ? lines.length : start;
  const isHere = (at: number) => hunk.before.every((line, below) => lines[at + below] === line);
  if (hunk.isAtEnd) {
    const at = lines.length - hunk.before.length;
    return at >= start && isHere(at) ? at : undefined;
  }
  for (let at = start; at + hunk.before.length <= lines.length; at++) if (isHere(at)) return at;
  return undefined;
}

function startOf({ after }: Hunk, lines: readonly string[], from: number): number | undefined {
  if (after === undefined) return from;
  const at = lines.findIndex((line, index) => index >= from && line.trim() === after.trim());
  return at < 0 ? undefined : at + 1;
}

function missing(hunk: Hunk, lines: readonly string[], from: number): string {
  if (startOf(hunk, lines, from) === undefined)
    return `there is no line ${JSON.stringify(hunk.after)} after line ${from}`;
  const lost = hunk.before.find((line) => !lines.includes(line));
  if (lost === undefined) return `its lines do not follow one another after line ${from}`;
  return `there is no line ${JSON.stringify(lost.slice(0, 200))}`;
}
