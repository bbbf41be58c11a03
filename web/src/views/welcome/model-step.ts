/** `<welcome-model .page>`: what was found on the gateway's machine comes first, then the other ways. `connected` tells. */
import type { FoundCredentialView, FoundServerView, SetupTryView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { duration } from "../../parts/amounts.ts";
import { View } from "../../shell/view.ts";
import "../models/connect-model.ts";
import { problemNote } from "../models/problem-note.ts";

class ModelStep extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    credentials: { state: true },
    servers: { state: true },
    trying: { state: true },
    tried: { state: true },
  };

  declare credentials: FoundCredentialView[] | undefined;
  declare servers: FoundServerView[];
  /** The id of what is being tried. */
  declare trying: string | undefined;
  declare tried: SetupTryView | undefined;

  constructor() {
    super();
    this.servers = [];
  }

  protected override async load(): Promise<void> {
    // What is on the machine is for its owner alone to look at; others have the other ways.
    const isOwner = this.page.me.role === "owner";
    const found = isOwner ? await this.ask("setup.find", { language: this.page.language }) : undefined;
    this.credentials = found?.credentials ?? [];
    this.servers = found?.servers ?? [];
  }

  private async take(id: string, model?: string): Promise<void> {
    if (this.trying !== undefined) return;
    this.trying = id;
    this.tried = undefined;
    const { language } = this.page;
    this.tried = await this.ask("setup.take", { id, language, ...(model ? { model } : {}) });
    this.trying = undefined;
    if (this.tried?.ok) this.dispatchEvent(new CustomEvent("connected", { bubbles: true }));
  }

  protected override render(): TemplateResult {
    const { say, credentials, servers } = this;
    if (credentials === undefined)
      return html`<p class="row soft" role="status">
        <span class="spinner" aria-hidden="true"></span> ${say("welcome.model.looking")}
      </p>`;
    const isNothing = credentials.length + servers.length === 0;
    return html`
      <div class="stack">
        ${this.lead(isNothing)}
        <ul class="plain-list">
          ${servers.map((server) => this.server(server))}
          ${credentials.map((credential) => this.credential(credential))}
        </ul>
        <div aria-live="polite">${this.outcome()}</div>
        <details ?open=${isNothing}>
          <summary>${say("welcome.model.other")}</summary>
          <div class="padded"><connect-model .page=${this.page} .isUsedAtOnce=${true}></connect-model></div>
        </details>
      </div>
    `;
  }

  /** People who may not look get no statement about it. */
  private lead(isNothing: boolean): TemplateResult | typeof nothing {
    const { say } = this;
    if (!isNothing) return html`<h3>${say("welcome.model.found")}</h3>`;
    return this.page.me.role === "owner" ? html`<p class="soft">${say("welcome.model.none")}</p>` : nothing;
  }

  private outcome(): TemplateResult | typeof nothing {
    const { say, tried } = this;
    if (this.trying !== undefined)
      return html`<p class="row soft">
        <span class="spinner" aria-hidden="true"></span> ${say("welcome.model.going")}
      </p>`;
    if (!tried) return nothing;
    if (!tried.ok) return problemNote(tried.problem, say);
    const { reference, text, latencyMs } = tried;
    return html`<p class="note good break">
      ${say("models.connected", { model: reference, text: text.slice(0, 200), time: duration(latencyMs, this.page.language) })}
    </p>`;
  }

  private takeButton(act: () => void, isOff = false): TemplateResult {
    return html`<button
      type="button"
      class="primary"
      ?disabled=${isOff || this.trying !== undefined}
      @click=${act}
    >
      ${this.say("welcome.model.take")}
    </button>`;
  }

  private server({ id, providerName, baseUrl, models }: FoundServerView): TemplateResult {
    const { say } = this;
    return html`
      <li class="card row">
        <span class="grow">
          <strong>${providerName}</strong>
          <span class="soft small block break">${say("welcome.model.server", { where: baseUrl })}</span>
        </span>
        <select aria-label=${say("welcome.model.which")} class="auto-width" data-server=${id}>
          ${models.map((model) => html`<option value=${model.id}>${model.name}</option>`)}
        </select>
        ${this.takeButton(() => {
          const chosen = this.querySelector<HTMLSelectElement>(`[data-server="${CSS.escape(id)}"]`)?.value;
          void this.take(id, chosen);
        })}
      </li>
    `;
  }

  private credential({
    id,
    providerName,
    kind,
    where,
    model,
    expired,
    taken,
  }: FoundCredentialView): TemplateResult {
    const { say } = this;
    return html`
      <li class="card row">
        <span class="grow">
          <strong>${providerName}</strong>
          ${model === null ? nothing : html`<span class="mono soft">${model}</span>`}
          ${expired ? html`<span class="badge bad">${say("welcome.model.expired")}</span>` : nothing}
          ${taken ? html`<span class="badge">${say("welcome.model.taken")}</span>` : nothing}
          <span class="soft small block break">${say(`welcome.model.${kind}`, { where })}</span>
          ${kind === "login" ? html`<span class="hint block">${say("models.take.warning")}</span>` : nothing}
        </span>
        ${this.takeButton(() => void this.take(id), expired)}
      </li>
    `;
  }
}

customElements.define("welcome-model", ModelStep);
