/** The tags by which a model says which message it answers: `[[reply_to_current]]` and `[[reply_to:<id>]]`. */
import type { ReplyTarget } from "./reply-stream/tags.ts";
import { createTextReader } from "./reply-stream/text-reader.ts";
import { createVisibleText } from "./reply-stream/visible-text.ts";

/**
 * Takes them out of a whole text, wherever they stand outside of code. A named message counts more than the current one, the last
 * name more than those before. A text without tags comes back as it is.
 */
export function takeReplyTags(text: string): { text: string; replyTo: ReplyTarget | undefined } {
  let rest = "";
  let replyTo: ReplyTarget | undefined;
  const visible = createVisibleText({ show: (words) => (rest += words), sort: () => undefined });
  const reader = createTextReader(
    {
      visible: visible.write,
      undecided: visible.writeUndecided,
      decided: visible.decide,
      reasoningBefore: () => undefined,
      reasoning: () => undefined,
      reasoningEnd: () => undefined,
      replyTo(target) {
        if (target !== "current" || replyTo === undefined) replyTo = target;
      },
      seam: visible.seam,
      isAtLineStart: visible.isAtLineStart,
    },
    "reply",
  );
  reader.push(text);
  reader.end();
  return replyTo === undefined ? { text, replyTo } : { text: rest.trimEnd(), replyTo };
}
