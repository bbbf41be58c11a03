/**
 * Cuts the visible text into blocks where a reader would pause. Looks at each character once; the blocks together are
 * the text.
 */
export type BlockBreak = "text_end" | "sentence" | "paragraph" | "none";

export interface BlockBreaker {
  /** Code is never cut. */
  write(text: string, isCode: boolean): void;
  /** The words since the last block; the breaker begins anew. */
  flush(): string;
  /** What the next block holds so far. */
  buffer(): string;
}

export function createBlockBreaker(mode: BlockBreak, emit: (block: string) => void): BlockBreaker {
  const isBreaking = mode === "sentence" || mode === "paragraph";
  // Only ever appended to until a block is cut from it: to look into it at each delta would cost its whole length each time.
  let buffer = "";
  let place = beginning();

  /** How far before this character the block ends; undefined when it goes on. */
  function look(mark: string, isCode: boolean): number | undefined {
    if (!isCode && /\s/.test(mark)) {
      lookAtSpace(mark);
      return undefined;
    }
    let back: number | undefined;
    if (place.inGap) back = leaveGap();
    else if (isCode || !continues(mark, place)) {
      if (place.ended === "wide") [back, place.word] = [0, ""];
      place.ended = "no";
    }
    if (mode === "sentence" && !isCode) place.ended = endingAfter(mark);
    if (mark === "*" && place.before !== "*" && !isCode) place.isEmphasised = !place.isEmphasised;
    if (place.word.length <= longestAbbreviation) place.word += mark;
    place.before = mark;
    if (place.hasWords) return back;
    place.hasWords = true;
    return undefined;
  }

  function lookAtSpace(mark: string): void {
    if (!place.inGap) [place.inGap, place.newlines, place.column, place.indentation] = [true, 0, 0, 0];
    place.before = mark;
    place.column += 1;
    place.indentation += mark === "\t" ? 4 : 1;
    if (mark === "\n") [place.newlines, place.column, place.indentation] = [place.newlines + 1, 0, 0];
  }

  /** White space belongs to the block before it, but the indentation of a line to the line. */
  function leaveGap(): number | undefined {
    const { newlines, column, indentation, ended } = place;
    // After a blank line it goes on with a list item, or with code that is set off by nothing else.
    const goesOn = newlines >= 2 && indentation >= 4;
    const isOver = !goesOn && (newlines >= 2 || ended !== "no");
    [place.inGap, place.isFirstWord, place.word, place.ended] = [false, newlines > 0, "", "no"];
    return isOver ? (newlines > 0 ? column : 0) : undefined;
  }

  function endingAfter(mark: string): Ending {
    if (wideEnds.includes(mark)) return "wide";
    if (!narrowEnds.includes(mark) || place.ended !== "no") return place.ended;
    return mark === "." && isAbbreviation() ? "no" : "narrow";
  }

  function isAbbreviation(): boolean {
    if (place.word.length > longestAbbreviation) return false;
    const word = place.word.replace(/^[^\p{L}\p{N}]+/u, "");
    if (/^\d+$/.test(word)) return place.isFirstWord;
    return /^\p{L}$/u.test(word) || abbreviations.has(word.toLowerCase());
  }

  return {
    write(text, isCode) {
      let done = 0;
      const end = isBreaking ? text.length : 0;
      for (let at = 0; at < end; at++) {
        const back = look(text.charAt(at), isCode);
        if (back === undefined) continue;
        const whole = buffer + text.slice(done, at);
        emit(whole.slice(0, whole.length - back));
        buffer = whole.slice(whole.length - back);
        done = at;
      }
      buffer += text.slice(done);
    },
    flush() {
      const rest = buffer;
      buffer = "";
      place = beginning();
      return rest;
    },
    buffer: () => buffer,
  };
}

/** A narrow ending needs white space after it; a wide one, as Chinese and Japanese have it, does not. */
type Ending = "no" | "narrow" | "wide";

interface Place {
  ended: Ending;
  /** Within white space: how many lines it has ended, and how far it has come in the present one. */
  inGap: boolean;
  newlines: number;
  column: number;
  indentation: number;
  /** The beginning of the present word. */
  word: string;
  isFirstWord: boolean;
  before: string;
  isEmphasised: boolean;
  hasWords: boolean;
}

const beginning = (): Place => ({
  ended: "no",
  inGap: false,
  newlines: 0,
  column: 0,
  indentation: 0,
  word: "",
  isFirstWord: true,
  before: "",
  isEmphasised: false,
  hasWords: false,
});

const narrowEnds = ".!?…";
const wideEnds = "。！？｡";
const closers = "”’」』）》】〉›»)]}";

/** Whether what ended goes on: more marks, closing quotation marks and brackets, the end of an emphasis. */
function continues(mark: string, { ended, before, isEmphasised }: Place): boolean {
  if (narrowEnds.includes(mark) || wideEnds.includes(mark) || closers.includes(mark)) return true;
  if (ended === "narrow") return "\"'*_~".includes(mark);
  return mark === "*" && (isEmphasised || before === "*");
}

const longestAbbreviation = 12;
const abbreviations = new Set(
  "e.g i.e etc vs cf mr mrs ms dr prof st fig approx jr sr z.b d.h u.a bzw ca resp incl".split(" "),
);
