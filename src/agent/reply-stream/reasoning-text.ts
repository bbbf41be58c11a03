/** The reasoning of a model, in its passages; white space at their ends is removed. */
export interface ReasoningText {
  write(text: string): void;
  /** Ends the passage; without one that is open, nothing happens. */
  end(): void;
  /** The passages so far, set apart by blank lines. */
  text(): string;
  /** How many passages there are; `forget` goes back to that many. */
  count(): number;
  forget(count: number): void;
  /** The passages after the first `count`. */
  since(count: number): string[];
}

export function createReasoningText(parts: { show(text: string): void; ended(): void }): ReasoningText {
  const passages: string[] = [];
  let open: string | undefined;
  let space = "";
  return {
    write(text) {
      const whole = open === undefined ? (space + text).trimStart() : space + text;
      const words = whole.trimEnd();
      space = whole.slice(words.length);
      if (words === "") return;
      open = (open ?? "") + words;
      parts.show(words);
    },
    end() {
      space = "";
      if (open === undefined) return;
      passages.push(open);
      open = undefined;
      parts.ended();
    },
    text: () => [...passages, ...(open === undefined ? [] : [open])].join("\n\n"),
    count: () => passages.length,
    since: (count) => passages.slice(count),
    forget(count) {
      [open, space] = [undefined, ""];
      passages.length = Math.min(passages.length, count);
    },
  };
}
