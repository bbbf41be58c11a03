/**
 * Closing tags of reasoning that stand in code. Models mention them there; they also forget to close their code before they stop
 * reasoning, and then the answer must not be taken for code. So in code, too, such a tag ends the reasoning, unless it is
 * plainly mentioned and another one follows: the last one always counts.
 */
import { closesFence, leavesQuotedFence, type Fence } from "./code-fence.ts";
import { beginsWithReasoningTag, findReasoningEnd, longestReasoningEnd } from "./tags.ts";

/** `more`: it depends on what follows; the next search may begin at `from`. */
export type EndSearch = { type: "found"; at: number } | { type: "none" } | { type: "more"; from: number };

interface Beginning {
  start: number;
  /** Where the last search left off. */
  from: number;
  isLast: boolean;
}

/** How far to look ahead, and how much is held back meanwhile. */
const farthest = 65_536;

/** Where the line begins with which a code block is over. */
export function findBlockEnd(text: string, fence: Fence, { start, from, isLast }: Beginning): EndSearch {
  const end = Math.min(text.length, start + farthest);
  const isWhole = isLast || end === start + farthest;
  let at = Math.max(start, from);
  for (;;) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 ? -1 : text.indexOf("\n", newline + 1);
    const isThere = next >= 0 && next < end;
    if (!isThere && !isWhole) return { type: "more", from: at };
    if (newline < 0 || newline >= end) return { type: "none" };
    const line = text.slice(newline + 1, isThere ? next : end);
    if (closesFence(line, fence) || leavesQuotedFence(line, fence)) return { type: "found", at: newline + 1 };
    if (!isThere) return { type: "none" };
    at = next;
  }
}

/** Whether reasoning ends later. */
export function findLaterEnd(text: string, { start, from, isLast }: Beginning): EndSearch {
  const end = Math.min(text.length, start + farthest);
  const begin = Math.max(start, from);
  const found = findReasoningEnd(text, begin, end);
  if (found) return { type: "found", at: found.start };
  if (isLast || end === start + farthest) return { type: "none" };
  return { type: "more", from: Math.max(begin, end - longestReasoningEnd) };
}

/**
 * What code within a line, from `start` to `end`, does with a closing tag. `mention`: it is a tag or a pair of them and nothing else, as
 * far as it is there.
 */
export function endWithin(text: string, start: number, end: number): "none" | "mention" | "ends" {
  const tag = findReasoningEnd(text, start, end);
  if (!tag) return "none";
  const before = text.slice(start, tag.start).trimStart();
  const isTags = (before === "" || beginsWithReasoningTag(before)) && text.slice(tag.end, end).trim() === "";
  return isTags ? "mention" : "ends";
}
