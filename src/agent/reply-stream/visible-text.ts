/** The words that people see, put together from what is left when tags and reasoning are taken out. */
export interface VisibleText {
  write(text: string, isCode: boolean): void;
  /** Something was taken out here: the white space around it becomes what would have stood there without it. */
  seam(): void;
  /** Reasoning that is shown: a quotation, set apart from the words around it. */
  quote(text: string): void;
  quoteEnd(): void;
  isAtLineStart(): boolean;
}

/** White space before the first word is handed on with that word, so a blank text is no text. */
export function createVisibleText(handOn: (text: string, isCode: boolean) => void): VisibleText {
  /** The last characters that were handed on; empty before the first. */
  let tail = "";
  let lead = "";
  let isSeam = false;
  let quotation: "none" | "open" | "ended" = "none";

  function put(text: string, isCode: boolean): void {
    if (text === "") return;
    tail = (tail + text).slice(-4);
    handOn(text, isCode);
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

  return {
    write(text, isCode) {
      let rest = text.slice(mend(text));
      if (rest === "") return;
      if (quotation === "ended") {
        put(apart(), false);
        quotation = "none";
      }
      if (tail === "") {
        const begin = isCode ? 0 : rest.search(/\S/);
        if (begin < 0) {
          lead += rest;
          return;
        }
        rest = lead + rest;
        lead = "";
      }
      put(rest, isCode);
    },
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
