/** The tags that models put into their words, recognised at one place of a text that may still be growing. */

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
  const [whole, slash, name] = tag.exec(seen) ?? [];
  if (whole !== undefined) {
    const type = name?.toLowerCase() === "final" ? "final" : "reasoning";
    return { type, closing: slash === "/", length: whole.length };
  }
  if (isLast || seen.length === longestTag) return "none";
  const [, begun, space] = tagBeginning.exec(seen) ?? [];
  if (begun === undefined) return "none";
  const word = begun.toLowerCase();
  const mayBecome =
    word !== "" && space !== "" ? names.includes(word) : names.some((name) => name.startsWith(word));
  return mayBecome ? "more" : "none";
}

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
const tag = /^<\s*(\/?)\s*(think(?:ing)?|thought|reasoning|final)\s*>/i;
const tagBeginning = /^<\s*\/?\s*([a-z]*)(\s*)$/i;
const longestTag = 32;

const replyTag = /^\[\[\s*reply_to(?:_current|\s*:\s*([^\]\s](?:[^\]\r\n]*[^\]\s])?))\s*\]\]/i;
const replyTagBeginning = /^\[\[\s*reply_to(?:_current\s*\]?|\s*(?::[^\]\r\n]*\]?)?)$/i;
const longestReplyTag = 64;
