/** Messages about the page as a whole, in one line above every view: no connection, a newer gateway, no model. */
import type { LinkState } from "@pincer/sdk/client";
import { html, nothing, type TemplateResult } from "lit";
import type { Say } from "../texts/texts.ts";
import { whyWords } from "../views/sign-in/why-words.ts";
import { pageVersion } from "./connect.ts";

export interface BannerParts {
  linkState: LinkState;
  /** Whether to say that no model is connected yet. */
  lacksModel: boolean;
  say: Say;
  retry(): void;
}

export function banner({ linkState, lacksModel, say, retry }: BannerParts): TemplateResult | typeof nothing {
  if (linkState.type === "connected" && linkState.welcome.version !== pageVersion)
    return html`
      <div class="shell-banner" role="status">
        <span>${say("shell.newer", { version: linkState.welcome.version })}</span>
        <button type="button" @click=${() => location.reload()}>${say("shell.reload")}</button>
      </div>
    `;
  if (linkState.type === "connected") return lacksModel ? modelHint(say) : nothing;
  if (linkState.type !== "waiting") return nothing;
  return html`
    <div class="shell-banner bad" role="status">
      <span>${say("shell.waiting", { why: whyWords(linkState.why, say) })}</span>
      <button type="button" @click=${retry}>${say("shell.retry")}</button>
    </div>
  `;
}

const modelHint = (say: Say): TemplateResult => html`
  <div class="shell-banner" role="status">
    <span>${say("shell.no-model")}</span>
    <a class="button" href="#/welcome">${say("shell.connect-model")}</a>
  </div>
`;
