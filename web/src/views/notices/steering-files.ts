/** Files of a folder that would steer the assistant, with what has changed in them, for the owner to accept. */
import type { SteeringFileView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { visibleText } from "../../parts/visible-text.ts";
import { View } from "../../shell/view.ts";
import { diffBox } from "../config/diff-box.ts";

class SteeringFiles extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    workdir: { attribute: false },
    files: { state: true },
  };

  declare workdir: string;
  declare files: SteeringFileView[] | undefined;

  protected override async load(): Promise<void> {
    const found = await this.ask("policy.steering", { path: this.workdir });
    this.files = found?.files.filter(({ state }) => state !== "accepted");
  }

  private async accept(): Promise<void> {
    // As they are shown here; what has changed since is not among them.
    const hashes = (this.files ?? []).flatMap(({ hash }) => hash ?? []);
    const done = await this.ask("policy.accept", { path: this.workdir, hashes });
    if (done && done.changed.length > 0) {
      this.page.tell(this.say("notices.steering.changed", { files: done.changed.join(", ") }), "bad");
      return this.load();
    }
    if (done) this.dispatchEvent(new CustomEvent("accepted"));
  }

  protected override render(): TemplateResult {
    const { say, files } = this;
    if (files === undefined) return html`<p class="empty">${say("shell.loading")}</p>`;
    const waiting = files.filter(({ state }) => state !== "large");
    return html`
      ${files.map(
        ({ name, state, diff }) => html`
          <p class="soft small">${visibleText(name)}</p>
          ${state === "large" ? say("notices.steering.large") : diffBox(diff)}
        `,
      )}
      ${
        waiting.length === 0
          ? nothing
          : html`<button type="button" @click=${() => void this.accept()}>
              ${say("notices.steering.accept")}
            </button>`
      }
    `;
  }
}

customElements.define("steering-files", SteeringFiles);
