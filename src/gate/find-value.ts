/** Where a value of a call stands in what was read, for the owner who is asked about it. */
import type { ShownText } from "./call-context.ts";

export interface FoundValue {
  /** `web example.org`, `file notes.md`; `nowhere` if it stands in nothing that was read. */
  from: string;
  /** The text around it there; empty if it is found nowhere. */
  sentence: string;
}

/** In the newest text of somebody else that holds it. Pure. */
export function findValue(shown: readonly ShownText[], value: string): FoundValue {
  const wanted = value.toLowerCase();
  if (wanted === "") return nowhere;
  for (const { text, origin, from, label } of shown.toReversed()) {
    const at = label.untrusted ? text.toLowerCase().indexOf(wanted) : -1;
    if (at >= 0) return { from: `${origin} ${from}`.trim(), sentence: sentenceAt(text, at, wanted.length) };
  }
  return nowhere;
}

const nowhere: FoundValue = { from: "nowhere", sentence: "" };
const mostAround = 160;

function sentenceAt(text: string, at: number, length: number): string {
  const before = text.slice(Math.max(0, at - mostAround), at);
  const after = text.slice(at + length, at + length + mostAround);
  const start = Math.max(before.lastIndexOf("\n"), before.search(/[.!?。！？]\s[^.!?。！？]*$/u)) + 1;
  const end = after.search(/[\n]|[.!?](?:\s|$)|[。！？]/u);
  const words =
    before.slice(start) + text.slice(at, at + length) + (end < 0 ? after : after.slice(0, end + 1));
  return words.replaceAll(/\s+/gu, " ").trim();
}
