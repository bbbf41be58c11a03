/** `/undo`: shows what would be restored before it is. */
import type { TurnChangesView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Page } from "../../shell/page.ts";

export interface UndoState {
  turn: TurnChangesView;
  isBusy: boolean;
  /** Left as they are, because they were changed again. */
  conflicts: readonly string[];
}

export function undoContent(
  { say }: Page,
  { turn, isBusy, conflicts }: UndoState,
  undo: (force: boolean) => void,
): TemplateResult {
  return html`
    <p>${say("chat.undo.what", { workdir: turn.workdir })}</p>
    <ul class="chat-paths">
      ${turn.paths.map(
        ({ path, change }) => html`
          <li class="row">
            <code class="break grow">${path}</code> <span class="badge">${say(`chat.undo.${change}`)}</span>
          </li>
        `,
      )}
    </ul>
    ${
      turn.notKept.length > 0
        ? html`<p class="note warn break">
            ${say("chat.undo.not-kept", { paths: turn.notKept.join(", ") })}
          </p>`
        : nothing
    }
    ${
      conflicts.length > 0
        ? html`<p class="note warn break">${say("chat.undo.conflicts", { paths: conflicts.join(", ") })}</p>`
        : nothing
    }
    <div class="row">
      <button type="button" class="primary" ?disabled=${isBusy} @click=${() => undo(conflicts.length > 0)}>
        ${say(conflicts.length > 0 ? "chat.undo.force" : "chat.undo.yes")}
      </button>
    </div>
  `;
}
