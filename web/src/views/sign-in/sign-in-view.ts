/** The sign-in view: by link, passkey, code or token, password, or by asking a signed-in person. */
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { browserName } from "../../parts/browser-name.ts";
import { commandLine } from "../../parts/command-line.ts";
import { icon } from "../../parts/icon.ts";
import { inlineCode } from "../../parts/inline-code.ts";
import "../../style/doors.css";
import type { Language, Say, TextKey } from "../../texts/texts.ts";
import { askWays, knock, signInBy, signInByPasskey, type SignInAnswer, type Ways } from "./ask-gateway.ts";
import { canHaveKey, openOwnKey } from "./own-key.ts";
import type { Words } from "./sign-in-words.ts";
import { mayBeCode, pastedSecret } from "./take-code.ts";

const knockEveryMs = 3000;

class SignInView extends LitElement {
  static override properties: PropertyDeclarations = {
    say: { attribute: false },
    language: { attribute: false },
    asks: { attribute: false },
    code: { attribute: false },
    why: { attribute: false },
    ways: { state: true },
    busy: { state: true },
    failed: { state: true },
    waitsUnder: { state: true },
  };

  declare say: Say;
  declare language: Language;
  /** token, password or none: what the gateway asks for. */
  declare asks: string;
  /** A one-time code that came with the address. */
  declare code: string | undefined;
  /** Why the person was signed out. */
  declare why: TextKey | undefined;
  declare ways: Ways | undefined;
  declare busy: boolean;
  declare failed: Words | undefined;
  /** The code under which this browser waits to be let in. */
  declare waitsUnder: string | undefined;
  private knocking: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.code === undefined) void this.begin();
  }

  /** A link may be opened where the page is open already. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has("code") && this.code !== undefined) void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.knocking);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private async begin(): Promise<void> {
    const { code } = this;
    this.code = undefined;
    if (code !== undefined) await this.finish(signInBy("code", { code }));
    this.ways = await askWays();
    // An old link does no harm to a signed-in person: they stay signed in, and read why it was useless.
    if (this.failed !== undefined && this.ways.isIn) this.enter(this.failed);
  }

  private enter(failed?: Words): void {
    this.dispatchEvent(new CustomEvent("signed-in", { detail: failed }));
  }

  /** Says how it went, or goes in. */
  private async finish(answering: Promise<SignInAnswer>): Promise<SignInAnswer> {
    this.busy = true;
    this.failed = undefined;
    const answer = await answering;
    this.busy = false;
    if (answer.type === "in") this.enter();
    if (answer.type === "refused") this.failed = answer.words;
    this.waitsUnder = answer.type === "pending" ? answer.code : undefined;
    return answer;
  }

  private readonly submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const [field] = form.elements;
    if (!(field instanceof HTMLInputElement) || field.value.trim() === "") return;
    const answer = await this.finish(
      field.name === "password"
        ? signInBy("password", { password: field.value })
        : bySecret(pastedSecret(field.value)),
    );
    if (answer.type !== "refused") return;
    await this.updateComplete;
    field.select();
    field.focus();
  };

  private async ask(): Promise<void> {
    clearTimeout(this.knocking);
    this.busy = true;
    try {
      const key = await openOwnKey();
      const answer = await this.finish(knock(key, browserName(navigator.userAgent)));
      // After too many tries, or without an answer, it retries by itself.
      const isToWait = answer.type === "refused" && (answer.status === 429 || answer.status === 0);
      if (answer.type === "pending" || (isToWait && this.knocking !== undefined)) this.askAgain();
      else this.knocking = undefined;
    } catch {
      this.busy = false;
      this.failed = { key: "sign-in.failed.device" };
    }
  }

  private askAgain(): void {
    if (this.isConnected) this.knocking = setTimeout(() => void this.ask(), knockEveryMs);
  }

  private readonly stopAsking = (): void => {
    clearTimeout(this.knocking);
    this.knocking = undefined;
    this.waitsUnder = undefined;
  };

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <main id="main" class="sign-in">
        <div class="card sign-in-card">
          <div class="sign-in-brand"><img src="/favicon.svg" alt="" /></div>
          <h1>${say("sign-in.title")}</h1>
          <div class="stack tight" role="status" aria-live="polite">${this.news()}</div>
          ${this.waitsUnder === undefined ? this.choices() : this.waiting(this.waitsUnder)}
        </div>
      </main>
    `;
  }

  private news(): TemplateResult {
    const { say, why, failed, busy } = this;
    const isFirst = failed === undefined && !busy;
    return html`
      ${why && isFirst ? html`<p class="note warn">${say(why)}</p>` : nothing}
      ${failed ? html`<p class="note bad">${inlineCode(say(failed.key, failed.parameters))}</p>` : nothing}
      ${
        busy && this.waitsUnder === undefined
          ? html`<p class="soft row"><span class="spinner"></span> ${say("sign-in.working")}</p>`
          : nothing
      }
    `;
  }

  private choices(): TemplateResult | typeof nothing {
    const { say, ways } = this;
    if (!ways) return nothing;
    const hasPasskey = ways.passkeys.registered && ways.passkeys.here && "PublicKeyCredential" in globalThis;
    return html`
      ${
        hasPasskey
          ? html`
              <button
                type="button"
                class="primary tall"
                ?disabled=${this.busy}
                @click=${() => void this.finish(signInByPasskey())}
              >
                ${icon("key")} ${say("sign-in.passkey")}
              </button>
              <p class="or-line soft small"><span>${say("sign-in.or")}</span></p>
            `
          : nothing
      }
      ${ways.asks === "password" ? this.form("password", !hasPasskey) : nothing}
      ${this.form("secret", !hasPasskey && ways.asks !== "password")}
      ${
        canHaveKey()
          ? html`
              <div class="stack tight">
                <button type="button" ?disabled=${this.busy} @click=${() => void this.ask()}>
                  ${icon("user")} ${say("sign-in.knock")}
                </button>
                <p class="hint">${say("sign-in.knock.hint")}</p>
              </div>
            `
          : nothing
      }
      ${this.whereFrom()}
    `;
  }

  private form(kind: "password" | "secret", isFirst: boolean): TemplateResult {
    const { say } = this;
    const id = `sign-in-${kind}`;
    return html`
      <form class="field" @submit=${this.submitted}>
        <label for=${id}>${say(`sign-in.${kind}`)}</label>
        <div class="row nowrap">
          <input
            id=${id}
            name=${kind}
            type="password"
            required
            autocomplete=${kind === "password" ? "current-password" : "one-time-code"}
            aria-describedby=${kind === "secret" ? "sign-in-secret-hint" : nothing}
            spellcheck="false"
          />
          <button type="submit" class=${isFirst ? "primary" : ""} ?disabled=${this.busy}>
            ${say("sign-in.submit")}
          </button>
        </div>
        ${
          kind === "secret"
            ? html`<p class="hint" id="sign-in-secret-hint">${say("sign-in.secret.hint")}</p>`
            : nothing
        }
      </form>
    `;
  }

  private whereFrom(): TemplateResult {
    const { say } = this;
    return html`
      <details class="sign-in-help" ?open=${this.failed !== undefined}>
        <summary>${say("sign-in.where")}</summary>
        <div class="stack tight">
          <p>${say("sign-in.where.terminal")}</p>
          ${commandLine("pincer access code", say)}
          <p>${say("sign-in.where.browser")}</p>
          <p>${say("sign-in.where.chat")}</p>
        </div>
      </details>
    `;
  }

  private waiting(code: string): TemplateResult {
    const { say } = this;
    return html`
      <div class="stack">
        <h2 class="row"><span class="spinner"></span> ${say("sign-in.waits")}</h2>
        <p class="knock-code"><span class="visually-hidden">${say("sign-in.waits.code")}: </span>${code}</p>
        <p>${say("sign-in.waits.how")}</p>
        ${commandLine(`pincer access approve ${code} --role owner`, say)}
        <button type="button" @click=${this.stopAsking}>${say("sign-in.waits.stop")}</button>
      </div>
    `;
  }
}

/** What looks like a one-time code is tried as one first: a token may look the same. */
async function bySecret(secret: string): Promise<SignInAnswer> {
  if (mayBeCode(secret)) {
    const answer = await signInBy("secret", { code: secret });
    if (answer.type !== "refused" || answer.status !== 401) return answer;
  }
  return signInBy("secret", { token: secret });
}

customElements.define("view-sign-in", SignInView);
