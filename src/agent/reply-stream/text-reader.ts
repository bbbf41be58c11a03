/**
 * Reads the words of a model as they come and tells reasoning, answer, code and tags apart. Each place of the text is decided once,
 * from left to right, as soon as nothing that may follow can change it; until then the text from there on is held back. So the
 * answer cannot depend on how the text was cut into deltas, and what has been told never has to be taken back.
 */
import { closesFence, fenceOpenedBy, leavesQuotedFence, type Fence } from "./code-fence.ts";
import { findSpanEnd, runLength } from "./code-span.ts";
import { matchReplyTag, matchTag, type ReplyTarget, type Tag } from "./tags.ts";

export interface ReaderSink {
  visible(text: string, isCode: boolean): void;
  reasoning(text: string): void;
  reasoningEnd(): void;
  replyTo(target: ReplyTarget): void;
  /** Something was taken out of the visible text here. */
  seam(): void;
  /** Whether the visible text stands at the beginning of a line. */
  isAtLineStart(): boolean;
}

export interface InlineCodeState {
  inCodeSpan: boolean;
  inCodeBlock: boolean;
  codeBlockLang?: string;
  /** Of the run that is open; 0 outside of code. */
  backtickCount: number;
}

export interface TextReader {
  push(delta: string): void;
  /** The text is over: what was held back is decided as it stands. */
  end(): void;
  /** What is held back. */
  held(): string;
  state(): { thinking: boolean; final: boolean; inlineCode: InlineCodeState };
}

/** `tags`: which are looked for; with "reply" all others are text. */
export function createTextReader(sink: ReaderSink, tags: "all" | "reply" = "all"): TextReader {
  let raw = "";
  let at = 0;
  /** Nothing but `prefix`, the marks of lists and quotations, stands in the line so far. */
  let lineStart = true;
  let prefix = "";
  let fence: Fence | undefined;
  let thinking = false;
  let final = false;
  /** How far beyond `at` a search has looked in vain, and for a run of how many backticks. */
  let looked = { ahead: 0, ticks: 0 };

  function tell(end: number, isCode: boolean): void {
    const text = raw.slice(at, end);
    at = end;
    looked = { ahead: 0, ticks: 0 };
    if (thinking) sink.reasoning(text);
    else sink.visible(text, isCode);
  }

  /** Each step decides something and answers true, or needs more. */
  function step(isLast: boolean): boolean {
    if (fence) return lineStart ? beginCodeLine(fence, isLast) : goOnInCode(fence, isLast);
    return (lineStart ? beginLine(isLast) : undefined) ?? proseStep(isLast);
  }

  /** Undefined: nothing special begins this line, it is prose from here on. */
  function beginLine(isLast: boolean): boolean | undefined {
    const [marker = ""] = /^(?:[ \t>]+|[-*+][ \t]|\d{1,9}[.)][ \t])/.exec(raw.slice(at, at + 64)) ?? [];
    if (marker !== "") {
      prefix += marker;
      tell(at + marker.length, false);
      return true;
    }
    const rest = raw.slice(at, at + 16);
    if (!isLast && /^(?:[-*+]|\d{1,9}[.)]?|`{1,2}|~{1,2})$/.test(rest)) return false;
    if (!/^(?:```|~~~)/.test(rest)) return undefined;
    const line = wholeLine(isLast, longestFenceLine);
    if (line === undefined) return false;
    const opened = fenceOpenedBy(line);
    if (!opened) return undefined;
    tell(at + line.length, true);
    fence = { ...opened, prefix };
    lineStart = false;
    return true;
  }

  function proseStep(isLast: boolean): boolean {
    const end = nextSpecial(raw, at);
    if (end > at) {
      tell(end, false);
      lineStart = false;
      return true;
    }
    const character = raw[at];
    if (character === "\n") {
      tell(at + 1, false);
      [lineStart, prefix] = [true, ""];
      return true;
    }
    if (character === "`") return backticks(isLast);
    if (character === "\\") {
      if (at + 1 === raw.length && !isLast) return false;
      tell(at + (/[\\`<[]/.test(raw[at + 1] ?? "") ? 2 : 1), false);
      lineStart = false;
      return true;
    }
    const match =
      character === "["
        ? thinking
          ? "none"
          : matchReplyTag(raw, at, isLast)
        : tags === "all"
          ? matchTag(raw, at, isLast)
          : "none";
    if (match === "more") return false;
    if (match === "none" || !takeTag(match)) {
      tell(at + (match === "none" ? 1 : match.length), false);
      lineStart = false;
    }
    return true;
  }

  function backticks(isLast: boolean): boolean {
    const ticks = runLength(raw, at, isLast);
    if (ticks === undefined) return false;
    const start = at + ticks;
    const from = looked.ticks === ticks ? Math.max(start, at + looked.ahead) : start;
    const search = findSpanEnd(raw, { start, from, ticks, isLast });
    if (search.type === "more") {
      looked = { ahead: search.from - at, ticks };
      return false;
    }
    tell(search.type === "span" ? search.end : start, search.type === "span");
    lineStart = false;
    return true;
  }

  /** False: here it is no tag but text. */
  function takeTag(tag: Tag): boolean {
    const ends = tag.type === "reasoning" ? tag.closing : tag.type === "final" && !tag.closing && lineStart;
    // An answer that begins on a line of its own ends reasoning that was never closed; one that is mentioned does not.
    if (thinking && !ends) return false;
    at += tag.length;
    if (thinking) {
      thinking = false;
      sink.reasoningEnd();
    } else if (tag.type === "reasoning" && !tag.closing) thinking = true;
    if (tag.type === "final") final = !tag.closing;
    if (tag.type === "reply") sink.replyTo(tag.to);
    sink.seam();
    fence = undefined;
    [lineStart, prefix] = [thinking || sink.isAtLineStart(), ""];
    return true;
  }

  function beginCodeLine(open: Fence, isLast: boolean): boolean {
    const [before = ""] = /^[ \t>]*/.exec(raw.slice(at, at + 256)) ?? [];
    const first = raw[at + before.length];
    if (first === undefined && !isLast && before.length < 256) return false;
    if (leavesQuotedFence(before, open)) {
      [fence, prefix] = [undefined, ""];
      return true;
    }
    if (first === open.marks[0]) {
      const line = wholeLine(isLast, longestFenceLine);
      if (line === undefined) return false;
      if (closesFence(line, open)) {
        tell(at + line.length, true);
        fence = undefined;
      }
    }
    lineStart = false;
    return true;
  }

  function goOnInCode(open: Fence, isLast: boolean): boolean {
    const newline = raw.indexOf("\n", at);
    const end = newline < 0 ? raw.length : newline + 1;
    const tagAt = thinking ? raw.slice(at, end).indexOf("<") : -1;
    if (tagAt !== 0) {
      lineStart = tagAt < 0 && newline >= 0;
      tell(tagAt < 0 ? end : at + tagAt, true);
      return true;
    }
    const match = matchTag(raw, at, isLast);
    if (match === "more") return false;
    if (match === "none" || match.type !== "reasoning" || !match.closing) {
      tell(at + 1, true);
      return true;
    }
    // A block that is never closed must not swallow the answer after the reasoning that it is part of.
    const isClosed = closesLater(open, at + match.length, isLast);
    if (isClosed === undefined) return false;
    if (isClosed) tell(at + match.length, true);
    else takeTag(match);
    return true;
  }

  function closesLater(open: Fence, start: number, isLast: boolean): boolean | undefined {
    const end = Math.min(raw.length, start + longestHeldBlock);
    const isWhole = isLast || end === start + longestHeldBlock;
    let from = Math.max(start, at + looked.ahead);
    for (;;) {
      const newline = raw.indexOf("\n", from);
      const next = newline < 0 ? -1 : raw.indexOf("\n", newline + 1);
      const isThere = next >= 0 && next < end;
      if (!isThere && !isWhole) {
        looked = { ahead: from - at, ticks: 0 };
        return undefined;
      }
      if (newline < 0 || newline >= end) return false;
      if (closesFence(raw.slice(newline + 1, isThere ? next : end), open)) return true;
      if (!isThere) return false;
      from = next;
    }
  }

  /** The rest of this line without its end, or the first `longest` characters of it; undefined while it is not all there. */
  function wholeLine(isLast: boolean, longest: number): string | undefined {
    const newline = raw.indexOf("\n", at);
    if (newline >= 0 && newline - at <= longest) return raw.slice(at, newline);
    return raw.length - at >= longest || isLast ? raw.slice(at, at + longest) : undefined;
  }

  function read(isLast: boolean): void {
    while (at < raw.length && step(isLast));
    raw = raw.slice(at);
    at = 0;
  }

  return {
    push(delta) {
      raw += delta;
      read(false);
    },
    end() {
      read(true);
      if (thinking) sink.reasoningEnd();
      [thinking, final, fence, lineStart, prefix] = [false, false, undefined, true, ""];
    },
    held: () => raw,
    state: () => ({ thinking, final, inlineCode: inlineCodeOf({ held: raw, fence, lineStart }) }),
  };
}

const longestFenceLine = 1024;
const longestHeldBlock = 65_536;

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

const special = /[<[`\\\n]/g;

/** What is held back begins with backticks exactly while nobody knows whether they open something. */
function inlineCodeOf(at: { held: string; fence: Fence | undefined; lineStart: boolean }): InlineCodeState {
  const { marks = /^`*/.exec(at.held)?.[0] ?? "", language } = at.fence ?? {};
  const inCodeBlock = at.fence !== undefined || (at.lineStart && marks.length >= 3);
  return {
    inCodeSpan: !inCodeBlock && marks.length > 0,
    inCodeBlock,
    ...(language === undefined ? {} : { codeBlockLang: language }),
    backtickCount: marks.length,
  };
}
