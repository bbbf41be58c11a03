/** Why the gate asks, in the language of the page; what anybody may have written stands between marks. Pure. */
import { originWords, reasonWords, type ApprovalView, type ReasonTexts } from "@pincer/sdk";
import { isTextKey, type Say } from "../../texts/texts.ts";

/** A request of an older version has no codes: it is shown as it was stored. */
export const reasonLine = (
  { reason, reasons = [] }: Pick<ApprovalView, "reason" | "reasons">,
  say: Say,
): string => reasonWords(reasons, textsOf(say)) ?? quoted(reason);

/** Where something comes from, as `web example.org`. */
export const fromLine = (from: string, say: Say): string => originWords(from, textsOf(say));

/** It cannot end the quotation. */
export const quoted = (text: string): string =>
  `“${text.replaceAll(/\s+/gu, " ").replaceAll("“", "⟨U+201C⟩").replaceAll("”", "⟨U+201D⟩")}”`;

/** The texts of the page, for what is put together from codes and values. */
export const textsOf = (say: Say): ReasonTexts => ({
  say: (key, values) => (isTextKey(key) ? say(key, values) : undefined),
  quote: quoted,
});
