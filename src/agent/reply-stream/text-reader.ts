/**
 * Reads the words of a model as they come and tells reasoning, answer, code and tags apart. Each place of the text is decided once,
 * from left to right, as soon as nothing that may follow can change it; until then the text from there on is held back. So the
 * answer cannot depend on how the text was cut into deltas. Only one thing makes told words something else: a closing tag of reasoning
 * that nothing opened.
 */
import { closesFence, fenceOpenedBy, leavesQuotedFence, type Fence } from "./code-fence.ts";
import { findSpanEnd, runLength, type SpanSearch } from "./code-span.ts";
import { inlineCodeOf, type InlineCodeState } from "./inline-code-state.ts";
import { endWithin, findBlockEnd, findLaterEnd } from "./reasoning-end.ts";
import { findReasoningEnd, matchReplyTag, matchTag, type ReplyTarget, type Tag } from "./tags.ts";

export interface ReaderSink {
  visible(text: string, isCode: boolean): void;
  /** Words that are visible whatever follows, but may be code or not. */
  undecided(text: string): void;
  /** What words are that were undecided, in the same order. */
  decided(text: string, isCode: boolean): void;
  /** All that was visible so far was reasoning. */
  reasoningBefore(): void;
  reasoning(text: string): void;
  reasoningEnd(): void;
  replyTo(target: ReplyTarget): void;
  /** Something was taken out of the visible text here. */
  seam(): void;
  /** Whether the visible text stands at the beginning of a line. */
  isAtLineStart(): boolean;
}

export interface TextReader {
  push(delta: string): void;
  /** The text is over: what was held back is decided as it stands. */
  end(): void;
  /** What is held back. */
  held(): string;
  state(): { thinking: boolean; final: boolean; inlineCode: InlineCodeState };
}

export function createTextReader(sink: ReaderSink): TextReader {
  let raw = "";
  let at = 0;
  /** Nothing but `prefix`, the marks of lists and quotations, stands in the line so far. */
  let lineStart = true;
  let prefix = "";
  let fence: Fence | undefined;
  let thinking = false;
  let final = false;
  /** How far beyond `at` searches have found nothing: for a run of that many backticks or the end of a block, and for a tag after it. */
  let looked = { ahead: 0, ticks: 0, tag: 0 };
  /** How many characters beyond `at` were told as undecided. */
  let undecided = 0;

  function moveTo(end: number): void {
    undecided = Math.max(0, undecided - (end - at));
    at = end;
    looked = { ahead: 0, ticks: 0, tag: 0 };
  }

  function tell(end: number, isCode: boolean): void {
    const told = Math.min(end, at + undecided);
    const [known, text] = [raw.slice(at, told), raw.slice(told, end)];
    moveTo(end);
    if (known !== "") sink.decided(known, isCode);
    if (thinking) sink.reasoning(text);
    else if (text !== "") sink.visible(text, isCode);
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
    if (!opened || (thinking && findReasoningEnd(line, 0, line.length))) return undefined;
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
      const escaped = thinking ? /[\\`]/ : /[\\`<[]/;
      tell(at + (escaped.test(raw[at + 1] ?? "") ? 2 : 1), false);
      lineStart = false;
      return true;
    }
    const match =
      character === "[" ? (thinking ? "none" : matchReplyTag(raw, at, isLast)) : matchTag(raw, at, isLast);
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
    let search = findSpanEnd(raw, { start, from, ticks, isLast });
    if (thinking) search = withinReasoning(search, start, ticks, isLast);
    if (search.type === "more") {
      looked = { ...looked, ahead: search.from - at, ticks };
      if (!thinking) tellUndecided(search.from);
      return false;
    }
    tell(search.type === "span" ? search.end : start, search.type === "span");
    lineStart = false;
    return true;
  }

  function withinReasoning(search: SpanSearch, start: number, ticks: number, isLast: boolean): SpanSearch {
    if (search.type === "none") return search;
    const codeEnd = search.type === "span" ? search.end - ticks : search.from;
    const end = endWithin(raw, start, codeEnd);
    if (end === "ends") return { type: "none" };
    if (end === "none" || search.type === "more") return search;
    const isMentioned = endsLater(search.end, isLast);
    if (isMentioned === undefined) return { type: "more", from: codeEnd };
    return isMentioned ? search : { type: "none" };
  }

  /** As far as there is no tag, code and no code look the same. */
  function tellUndecided(end: number): void {
    const told = at + undecided;
    let safe = told;
    for (; safe < end; safe++) {
      const character = raw[safe];
      if (character === "<" && matchTag(raw, safe, false) !== "none") break;
      if (character === "[" && matchReplyTag(raw, safe, false) !== "none") break;
    }
    if (safe === told) return;
    undecided = safe - at;
    sink.undecided(raw.slice(told, safe));
  }

  function endsLater(start: number, isLast: boolean): boolean | undefined {
    const search = findLaterEnd(raw, { start, from: at + looked.tag, isLast });
    if (search.type === "more") looked = { ...looked, tag: search.from - at };
    return search.type === "more" ? undefined : search.type === "found";
  }

  /** False: here it is no tag but text. */
  function takeTag(tag: Tag): boolean {
    const ends = tag.type === "reasoning" ? tag.closing : tag.type === "final" && !tag.closing && lineStart;
    // An answer that begins on a line of its own ends reasoning that was never closed; one that is mentioned does not.
    if (thinking && !ends) return false;
    moveTo(at + tag.length);
    if (thinking) {
      thinking = false;
      sink.reasoningEnd();
    } else if (tag.type === "reasoning") {
      if (tag.closing) sink.reasoningBefore();
      thinking = !tag.closing;
    }
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
    const start = at + match.length;
    const block = findBlockEnd(raw, open, { start, from: at + looked.ahead, isLast });
    const isMentioned = block.type === "found" ? endsLater(block.at, isLast) : false;
    if (block.type === "more" || isMentioned === undefined) {
      const from = block.type === "more" ? block.from : block.type === "found" ? block.at - 1 : start;
      looked = { ...looked, ahead: from - at };
      return false;
    }
    if (block.type === "found" && isMentioned) {
      tell(block.at, true);
      lineStart = true;
    } else takeTag(match);
    return true;
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

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}

const special = /[<[`\\\n]/g;
