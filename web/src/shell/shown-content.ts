/** What stands in the place of the view: the view itself, or why it is not there. */
import { html, type TemplateResult } from "lit";
import type { Say } from "../texts/texts.ts";
import { routeOf } from "./routes.ts";
import type { ShownView } from "./view-place.ts";

export function shownContent(shown: ShownView | undefined, say: Say, again: () => void): unknown {
  if (shown?.state.type === "shown") return shown.state.view;
  if (shown?.state.type === "failed") return failed(say, again);
  const isSomething = shown !== undefined || routeOf(location.hash) !== undefined;
  return html`<p class="empty">${say(isSomething ? "shell.loading" : "shell.nothing-here")}</p>`;
}

const failed = (say: Say, again: () => void): TemplateResult => html`
  <div class="empty stack" role="alert">
    <p>${say("shell.view-failed")}</p>
    <div class="row centred">
      <button type="button" class="primary" @click=${again}>${say("shell.try-again")}</button>
      <button type="button" @click=${() => location.reload()}>${say("shell.reload")}</button>
    </div>
  </div>
`;
