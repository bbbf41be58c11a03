import type { NoticeView } from "@pincer/sdk";
import type { Say, TextKey } from "./texts.ts";

/** One whose words this version does not have, because another one wrote it, is told by what it is about. */
export function sayNotice(
  { text, kind, subject }: Pick<NoticeView, "text" | "kind" | "subject">,
  say: Say,
): string {
  try {
    return say(text.key as TextKey, text.parameters);
  } catch {
    return `${kind}: ${subject}`;
  }
}
