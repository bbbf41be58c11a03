/** What somebody said, with a quiet mark on what they pasted. */
import { partsOf, type Spoken } from "@pincer/sdk";
import { html, type TemplateResult } from "lit";
import type { Say } from "../../texts/texts.ts";

export function spokenWords(spoken: Spoken, say: Say): TemplateResult {
  // Blank space of the template would be shown.
  const parts = partsOf(spoken).map(({ text, isPasted }) => (isPasted ? pastedWords(text, say) : text));
  return html`<p class="chat-words">${parts}</p>`;
}

const pastedWords = (text: string, say: Say): TemplateResult =>
  html`<span class="chat-pasted" data-mark=${say("chat.pasted")} title=${say("chat.pasted.about")}
    >${text}</span
  >`;
