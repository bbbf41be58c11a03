/** A button that copies a text. */
import { html, type TemplateResult } from "lit";
import type { Say } from "../texts/texts.ts";
import { copyText } from "./copy-text.ts";
import { icon } from "./icon.ts";

export const copyButton = (text: string, say: Say): TemplateResult => html`
  <button
    type="button"
    class="quiet icon-only"
    aria-label=${say("shell.copy")}
    title=${say("shell.copy")}
    @click=${(event: Event) => void copyFrom(event.currentTarget as HTMLElement, text, say)}
  >
    ${icon("copy")}
  </button>
`;

/** Says so on the button for a moment. */
async function copyFrom(button: HTMLElement, text: string, say: Say): Promise<void> {
  const isCopied = await copyText(text);
  const words = say(isCopied ? "shell.copied" : "shell.not-copied");
  button.title = words;
  button.setAttribute("aria-label", words);
  button.classList.toggle("copied", isCopied);
  setTimeout(() => {
    button.title = say("shell.copy");
    button.setAttribute("aria-label", say("shell.copy"));
    button.classList.remove("copied");
  }, 1500);
}
