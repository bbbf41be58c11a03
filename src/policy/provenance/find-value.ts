import type { Span } from "./span.ts";
import { trustOf } from "./span.ts";
import { plain, sentenceAt, standsAt } from "./words.ts";

export interface FoundValue {
  /** `web example.org`, `file notes.md`; `nowhere` if it occurs in nothing that was read. */
  from: string;
  sentence: string;
}

/** Where an untrusted value occurs: in the newest text of a stranger. Pure. */
export function findValue(spans: readonly Span[], value: string): FoundValue {
  const wanted = plain(value);
  for (const span of spans.toReversed()) {
    if (trustOf(span) !== "stranger") continue;
    const at = standsAt(plain(span.text), wanted);
    if (at < 0) continue;
    // The position in the plain text is close enough to find the sentence in the original.
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
