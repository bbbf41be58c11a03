/**
 * Follows what is pasted through the edits of a box or a line. Whoever edits a paste from within has pasted words
 * still; what is deleted is gone; what undo, the history or a kill ring brings back is what it was.
 */
import { checkedRanges, wholeOf, type MarkedText, type PastedRange, type Spoken } from "./pasted-ranges.ts";

export interface Edit {
  /** All of it, after the edit. */
  text: string;
  /** Before it nothing changed: where the caret or the selection began. */
  start: number;
  /** Behind it nothing changed: where the caret stands now. */
  caret: number;
  /**
   * typed: by keys. pasted: by anything that brings ready-made text. restored: as it was at some time, so that what was
   * pasted then is pasted now.
   */
  kind: "typed" | "pasted" | "restored";
}

export interface PasteTracker {
  /** As it is now. */
  spoken(): MarkedText;
  /** Another text altogether; of one that nobody knows more about, all counts as pasted. */
  set(spoken: Spoken): void;
  edit(edit: Edit): void;
  /** A text that may be brought back later, such as a line of a history. */
  remember(text: MarkedText): void;
}

/** So many texts to be remembered are kept, the newest. */
const mostRemembered = 2000;
/** So many earlier texts are remembered for what brings them back, and no more than so many characters of them. */
const mostKept = 500;
const mostCharacters = 2_000_000;

export function createPasteTracker(): PasteTracker {
  let now: MarkedText = { text: "", pasted: [] };
  const earlier = new Map<string, readonly PastedRange[]>();
  const remembered = new Map<string, readonly PastedRange[]>();
  let kept = 0;
  let hasPasted = false;

  function become(text: string, pasted: readonly PastedRange[]): void {
    now = { text, pasted };
    hasPasted ||= pasted.length > 0;
    const known = earlier.get(text) ?? [];
    if (earlier.delete(text)) kept -= text.length;
    // The same text may have come about in two ways: what was pasted in one of them counts.
    earlier.set(text, united([...known, ...pasted]));
    kept += text.length;
    for (const oldest of earlier.keys()) {
      if (oldest === text || (earlier.size <= mostKept && kept <= mostCharacters)) break;
      earlier.delete(oldest);
      kept -= oldest.length;
    }
  }
  become("", []);

  return {
    spoken: () => now,
    set: ({ text, pasted = wholeOf(text) }) => become(text, checkedRanges(text, pasted)),
    edit(edit) {
      const { text, kind } = edit;
      if (kind !== "restored" || !hasPasted) return become(text, editedRanges(now, edit));
      const known = [earlier.get(text), remembered.get(text)].filter((each) => each !== undefined);
      become(text, known.length > 0 ? united(known.flat()) : wholeOf(text));
    },
    remember({ text, pasted }) {
      const before = remembered.get(text) ?? [];
      remembered.delete(text);
      remembered.set(text, united([...before, ...checkedRanges(text, pasted)]));
      hasPasted ||= pasted.length > 0;
      for (const oldest of remembered.keys()) {
        if (remembered.size <= mostRemembered) break;
        remembered.delete(oldest);
      }
    },
  };
}

/** The ranges of the text that an edit made. Pure. */
export function editedRanges({ text: before, pasted }: MarkedText, edit: Edit): PastedRange[] {
  const { text: after, kind } = edit;
  const { start, end, length } = changeBetween(before, edit);
  const shift = length - (end - start);
  const isInside = pasted.some((range) => range.start < start && end < range.end);
  const heads = pasted.map((range) => ({ start: range.start, end: Math.min(range.end, start) }));
  const tails = pasted.map((range) => ({
    start: Math.max(range.start, end) + shift,
    end: range.end + shift,
  }));
  const put = kind === "pasted" || isInside ? [{ start, end: start + length }] : [];
  const ranges = [...heads, ...put, ...tails].filter((range) => range.start < range.end);
  return checkedRanges(after, united(ranges));
}

/** What was replaced, and how long what stands there now is. Where the places cannot be true, what differs. */
function changeBetween(
  before: string,
  { text: after, start: given, caret }: Edit,
): { start: number; end: number; length: number } {
  const most = Math.min(before.length, after.length);
  const start = Math.min(given, caret, commonBeginning(before, after, most));
  const behind = after.length - caret;
  const isTrue = behind <= before.length - start && before.endsWith(after.slice(caret));
  const kept = isTrue ? behind : commonEnd(before, after, most - start);
  return { start, end: before.length - kept, length: after.length - kept - start };
}

function united(ranges: readonly PastedRange[]): PastedRange[] {
  const all: PastedRange[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last && last.end >= start) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

function commonBeginning(some: string, other: string, most: number): number {
  let length = 0;
  while (length < most && some.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

function commonEnd(some: string, other: string, most: number): number {
  let length = 0;
  while (
    length < most &&
    some.charCodeAt(some.length - 1 - length) === other.charCodeAt(other.length - 1 - length)
  )
    length += 1;
  return length;
}
