/** A dialog to name a session. */
import type { SessionView } from "@pincer/sdk";
import { html, type TemplateResult } from "lit";
import "../../parts/dialog.ts";
import type { Say } from "../../texts/texts.ts";

interface RenameParts {
  /** Undefined: nothing is asked. */
  session: SessionView | undefined;
  say: Say;
  save(label: string): void;
  leave(): void;
}

export function renameDialog({ session, say, save, leave }: RenameParts): TemplateResult {
  const written = (event: SubmitEvent) => {
    event.preventDefault();
    const label = new FormData(event.target as HTMLFormElement).get("label");
    save(typeof label === "string" ? label : "");
  };
  return html`
    <p-dialog
      .heading=${say("sessions.rename.heading")}
      .closeLabel=${say("shell.close")}
      ?open=${session !== undefined}
      @closed=${leave}
      .content=${html`
        <form class="stack" @submit=${written}>
          <div class="field">
            <label for="session-label">${say("sessions.rename.label")}</label>
            <input
              id="session-label"
              name="label"
              maxlength="200"
              autocomplete="off"
              autofocus
              .value=${session?.label ?? ""}
              aria-describedby="session-label-hint"
            />
            <p class="hint" id="session-label-hint">${say("sessions.rename.hint")}</p>
          </div>
          <div class="row"><button class="primary">${say("sessions.rename.save")}</button></div>
        </form>
      `}
    ></p-dialog>
  `;
}
