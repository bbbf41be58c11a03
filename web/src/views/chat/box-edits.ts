/**
 * What is typed and what is pasted into a box, by what the browser says of each edit. Whatever is not surely typed by
 * keys (a paste, a drop, autofill, a script) is pasted.
 */
import { createPasteTracker, hasLineBreak, type MarkedText, type Spoken } from "@pincer/sdk";

export interface BoxEdits {
  spoken(): MarkedText;
  /** Another text altogether. */
  set(spoken: Spoken): void;
  /** Before the browser edits the box. */
  before(box: HTMLTextAreaElement): void;
  /** After it. */
  after(box: HTMLTextAreaElement, event: StrokeEvent): void;
}

/** Of an `InputEvent`; other events have no `inputType`. */
export type StrokeEvent = Partial<Pick<InputEvent, "inputType" | "data" | "isTrusted">>;

export function createBoxEdits(): BoxEdits {
  const tracker = createPasteTracker();
  let start = 0;
  return {
    spoken: tracker.spoken,
    set: tracker.set,
    before({ value, selectionStart }) {
      // What the browser put there itself, as after a reload, nobody was seen to type.
      if (value !== tracker.spoken().text) tracker.set({ text: value });
      start = selectionStart;
    },
    after({ value, selectionStart, selectionEnd }, event) {
      // What was dropped is selected afterwards; where it would go was not, before.
      const isDropped = event.inputType === "insertFromDrop";
      tracker.edit({
        text: value,
        start: isDropped ? Math.min(selectionStart, selectionEnd) : start,
        caret: selectionEnd,
        kind: kindOfStroke(event),
      });
      start = selectionStart;
    },
  };
}

/** More at once than hands type, though an input method may bring a sentence. */
const longestStroke = 200;

const byKeys: ReadonlySet<string> = new Set([
  "insertText",
  "insertLineBreak",
  "insertParagraph",
  "insertCompositionText",
  "insertFromComposition",
]);

/** Pure. */
export function kindOfStroke({
  inputType = "",
  data,
  isTrusted,
}: StrokeEvent): "typed" | "pasted" | "restored" {
  if (isTrusted !== true) return "pasted";
  if (inputType === "historyUndo" || inputType === "historyRedo") return "restored";
  if (inputType.startsWith("delete")) return "typed";
  const put = data ?? "";
  // A word put right by the browser's dictionary; anything longer is autofill.
  if (inputType === "insertReplacementText") return /^[\p{L}\p{M}'’-]{1,40}$/u.test(put) ? "typed" : "pasted";
  const isStroke = put.length <= longestStroke && (put.length <= 1 || !hasLineBreak(put));
  return byKeys.has(inputType) && isStroke ? "typed" : "pasted";
}
