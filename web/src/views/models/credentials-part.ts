/** `<model-credentials .page .credentials .mayChange>`: by provider, in the order of trying. `changed` tells that they are to be asked for again. */
import type { CredentialTestView, CredentialView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import "../../parts/countdown.ts";
import { empty } from "../../parts/empty.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import { isTextKey } from "../../texts/texts.ts";
import { moved, byProvider, type ProviderCredentials } from "./model-order.ts";
import { orderButtons } from "./order-buttons.ts";

const tones = { ready: "good", "set-aside": "warn", expired: "bad", locked: "bad" } as const;
const outcomeTones = { works: "good", refused: "bad", unclear: "warn" } as const;

class ModelCredentials extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    credentials: { attribute: false },
    mayChange: { attribute: false },
    outcomes: { state: true },
    testing: { state: true },
  };

  declare credentials: CredentialView[] | undefined;
  declare mayChange: boolean;
  declare outcomes: ReadonlyMap<string, CredentialTestView>;
  /** The id of the one that is being asked about, or `*`. */
  declare testing: string | undefined;

  constructor() {
    super();
    this.mayChange = false;
    this.outcomes = new Map();
  }

  private changed(): void {
    this.dispatchEvent(new CustomEvent("changed"));
  }

  private async testCredentials(id?: string): Promise<void> {
    this.testing = id ?? "*";
    const tested = await this.ask("auth.test", id === undefined ? {} : { id });
    this.testing = undefined;
    const outcomes = new Map(this.outcomes);
    for (const result of tested?.results ?? []) outcomes.set(result.id, result);
    this.outcomes = outcomes;
    this.changed();
  }

  private async order(provider: string, ids: string[]): Promise<void> {
    await this.ask("auth.order", { provider, ids });
    this.changed();
  }

  private async forget({ id, agentId }: CredentialView): Promise<void> {
    const isSure = await this.page.confirm(this.say("models.credential.remove", { name: id }), {
      danger: true,
    });
    if (!isSure) return;
    const done = await this.ask("auth.logout", { id, ...(agentId === null ? {} : { agentId }) });
    if (done) this.page.tell(this.say("models.credential.removed", { name: id }), "good");
    this.changed();
  }

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <section class="stack" aria-labelledby="credentials-head">
        <div class="row">
          <h2 id="credentials-head" class="grow">${say("models.credentials")}</h2>
          ${
            this.mayChange && this.credentials?.length
              ? html`<button
                  type="button"
                  ?disabled=${this.testing !== undefined}
                  @click=${() => void this.testCredentials()}
                >
                  ${this.testing === "*" ? html`<span class="spinner"></span>` : nothing}
                  ${say("models.test.all")}
                </button>`
              : nothing
          }
        </div>
        ${this.credentials?.length === 0 ? empty(say("models.credentials.none")) : nothing}
        ${byProvider(this.credentials ?? []).map((group) => this.group(group))}
      </section>
    `;
  }

  private group({ provider, credentials, order }: ProviderCredentials): TemplateResult {
    return html`
      <div class="card">
        <h3>${provider}</h3>
        <ol class="ordered">
          ${credentials.map((credential) => this.credential(provider, credential, order))}
        </ol>
      </div>
    `;
  }

  private credential(provider: string, credential: CredentialView, order: string[]): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    const { id, type, label, state, until, reason, position, lastUsedAt, agentId, source } = credential;
    const at = order.indexOf(id);
    const typeKey = `models.credential.type.${type}`;
    const outcome = this.outcomes.get(id);
    return html`
      <li class="ordered-item">
        <div class="grow">
          <p class="row">
            <strong class="break">${id}</strong>
            <span class="soft small">${isTextKey(typeKey) ? say(typeKey) : type} ${label ?? ""}</span>
            ${source === "config" ? html`<span class="badge">${say("models.credential.in-config")}</span>` : nothing}
            ${agentId === null ? nothing : html`<span class="badge">${say("models.credential.of", { agent: agentId })}</span>`}
            ${this.badge(
              tones[state],
              html`${say(`models.credential.state.${state}`)}
              ${state === "set-aside" && until ? html`<p-countdown until=${until} @over=${() => this.changed()}></p-countdown>` : nothing}`,
            )}
            ${position === null ? html`<span class="badge warn">${say("models.credential.not-tried")}</span>` : nothing}
            ${outcome ? html`<span role="status">${this.badge(outcomeTones[outcome.outcome], say(`models.outcome.${outcome.outcome}`))}</span>` : nothing}
          </p>
          <p class="hint break">
            ${lastUsedAt ? html`${say("models.credential.used")} ${time(lastUsedAt, language)}` : say("models.credential.unused")}
            ${reason ? html`· ${reason}` : nothing}
            ${outcome && outcome.outcome !== "works" ? html`· ${outcome.detail}` : nothing}
          </p>
        </div>
        ${
          this.mayChange
            ? html`<div class="row">
                ${at < 0 ? nothing : orderButtons(say, { name: id, index: at, length: order.length }, (step) => void this.order(provider, moved(order, at, step)))}
                ${at < 0 && agentId === null ? html`<button type="button" @click=${() => void this.order(provider, [id, ...order])}>${say("models.credential.use")}</button>` : nothing}
                <button
                  type="button"
                  ?disabled=${this.testing !== undefined}
                  @click=${() => void this.testCredentials(id)}
                >
                  ${this.testing === id ? html`<span class="spinner"></span>` : nothing} ${say("models.test")}
                </button>
                ${
                  source === "config" || type === "environment" || type === "none"
                    ? nothing
                    : html`<button
                        type="button"
                        class="quiet icon-only"
                        aria-label="${say("models.remove")} ${id}"
                        title=${say("models.remove")}
                        @click=${() => void this.forget(credential)}
                      >
                        ${icon("trash")}
                      </button>`
                }
              </div>`
            : nothing
        }
      </li>
    `;
  }
}

customElements.define("model-credentials", ModelCredentials);
