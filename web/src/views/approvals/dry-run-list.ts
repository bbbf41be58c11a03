/** What a dry run would have done, call by call, and what it would have changed. */
import { dryEffectWords, type DryRunView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { visibleText } from "../../parts/visible-text.ts";
import type { Say } from "../../texts/texts.ts";
import { changesFold } from "./changes-fold.ts";
import { textsOf } from "./reason-line.ts";

export function dryRunList({ effects, changes }: DryRunView, say: Say): TemplateResult {
  if (effects.length === 0 && !changes) return html`<p class="note small">${say("dry-run.none")}</p>`;
  return html`
    <div class="note stack tight">
      <p>${say("dry-run.head")}</p>
      ${effects.map(
        (effect) => html`
          <p class="break">${dryEffectWords(effect, textsOf(say))}</p>
          <pre class="code-box" tabindex="0">${visibleText(effect.shown)}</pre>
        `,
      )}
      ${changes ? changesFold(changes, say("dry-run.changes", countsOf(changes)), say) : nothing}
    </div>
  `;
}

const countsOf = ({ files, added, removed }: NonNullable<DryRunView["changes"]>) => ({
  files,
  added,
  removed,
});
