/** What stands behind the box: sends the message, and stops an answer. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { Say } from "../../texts/texts.ts";

export interface ComposerButtons {
  say: Say;
  /** Whether an answer is on its way. */
  isBusy: boolean;
  isReady: boolean;
  stop(): void;
  send(): void;
}

export const composerButtons = (buttons: ComposerButtons): TemplateResult =>
  html`${buttons.isBusy ? stopButton(buttons) : nothing} ${sendButton(buttons)}`;

function stopButton({ say, stop }: ComposerButtons): TemplateResult {
  const label = say("chat.stop");
  return html`
    <button type="button" class="icon-only" aria-label=${label} title="${label} (Esc)" @click=${stop}>
      ${icon("stop")}
    </button>
  `;
}

function sendButton({ say, isBusy, isReady, send }: ComposerButtons): TemplateResult {
  const label = say(isBusy ? "chat.send.join" : "chat.send");
  return html`
    <button
      type="button"
      class="primary icon-only"
      aria-label=${label}
      title=${label}
      ?disabled=${!isReady}
      @click=${send}
    >
      ${icon("send")}
    </button>
  `;
}
