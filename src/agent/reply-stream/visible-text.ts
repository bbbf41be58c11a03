/** The words that people see, put together from what is left when tags and reasoning are taken out. */
export interface VisibleText {
  write(text: string, isCode: boolean): void;
  /** Words that may be code or not: they are shown, and `decide` says what they were. */
  writeUndecided(text: string): void;
  decide(text: string, isCode: boolean): void;
  /** Something was taken out here: the white space around it becomes what would have stood there without it. */
  seam(): void;
  /** Reasoning that is shown: a quotation, set apart from the words around it. */
  quote(text: string): void;
  quoteEnd(): void;
  isAtLineStart(): boolean;
}

/**
 * White space before the first word is handed on with that word, so a blank text is no text. All words are shown, and all of them are
 * sorted, in the same order.
 */
export function createVisibleText(parts: {
  show(text: string): void;
  sort(text: string, isCode: boolean): void;
}): VisibleText {
  /** The last characters that were handed on; empty before the first. */
  let tail = "";
  let lead = "";
  let isSeam = false;
  let quotation: "none" | "open" | "ended" = "none";

  function put(text: string, isCode: boolean): void {
    if (text === "") return;
    show(text);
    parts.sort(text, isCode);
  }

  function show(text: string): void {
    tail = (tail + text).slice(-4);
    parts.show(text);
  }

  /** How much of `text` goes because the same white space stands before the seam already. */
  function mend(text: string): number {
    let at = 0;
    for (; isSeam && at < text.length; at++) {
      const character = text[at] ?? "";
      const isLineEnd = character === "\n" || character === "\r";
      if (tail === "" || quotation === "ended") isSeam = /\s/.test(character);
      else if (/\n\r?\n$/.test(tail)) isSeam = isLineEnd;
      else if (tail.endsWith("\n")) {
        if (character === "\r") continue;
        isSeam = false;
        if (isLineEnd) return at + 1;
      } else {
        isSeam = false;
        if (/[ \t]$/.test(tail) && /[ \t]/.test(character)) return at + 1;
      }
      if (!isSeam) return at;
    }
    return at;
  }

  const apart = (): string =>
    tail === "" || /\n\r?\n$/.test(tail) ? "" : tail.endsWith("\n") ? "\n" : "\n\n";

  /** The words of `text` that are to be put down, with all that belongs before them put down already. */
  function begin(text: string, isCode: boolean): string {
    const rest = text.slice(mend(text));
    if (rest === "") return "";
    if (quotation === "ended") {
      put(apart(), false);
      quotation = "none";
    }
    if (tail !== "") return rest;
    if (!isCode && rest.trim() === "") {
      lead += rest;
      return "";
    }
    const before = lead;
    lead = "";
    put(before, isCode);
    return rest;
  }

  return {
    write: (text, isCode) => put(begin(text, isCode), isCode),
    writeUndecided: (text) => show(begin(text, false)),
    decide: (text, isCode) => parts.sort(text, isCode),
    seam() {
      lead = "";
      isSeam = true;
    },
    quote(text) {
      if (quotation !== "open") {
        lead = "";
        put(apart(), false);
        put("> ", true);
        quotation = "open";
      }
      put(text.replaceAll("\n", "\n> "), true);
    },
    quoteEnd() {
      if (quotation !== "open") return;
      quotation = "ended";
      isSeam = true;
    },
    isAtLineStart: () => tail === "" || tail.endsWith("\n") || quotation === "ended",
  };
}
