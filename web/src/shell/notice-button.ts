/** The notice button with the number of things that need the signed-in person, and the dialog that it opens. */
import { html, nothing, type TemplateResult } from "lit";
import "../parts/dialog.ts";
import { icon } from "../parts/icon.ts";
import type { Say } from "../texts/texts.ts";
import type { Page } from "./page.ts";

export interface NoticeButtonParts {
  needs: number;
  /** Whether the count is only what was last known. */
  isLost: boolean;
  say: Say;
  open(): void;
}

export function noticeButton({ needs, isLost, say, open }: NoticeButtonParts): TemplateResult {
  const told = needs > 0 ? say("shell.notices.count", { count: needs }) : say("shell.notices");
  const label = isLost && needs > 0 ? say("shell.was", { state: told }) : told;
  return html`
    <button type="button" class="quiet icon-only bell" aria-label=${label} title=${label} @click=${open}>
      ${icon("bell")}
      ${needs > 0 ? html`<span class="count ${isLost ? "last-known" : ""}" aria-hidden="true">${needs}</span>` : nothing}
    </button>
  `;
}

export function noticesDialog({
  page,
  isOpen,
  close,
}: {
  page: Page;
  isOpen: boolean;
  close(): void;
}): TemplateResult {
  return html`
    <p-dialog
      .heading=${page.say("shell.notices")}
      .closeLabel=${page.say("shell.close")}
      ?open=${isOpen}
      .content=${html`<notices-panel .page=${page} @chosen=${close}></notices-panel>`}
      @closed=${close}
    ></p-dialog>
  `;
}
