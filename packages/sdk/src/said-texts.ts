/**
 * The texts of one message, as they are read together: one below the other, but for what was pasted, which stands in the
 * middle of what was typed.
 */
import { joinedParts, type MarkedText } from "./pasted-ranges.ts";

/** As `TextBlock` has it. */
export interface SaidText {
  text: string;
  origin?: string | undefined;
  pasted?: "certain" | "possible" | undefined;
}

/** Pure. */
export const joinedTexts = (texts: readonly SaidText[]): string =>
  texts.map((each, index) => `${gapBefore(texts, index)}${each.text}`).join("");

/** The same, with the places where something was pasted. Pure. */
export const markedTexts = (texts: readonly SaidText[]): MarkedText =>
  joinedParts(
    texts.flatMap(({ text, pasted }, index) => [
      { text: gapBefore(texts, index), isPasted: false },
      { text, isPasted: pasted === "certain" },
    ]),
  );

function gapBefore(texts: readonly SaidText[], index: number): "" | "\n" {
  const [before, text] = [texts[index - 1], texts[index]];
  return before && text && !isPartOf(before, text) ? "\n" : "";
}

/** Whether the two stand in one line, one of them pasted into it. Pure. */
export const isPartOf = (before: SaidText, text: SaidText): boolean =>
  (before.pasted === "certain" || text.pasted === "certain") && isSpoken(before) && isSpoken(text);

/** Said by the sender of the message, where quotes and lists of files come along with it. */
const isSpoken = ({ origin, pasted }: SaidText): boolean =>
  pasted === "certain" || (origin !== "quoted" && origin !== "web");
