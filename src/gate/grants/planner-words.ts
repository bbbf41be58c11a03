/**
 * What a planner is shown of a message: what was typed, and of what was pasted only its kind. A pasted line may fill a
 * place of a wish that was typed, and never says one.
 */
import { hasLineBreak, markedTexts, partsOf, type TextBlock } from "@pincer/sdk";

export interface PlannerWords {
  /** Typed words as they are, with a mark such as `[pasted address 1]` for each paste. */
  words: string;
  /** What each mark stands for, in order. */
  pasted: PastedValue[];
}

export interface PastedValue {
  /** As it stands in the words. */
  mark: string;
  kind: "address" | "link" | "number" | "name or word" | "text";
  /** Without blank space around it. */
  text: string;
}

/** The most characters of a line that is shown by its kind. */
const longestLine = 200;

/** Of the blocks of one person's present words; what came along with them is left out. Pure. */
export function plannerWords(blocks: readonly TextBlock[]): PlannerWords {
  const parts = partsOf(markedTexts(blocks.filter(isSaid)));
  const hasTyped = parts.some(({ text, isPasted }) => !isPasted && text.trim() !== "");
  const pasted: PastedValue[] = [];
  let words = "";
  for (const { text, isPasted } of parts) {
    if (!isPasted) {
      words += text;
      continue;
    }
    if (text.trim() === "") continue;
    const value = valueOf(text.trim(), { number: pasted.length + 1, isWithinWords: hasTyped });
    pasted.push(value);
    // A mark must not stick to a typed word that blank space of the paste kept apart from it.
    words += `${/^\s/.test(text) ? " " : ""}${value.mark}${/\s$/.test(text) ? " " : ""}`;
  }
  return { words, pasted };
}

const isSaid = ({ origin, pasted, typed }: TextBlock): boolean =>
  pasted === "certain" || (origin !== "quoted" && origin !== "web" && typed !== false);

function valueOf(
  text: string,
  { number, isWithinWords }: { number: number; isWithinWords: boolean },
): PastedValue {
  const isLine = isWithinWords && text.length <= longestLine && !hasLineBreak(text);
  const kind = isLine ? kindOf(text) : "text";
  const size = kind === "text" ? `: ${text.length} characters` : "";
  return { mark: `[pasted ${kind} ${number}${size}]`, kind, text };
}

function kindOf(line: string): PastedValue["kind"] {
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(line)) return "address";
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(line)) return "link";
  if (/^[+(]?\d[\d\s().,:/+-]*$/.test(line)) return "number";
  return line.split(/\s+/).length <= 3 ? "name or word" : "text";
}
