/**
 * `<connect-model .page>`: the ways to a model, each tried with a real question before anything is kept: a key, an account, what another
 * program has, a server of one's own. `connected` tells that something was stored.
 */
import type { LoginWaysView, ModelProviderView, SetupTryView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { duration } from "../../parts/amounts.ts";
import { View } from "../../shell/view.ts";
import "./login-steps.ts";
import { problemNote } from "./problem-note.ts";
import { inOrder } from "./provider-order.ts";
import "./server-model.ts";
import type { ServerModel } from "./server-model.ts";

const ways = ["key", "login", "take", "server"] as const;
type Way = (typeof ways)[number];
type Answered = Extract<SetupTryView, { ok: true }>;

/** What other programs on the machine have is the owner's alone to take, and so is saying where a secret is sent to. */
const waysOf = (role: string): readonly Way[] => (role === "owner" ? ways : ["key", "login"]);

class ConnectModel extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    isUsedAtOnce: { attribute: false },
    providers: { state: true },
    found: { state: true },
    way: { state: true },
    loginAt: { state: true },
    tried: { state: true },
    isTrying: { state: true },
    server: { state: true },
  };

  /** Whether a key's model is to answer from now on, unless somebody says otherwise. */
  declare isUsedAtOnce: boolean;
  declare providers: ModelProviderView[];
  declare found: LoginWaysView | undefined;
  declare way: Way;
  declare loginAt: string;
  declare tried: SetupTryView | undefined;
  declare isTrying: boolean;
  /** A server of one's own that has answered: more can be said about its models. */
  declare server: { provider: string; answered: Answered; again: ServerModel["again"] } | undefined;

  constructor() {
    super();
    this.isUsedAtOnce = true;
    this.providers = [];
    this.way = "key";
    this.loginAt = "";
    this.isTrying = false;
  }

  protected override async load(): Promise<void> {
    const [providers, found] = await Promise.all([
      this.ask("models.providers", {}),
      this.ask("auth.ways", {}),
    ]);
    this.providers = (providers?.providers ?? this.providers).filter(
      ({ serves }) => serves === "conversation",
    );
    this.found = found ?? this.found;
    if (this.loginAt === "") this.loginAt = this.found?.logins[0] ?? "";
  }

  /** How it went must not wait below the edge of the screen. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has("tried") && this.tried) this.querySelector(".note")?.scrollIntoView({ block: "nearest" });
  }

  private changed(): void {
    this.dispatchEvent(new CustomEvent("connected", { bubbles: true }));
  }

  private async tryKey(form: HTMLFormElement): Promise<void> {
    const { provider, key, name, use } = fieldsOf(form);
    if (!provider || !key) return;
    const isUsed = use === "on";
    this.isTrying = true;
    this.tried = undefined;
    const { language } = this.page;
    // Without a name of its own, and used at once, one request does all of it.
    const isWhole = isUsed && !name;
    const tried = await this.ask("setup.tryModel", { provider, key, write: isWhole, language });
    this.isTrying = false;
    this.tried = tried;
    if (!tried?.ok) return;
    if (!isWhole) {
      const id = name || `${provider}:default`;
      const stored = await this.ask("auth.put", {
        id,
        provider,
        type: "api_key",
        secret: { key },
        source: "login",
      });
      if (!stored) return;
      if (isUsed)
        await this.ask("config.set", {
          path: "agents.defaults.model.primary",
          value: tried.reference,
          language,
        });
    }
    form.reset();
    this.changed();
  }

  private async tryServer(form: HTMLFormElement): Promise<void> {
    const { provider = "", baseUrl = "", key, model } = fieldsOf(form);
    this.isTrying = true;
    this.tried = undefined;
    this.server = undefined;
    const entered = { provider, baseUrl, ...(key ? { key } : {}) };
    const attempt = (wanted: string | undefined) =>
      this.ask("setup.tryModel", {
        ...entered,
        ...(wanted ? { model: wanted } : {}),
        language: this.page.language,
      });
    this.tried = await attempt(model);
    this.isTrying = false;
    if (!this.tried?.ok) return;
    const again = async (wanted: string) => (this.tried = await attempt(wanted));
    this.server = { provider, answered: this.tried, again };
    this.changed();
  }

  private async take(from: "claude-cli" | "codex-cli", file: string): Promise<void> {
    const { say } = this;
    const done = await this.ask("auth.import", { from, file });
    if (!done) return;
    const words =
      done.hasKey !== undefined
        ? say("models.take.has-key", { provider: done.hasKey })
        : done.imported.length > 0
          ? say("models.take.done", { names: done.imported.join(", ") })
          : say("models.take.kept");
    this.page.tell(words, "good");
    this.changed();
  }

  private submit(event: SubmitEvent, act: (form: HTMLFormElement) => Promise<void>): void {
    event.preventDefault();
    if (!this.isTrying) void act(event.target as HTMLFormElement);
  }

  protected override render(): TemplateResult {
    const { say } = this;
    const parts = { key: this.keyForm, login: this.login, take: this.programs, server: this.serverForm };
    return html`
      <div class="stack">
        <div class="row segments" role="group" aria-label=${say("models.add")}>
          ${waysOf(this.page.me.role).map(
            (way) => html`
              <button
                type="button"
                aria-pressed=${way === this.way ? "true" : "false"}
                @click=${() => {
                  this.way = way;
                  this.tried = undefined;
                  this.server = undefined;
                }}
              >
                ${say(`models.add.${way}`)}
              </button>
            `,
          )}
        </div>
        ${parts[this.way].call(this)}
        <div aria-live="polite">${this.outcome()}</div>
        ${
          this.server
            ? html`<server-model
                .page=${this.page}
                .provider=${this.server.provider}
                .tried=${this.server.answered}
                .again=${this.server.again}
                @saved=${() => this.changed()}
              ></server-model>`
            : nothing
        }
      </div>
    `;
  }

  private outcome(): TemplateResult | typeof nothing {
    const { say, tried } = this;
    if (this.isTrying)
      return html`<p class="row soft">
        <span class="spinner" aria-hidden="true"></span> ${say("models.key.going")}
      </p>`;
    if (!tried) return nothing;
    if (!tried.ok) return problemNote(tried.problem, say);
    const { reference, text, latencyMs } = tried;
    return html`<p class="note good break">
      ${say("models.connected", { model: reference, text: text.slice(0, 200), time: duration(latencyMs, this.page.language) })}
    </p>`;
  }

  private keyForm(): TemplateResult {
    const { say } = this;
    const wanting = this.providers.filter(({ credential, local }) => credential === "needed" && !local);
    const { popular, others } = inOrder(wanting);
    const option = ({ id, name }: ModelProviderView) => html`<option value=${id}>${name}</option>`;
    return html`
      <form
        class="form-grid"
        @submit=${(event: SubmitEvent) => this.submit(event, (form) => this.tryKey(form))}
      >
        <label class="field">
          <span class="label">${say("models.key.provider")}</span>
          <select name="provider" required>
            <option value="">${say("models.key.choose")}</option>
            <optgroup label=${say("models.key.popular")}>${popular.map(option)}</optgroup>
            <optgroup label=${say("models.key.others")}>${others.map(option)}</optgroup>
          </select>
        </label>
        <label class="field">
          <span class="label">${say("models.key.key")}</span>
          <input name="key" type="password" required autocomplete="off" spellcheck="false" />
          <span class="hint">${say("models.key.key.hint")}</span>
        </label>
        <label class="field">
          <span class="label">${say("models.key.name")}</span>
          <input name="name" autocomplete="off" spellcheck="false" />
        </label>
        <label class="row switch">
          <input type="checkbox" name="use" .checked=${this.isUsedAtOnce} /> ${say("models.key.use")}
        </label>
        <div><button class="primary" ?disabled=${this.isTrying}>${say("models.key.go")}</button></div>
      </form>
    `;
  }

  private login(): TemplateResult {
    const { say } = this;
    return html`
      <label class="field narrow">
        <span class="label">${say("models.key.provider")}</span>
        <select @change=${(event: Event) => (this.loginAt = (event.target as HTMLSelectElement).value)}>
          ${(this.found?.logins ?? []).map((provider) => html`<option value=${provider} ?selected=${provider === this.loginAt}>${this.nameOf(provider)}</option>`)}
        </select>
      </label>
      <model-login
        .page=${this.page}
        .provider=${this.loginAt}
        .providerName=${this.nameOf(this.loginAt)}
        @stored=${() => this.changed()}
      ></model-login>
    `;
  }

  private nameOf(provider: string): string {
    return this.providers.find(({ id }) => id === provider)?.name ?? provider;
  }

  private programs(): TemplateResult {
    const { say } = this;
    const there = (this.found?.programs ?? []).filter(({ isThere }) => isThere);
    if (there.length === 0) return html`<p class="soft">${say("models.take.none")}</p>`;
    return html`
      <p class="hint">${say("models.take.warning")}</p>
      <ul class="plain-list">
        ${there.map(
          ({ from, file }) => html`
            <li class="row">
              <span class="grow"
                ><strong>${say(`models.take.${from}`)}</strong> <code class="break soft">${file}</code></span
              >
              <button type="button" @click=${() => void this.take(from, file)}>
                ${say("models.take.go")}
              </button>
            </li>
          `,
        )}
      </ul>
    `;
  }

  private serverForm(): TemplateResult {
    const { say } = this;
    const running = this.providers.filter(({ local, baseUrl }) => local && baseUrl !== undefined);
    return html`
      <form
        class="form-grid"
        @submit=${(event: SubmitEvent) => this.submit(event, (form) => this.tryServer(form))}
      >
        ${running.length > 0 ? html`<p class="wide">${say("models.server.found")} ${running.map(({ name, baseUrl }) => html`${this.badge("good", `${name} ${baseUrl}`)} `)}</p>` : nothing}
        <label class="field">
          <span class="label">${say("models.server.name")}</span>
          <input
            name="provider"
            required
            pattern="[a-z0-9][a-z0-9._\\-]{0,63}"
            autocomplete="off"
            spellcheck="false"
          />
          <span class="hint">${say("models.server.name.hint")}</span>
        </label>
        <label class="field">
          <span class="label">${say("models.server.url")}</span>
          <input name="baseUrl" type="url" required autocomplete="off" spellcheck="false" />
          <span class="hint">${say("models.server.url.hint")}</span>
        </label>
        <label class="field">
          <span class="label">${say("models.server.key")}</span>
          <input name="key" type="password" autocomplete="off" spellcheck="false" />
        </label>
        <label class="field">
          <span class="label">${say("models.server.model")}</span>
          <input name="model" autocomplete="off" spellcheck="false" />
        </label>
        <div><button class="primary" ?disabled=${this.isTrying}>${say("models.server.go")}</button></div>
      </form>
    `;
  }
}

/** What somebody entered, without white space around it; empty fields are left out. */
function fieldsOf(form: HTMLFormElement): Partial<Record<string, string>> {
  const entries = [...new FormData(form)].flatMap(([name, value]) => {
    const text = typeof value === "string" ? value.trim() : "";
    return text === "" ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

customElements.define("connect-model", ConnectModel);
