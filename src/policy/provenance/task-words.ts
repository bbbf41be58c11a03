/** The owner's words that the present task is made of. */
import { isAssent, pointsBack } from "./intent.ts";
import { trustOf, type Span } from "./span.ts";

export interface TaskWords {
  /** What the task is made of, oldest first. */
  said: readonly string[];
  /** Of this turn. */
  now: string;
  /** Of the turn before it. */
  before: string;
}

/**
 * Always those of this turn. Earlier ones as long as no stranger has spoken since: then nobody but the owner can have had the idea. Those
 * of the turn before also where the present ones only say yes, or mean somebody who was named there. Pure.
 */
export function taskWords(spans: readonly Span[]): TaskWords {
  const present = spans.filter((span) => span.origin === "owner" && span.turn === "now");
  const lastStranger = spans.findLast((span) => trustOf(span) === "stranger")?.at ?? -1;
  const before = spans.filter((span) => span.origin === "owner" && span.turn === "before");
  const free = before.filter(({ at }) => at > lastStranger);
  const now = present.map(({ text }) => text).join("\n");
  const followed = present.length > 0 && (isAssent(now) || pointsBack(now)) ? before.slice(-1) : [];
  const said = [...new Set([...free, ...followed, ...present])].map(({ text }) => text);
  return { said, now, before: before.at(-1)?.text ?? "" };
}
