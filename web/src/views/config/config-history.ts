/** `<config-history .page>`: every change, what it did, and the way back. `reverted` tells. */
import type { ConfigHistoryView, EventTopic } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { empty } from "../../parts/empty.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import { diffBox } from "./diff-box.ts";
import { revertTo } from "./revert-to.ts";

class ConfigHistory extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    mayChange: { attribute: false },
    changes: { state: true },
  };

  declare mayChange: boolean;
  declare changes: ConfigHistoryView[] | undefined;

  constructor() {
    super();
    this.mayChange = false;
  }

  protected override watched(): readonly EventTopic[] {
    return ["config"];
  }

  protected override async load(): Promise<void> {
    const found = await this.ask("config.history", { limit: 50, diff: true });
    this.changes = found?.changes ?? this.changes;
  }

  private async revert(number: number): Promise<void> {
    const { say } = this;
    const isSure = await this.page.confirm(say("config.revert.sure", { number }), {
      detail: say("config.revert.detail"),
      yes: say("config.revert"),
    });
    if (!isSure) return;
    const done = await this.ask("config.revert", { id: number, language: this.page.language });
    if (done) revertTo(this.page, done);
    await this.load();
    this.dispatchEvent(new CustomEvent("reverted"));
  }

  protected override render(): TemplateResult {
    const { say, changes } = this;
    if (changes === undefined) return html`<p class="empty">${say("shell.loading")}</p>`;
    if (changes.length === 0) return empty(say("config.history.none"));
    return html`
      <ul class="plain-list">
        ${changes.map(
          ({ number, time: at, author, summary, diff }) => html`
            <li class="card">
              <p class="row">
                <span class="badge">${number}</span> <strong class="grow break mono">${summary}</strong>
                <span class="soft small"
                  >${say("config.history.by", { author })} · ${time(at, this.page.language)}</span
                >
              </p>
              <details>
                <summary class="small">${say("config.history.what")}</summary>
                ${diffBox(diff ?? "")}
              </details>
              ${this.mayChange ? html`<div><button type="button" class="small-button" @click=${() => void this.revert(number)}>${say("config.revert")}</button></div>` : nothing}
            </li>
          `,
        )}
      </ul>
    `;
  }
}

customElements.define("config-history", ConfigHistory);
