/** The retracted parts of a session, after somebody went back and said something else. */
import type { Entry } from "@pincer/sdk";
import { readAnswer } from "./read-message.ts";

export interface AsideSpan {
  from: number;
  to: number;
  /** Messages of people and answers. */
  count: number;
}

/** As the storage reads them: from the entry that is named up to the one that says so; what touches is one. */
export function asideSpans(entries: readonly Entry[]): AsideSpan[] {
  const spans: AsideSpan[] = [];
  for (const entry of entries) {
    if (entry.type !== "event" || entry.name !== "set-aside") continue;
    const from = entry.data["from"];
    if (typeof from !== "number" || from >= entry.seq) continue;
    let first = from;
    while (spans.length > 0 && (spans.at(-1)?.to ?? 0) + 1 >= first)
      first = Math.min(first, spans.pop()?.from ?? first);
    spans.push({ from: first, to: entry.seq, count: 0 });
  }
  let at = 0;
  for (const entry of spans.length > 0 ? entries : []) {
    while ((spans[at]?.to ?? Infinity) < entry.seq) at++;
    const span = spans[at];
    if (span && entry.seq >= span.from && isSpoken(entry)) span.count++;
  }
  return spans;
}

const isSpoken = (entry: Entry): boolean =>
  entry.type === "message" &&
  (entry.message.role === "user" ||
    (entry.message.role === "assistant" && readAnswer(entry.message).text !== ""));
