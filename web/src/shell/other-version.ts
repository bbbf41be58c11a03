import { html, type TemplateResult } from "lit";
import type { Say } from "../texts/texts.ts";

/** What stands in the place of a page that the gateway does not understand any more. */
export const otherVersion = (say: Say): TemplateResult => html`
  <main class="empty" id="main" role="alert">
    <p>${say("why.other-version")}</p>
    <button type="button" class="primary" @click=${() => location.reload()}>${say("shell.reload")}</button>
  </main>
`;
