/** The owner's words that make up the current task. */
import { isAssent, pointsBack } from "./intent.ts";
import { trustOf, type Span } from "./span.ts";

export interface TaskWords {
  /** The words of the task, oldest first. */
  said: readonly string[];
  /** Of this turn. */
  now: string;
  /** Of the previous turn. */
  before: string;
}

/**
 * Always includes this turn. Earlier turns count as long as no stranger has spoken since: then only the owner can
 * have had the idea. The previous turn also counts if the current words only agree, or refer to somebody named there.
 * Pure.
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
