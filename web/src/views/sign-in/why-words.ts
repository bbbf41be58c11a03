/**
 * Why there is no connection, in the reader's language. The gateway and the link say it in English sentences of their own, each with a code or
 * not; here is what each means to somebody who looks at the page.
 */
import type { Say, TextKey } from "../../texts/texts.ts";

const meanings: Readonly<Record<string, TextKey>> = {
  "The gateway stops; connect again in a moment.": "why.stopping",
  "The gateway is stopping; connect again in a moment.": "why.stopping",
  "The connection was lost.": "why.lost",
  "The gateway did not answer in time.": "why.too-late",
  "connect came too late.": "why.too-late",
  "Frames are text.": "why.not-text",
  "Too large, or too much before connect.": "why.too-large",
  "Too much before connect was answered.": "why.too-large",
  "Read faster, or subscribe to less.": "why.too-slow",
  "Too much is left unread.": "why.too-slow",
  "Too many connections; try again later.": "why.too-many",
  "There are too many connections.": "why.too-many",
  "Sign in again.": "why.signed-out",
};

/** Undefined where nobody has words for it. */
export const meaningOf = (why: string): TextKey | undefined =>
  Object.hasOwn(meanings, why) ? meanings[why] : undefined;

/** What has no words here is said as it came. */
export function whyWords(why: string, say: Say): string {
  const key = meaningOf(why);
  return key === undefined ? why : say(key);
}

/** Why the gateway does not want this page any more, as it is said where one signs in; undefined where that needs no words. */
export function refusalWords(error: {
  reason?: string | undefined;
  text?: { key: string } | undefined;
}): TextKey {
  return error.reason === "gateway/protocol" ? "why.other-version" : "why.signed-out";
}
