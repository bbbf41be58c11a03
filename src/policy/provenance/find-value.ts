import type { Span } from "./span.ts";
import { trustOf } from "./span.ts";
import { plain, sentenceAt, standsAt } from "./words.ts";

export interface FoundValue {
  /** `web example.org`, `file notes.md`; `nowhere` where it stands in nothing that was read. */
  from: string;
  sentence: string;
}

/** Where a value that nobody trusted stands: in the newest of strangers' texts. Pure. */
export function findValue(spans: readonly Span[], value: string): FoundValue {
  const wanted = plain(value);
  for (const span of spans.toReversed()) {
    if (trustOf(span) !== "stranger") continue;
    const at = standsAt(plain(span.text), wanted);
    if (at < 0) continue;
    // The place in the plain text is near enough to the one in the text itself to find the sentence again.
    const exact = span.text.toLowerCase().indexOf(value.toLowerCase());
    return {
      from: `${span.origin} ${span.from}`.trim(),
      sentence:
        exact < 0
          ? sentenceAt(plain(span.text), at, wanted.length)
          : sentenceAt(span.text, exact, value.length),
    };
  }
  return { from: "nowhere", sentence: "" };
}
