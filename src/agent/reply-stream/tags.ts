/** Recognises the tags in a model's text at one position, while the text may still be growing. */

/** Where the answer belongs: to the message that is answered, or to one that is named. */
export type ReplyTarget = "current" | { id: string };

export type Tag =
  | { type: "reasoning" | "final"; closing: boolean; length: number }
  | { type: "reply"; to: ReplyTarget; length: number };

/** `more`: it depends on what follows. The answer never depends on how much of the text is there already. */
export type TagMatch = Tag | "more" | "none";

/** A tag of reasoning or of the final answer that begins at the "<" at `at`. */
export function matchTag(text: string, at: number, isLast: boolean): TagMatch {
  const seen = text.slice(at, at + longestTag);
  const [whole, slash, word] = tag.exec(seen) ?? [];
  if (whole !== undefined) {
    const type = word?.toLowerCase() === "final" ? "final" : "reasoning";
    return { type, closing: slash === "/", length: whole.length };
  }
  if (isLast || seen.length === longestTag) return "none";
  const begun = tagBeginning.exec(seen)?.[1]?.toLowerCase();
  const mayBecome =
    begun === undefined ? attributesBeginning.test(seen) : names.some((each) => each.startsWith(begun));
  return mayBecome ? "more" : "none";
}

/** The first closing tag of reasoning that lies between `from` and `to` as a whole. */
export function findReasoningEnd(
  text: string,
  from: number,
  to: number,
): { start: number; end: number } | undefined {
  const match = reasoningEnd.exec(text.slice(from, to));
  return match ? { start: from + match.index, end: from + match.index + match[0].length } : undefined;
}

/** Whether it begins with a tag of reasoning, opening or closing. */
export const beginsWithReasoningTag = (text: string): boolean => reasoningTag.test(text);

/** A reply tag that begins at the "[" at `at`. */
export function matchReplyTag(text: string, at: number, isLast: boolean): TagMatch {
  const seen = text.slice(at, at + longestReplyTag);
  const [whole, id] = replyTag.exec(seen) ?? [];
  if (whole !== undefined)
    return { type: "reply", to: id === undefined ? "current" : { id }, length: whole.length };
  if (isLast || seen.length === longestReplyTag) return "none";
  const word = /^\[(?:\[\s*([a-z_]*))?$/i.exec(seen);
  if (word) return "reply_to_current".startsWith((word[1] ?? "").toLowerCase()) ? "more" : "none";
  return replyTagBeginning.test(seen) ? "more" : "none";
}

const names = ["think", "thinking", "thought", "reasoning", "final"];
const name = "think(?:ing)?|thought|reasoning";
// Without a value it is no attribute: `<thinking about>` is somebody's words.
const value = `"[^"<>]*"|'[^'<>]*'|[^\\s"'<>=]+`;
const attributes = `(?:\\s+[a-z][\\w:.-]*\\s*=\\s*(?:${value}))*`;
const tag = new RegExp(`^<\\s*(/?)\\s*(${name}|final)${attributes}\\s*>`, "i");
const tagBeginning = /^<\s*\/?\s*([a-z]*)$/i;
const attributesBeginning = new RegExp(
  `^<\\s*/?\\s*(?:${name}|final)${attributes}` +
    `(?:\\s+(?:[a-z][\\w:.-]*\\s*(?:=\\s*(?:"[^"<>]*|'[^'<>]*|[^\\s"'<>=]*))?)?)?$`,
  "i",
);
const longestTag = 128;

/** No longer than `longestReasoningEnd`. */
const reasoningEnd = new RegExp(`<\\s{0,4}/\\s{0,4}(?:${name})\\s{0,4}>`, "i");
export const longestReasoningEnd = 24;
const reasoningTag = new RegExp(`^<\\s*/?\\s*(?:${name})[\\s>]`, "i");

const replyTag = /^\[\[\s*reply_to(?:_current|\s*:\s*([^\]\s](?:[^\]\r\n]*[^\]\s])?))\s*\]\]/i;
const replyTagBeginning = /^\[\[\s*reply_to(?:_current\s*\]?|\s*(?::[^\]\r\n]*\]?)?)$/i;
const longestReplyTag = 64;
