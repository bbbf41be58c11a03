/** What the owner's words granted in a turn, a line for each grant. */
import { grantedWords, type GrantedTurnView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { Say } from "../../texts/texts.ts";
import { textsOf } from "./reason-line.ts";

export function grantedList({ grants, worded }: GrantedTurnView, say: Say): TemplateResult {
  return html`
    <ul class="granted small soft">
      ${grants.map(
        (grant) => html`<li class="break">${icon("check")} ${grantedWords(grant, textsOf(say))}</li>`,
      )}
      ${worded.length > 0 ? html`<li>${icon("edit")} ${say("granted.worded", { count: worded.length })}</li>` : nothing}
    </ul>
  `;
}
