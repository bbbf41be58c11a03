/** Which model answers and why, with which credentials, and which others exist. */
import type { CredentialView, EventTopic, ModelStatusView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { duration } from "../../parts/amounts.ts";
import "../../parts/countdown.ts";
import { icon } from "../../parts/icon.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import "./connect-model.ts";
import "./credentials-part.ts";
import "./model-list.ts";
import { choiceOf, moved, usedFirst, usedLast } from "./model-order.ts";
import { orderButtons } from "./order-buttons.ts";

const tones = {
  ready: "good",
  "set-aside": "warn",
  "no-credential": "bad",
  "not-allowed": "warn",
  unknown: "bad",
} as const;

class ModelsView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    status: { state: true },
    credentials: { state: true },
    testing: { state: true },
  };

  declare status: ModelStatusView | undefined;
  declare credentials: CredentialView[] | undefined;
  /** The reference of the one that is being asked now. */
  declare testing: string | undefined;

  protected override watched(): readonly EventTopic[] {
    return ["config", "health", "runs"];
  }

  protected override async load(): Promise<void> {
    const [status, credentials] = await Promise.all([
      this.ask("models.status", {}),
      this.ask("auth.status", {}),
    ]);
    this.status = status ?? this.status;
    this.credentials = credentials?.credentials ?? this.credentials;
  }

  private get mayChange(): boolean {
    return this.page.me.role === "owner" || this.page.me.role === "admin";
  }

  private get references(): string[] {
    return (this.status?.models ?? []).map(({ reference }) => reference).filter((each) => !isStub(each));
  }

  private async setModels(references: string[]): Promise<void> {
    const { primary, fallbacks } = choiceOf(references);
    if (primary === undefined) return;
    const value = { primary, fallbacks };
    const done = await this.ask("config.set", {
      path: "agents.defaults.model",
      value,
      language: this.page.language,
    });
    if (done)
      this.page.tell(
        done.inForce === false
          ? this.say("models.not-in-force", { problems: done.problems.join("; ") })
          : this.say("models.using", { name: primary }),
        done.inForce === false ? "bad" : "good",
      );
    await this.load();
  }

  private async testModel(reference: string): Promise<void> {
    this.testing = reference;
    const result = await this.ask("models.test", { reference });
    this.testing = undefined;
    if (!result) return;
    const { ok, latencyMs, text, failure } = result;
    this.page.tell(
      ok
        ? this.say("models.test.ok", {
            model: reference,
            time: duration(latencyMs, this.page.language),
            text: (text ?? "").slice(0, 200),
          })
        : this.say("models.test.failed", { model: reference, reason: failure?.message ?? "" }),
      ok ? "good" : "bad",
    );
    await this.load();
  }

  protected override render(): TemplateResult {
    const { say, status } = this;
    return html`
      <div class="page-head"><h1>${say("models.title")}</h1></div>
      <div class="stack wide-gap">
        <section class="stack" aria-labelledby="answers-head">
          <h2 id="answers-head">${say("models.answers")}</h2>
          ${status ? this.answers(status) : html`<p class="empty">${say("shell.loading")}</p>`}
        </section>
        ${
          this.mayChange
            ? html`
                <section class="card" aria-labelledby="add-head">
                  <h2 id="add-head">${say("models.add")}</h2>
                  <connect-model
                    .page=${this.page}
                    .isUsedAtOnce=${this.references.length === 0}
                    @connected=${() => void this.load()}
                  ></connect-model>
                </section>
              `
            : html`<p class="hint">${say("models.may-not")}</p>`
        }
        <model-credentials
          .page=${this.page}
          .credentials=${this.credentials}
          .mayChange=${this.mayChange}
          @changed=${() => void this.load()}
        ></model-credentials>
        <section class="stack" aria-labelledby="list-head">
          <h2 id="list-head">${say("models.list")}</h2>
          <model-list
            .page=${this.page}
            .inUse=${this.references}
            .mayChange=${this.mayChange}
            @use=${(event: CustomEvent<string>) => void this.setModels(usedFirst(this.references, event.detail))}
            @fallback=${(event: CustomEvent<string>) => void this.setModels(usedLast(this.references, event.detail))}
          ></model-list>
        </section>
      </div>
    `;
  }

  private answers({ answers: answering, models: all }: ModelStatusView): TemplateResult {
    const { say, references } = this;
    const answers = answering !== null && isStub(answering) ? null : answering;
    const models = all.filter(({ reference }) => !isStub(reference));
    return html`
      <p class="note ${this.tone(answers === null ? "bad" : "good")}" role="status">
        ${this.asKnown(answers === null ? say("models.answers.nobody") : say("models.answers.now", { model: answers }))}
      </p>
      ${models.length > 1 ? html`<p class="hint">${say("models.order.hint")}</p>` : nothing}
      <ol class="ordered">
        ${models.map(
          ({ reference, role, state, nearest, credentials }, index) => html`
            <li class="ordered-item">
              <div class="grow">
                <p class="row">
                  <strong class="mono break">${reference}</strong>
                  <span class="badge">${say(`models.role.${role}`)}</span>
                  ${this.badge(tones[state], say(`models.state.${state}`))}
                </p>
                ${nearest.length > 0 ? html`<p class="hint">${say("models.nearest", { names: nearest.join(", ") })}</p>` : nothing}
                ${credentials.map(({ id, setAsideUntil, reason }) =>
                  setAsideUntil === null
                    ? nothing
                    : html`<p class="hint break">
                        ${id}: ${say("models.credential.state.set-aside")}
                        <p-countdown until=${setAsideUntil} @over=${() => void this.load()}></p-countdown>
                        ${reason ?? ""}
                      </p>`,
                )}
              </div>
              ${
                this.mayChange
                  ? html`<div class="row">
                      ${orderButtons(say, { name: reference, index, length: models.length }, (step) => void this.setModels(moved(references, index, step)))}
                      <button
                        type="button"
                        ?disabled=${this.testing !== undefined}
                        @click=${() => void this.testModel(reference)}
                      >
                        ${this.testing === reference ? html`<span class="spinner"></span>` : nothing}
                        ${say("models.test")}
                      </button>
                      ${
                        models.length > 1
                          ? html`<button
                              type="button"
                              class="quiet icon-only"
                              aria-label="${say("models.remove")} ${reference}"
                              title=${say("models.remove")}
                              @click=${() => void this.setModels(references.toSpliced(index, 1))}
                            >
                              ${icon("close")}
                            </button>`
                          : nothing
                      }
                    </div>`
                  : nothing
              }
            </li>
          `,
        )}
      </ol>
    `;
  }
}

/** The one that answers where nothing is chosen, and only says so. */
const isStub = (reference: string): boolean => reference.startsWith("stub/");

customElements.define("view-models", ModelsView);
