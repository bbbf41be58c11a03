/** `<model-login .page .provider>`: a provider's own login, step by step. `stored` tells that it succeeded. */
import type { LoginPromptView, LoginStepView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { copyButton } from "../../parts/copy-button.ts";
import { icon } from "../../parts/icon.ts";
import { View } from "../../shell/view.ts";
import { webAddress } from "./model-order.ts";

type Step = Exclude<LoginStepView, { type: "begun" }>;
type Prompt = Exclude<LoginPromptView, { type: "over" }>;

class LoginSteps extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    provider: {},
    providerName: { attribute: false },
    steps: { state: true },
    prompt: { state: true },
    isUnderWay: { state: true },
    problem: { state: true },
  };

  declare provider: string;
  /** As people call it; without, as its address does. */
  declare providerName: string;
  declare steps: Step[];
  declare prompt: Prompt | undefined;
  declare isUnderWay: boolean;
  declare problem: string;
  private loginId: string | undefined;

  constructor() {
    super();
    this.provider = "";
    this.providerName = "";
    this.reset();
  }

  private reset(): void {
    this.steps = [];
    this.prompt = undefined;
    this.isUnderWay = false;
    this.problem = "";
    this.loginId = undefined;
  }

  override disconnectedCallback(): void {
    this.leave();
    super.disconnectedCallback();
  }

  private async begin(): Promise<void> {
    this.reset();
    this.isUnderWay = true;
    try {
      const { stored } = await this.page.link.request(
        "auth.login",
        { provider: this.provider },
        { signal: this.signal, onEvent: (event, payload) => this.told(event, payload) },
      );
      this.reset();
      this.page.tell(this.say("models.login.done", { name: stored.id }), "good");
      this.dispatchEvent(new CustomEvent("stored", { detail: stored }));
    } catch (error) {
      const isLeft = this.signal.aborted || !this.isUnderWay;
      this.reset();
      if (!isLeft) this.problem = this.failureWords(error);
    }
  }

  private told(event: string, payload: unknown): void {
    if (event === "auth.login_step") {
      const step = payload as LoginStepView;
      this.loginId = step.loginId;
      // A login that began anew after a break tells everything again.
      this.steps = step.type === "begun" ? [] : [...this.steps, step];
    } else if (event === "auth.login_prompt") {
      const prompt = payload as LoginPromptView;
      if (prompt.type !== "over") this.prompt = prompt;
      else if (this.prompt?.prompt === prompt.prompt) this.prompt = undefined;
    }
  }

  private leave(): void {
    const { loginId } = this;
    this.isUnderWay = false;
    if (loginId !== undefined) this.page.link.request("auth.leave", { loginId }).catch(() => {});
    this.reset();
  }

  private async answer(text: string): Promise<void> {
    const { prompt } = this;
    if (!prompt) return;
    this.prompt = undefined;
    await this.ask("auth.answer", { loginId: prompt.loginId, prompt: prompt.prompt, text });
  }

  protected override render(): TemplateResult {
    const { say } = this;
    if (!this.isUnderWay)
      return html`
        <div class="stack">
          ${this.problem === "" ? nothing : html`<p class="note bad break" role="alert">${this.problem}</p>`}
          <p class="hint">${say("models.login.hint")}</p>
          <div>
            <button type="button" class="primary" @click=${() => void this.begin()}>
              ${say("models.login.begin", { provider: this.providerName || this.provider })}
            </button>
          </div>
        </div>
      `;
    return html`
      <div class="stack" aria-live="polite">
        ${this.steps.map((step) => this.step(step))} ${this.prompt ? this.question(this.prompt) : nothing}
        <div class="row">
          <span class="row soft grow"
            ><span class="spinner" aria-hidden="true"></span> ${say("models.login.waiting")}</span
          >
          <button type="button" @click=${() => this.leave()}>${say("models.login.cancel")}</button>
        </div>
      </div>
    `;
  }

  private step(step: Step): TemplateResult {
    const { say } = this;
    const link = (text: string, words: string) => {
      const address = webAddress(text);
      return address === undefined
        ? html`<code class="break">${text}</code>`
        : html`<a class="button" href=${address} target="_blank" rel="noopener noreferrer"
            >${icon("external")} ${words}</a
          >`;
    };
    if (step.type === "open")
      return html`<div class="stack tight">
        <div>${link(step.url, say("models.login.open"))}</div>
        ${step.instructions ? html`<p class="break">${step.instructions}</p>` : nothing}
      </div>`;
    if (step.type === "code")
      return html`<div class="stack tight">
        <p>${say("models.login.code")}:</p>
        <p class="row"><code class="big-code">${step.code}</code> ${copyButton(step.code, say)}</p>
        <div>${link(step.url, say("models.login.open"))}</div>
      </div>`;
    return html`<div class="stack tight">
      <p class="break">${step.message}</p>
      ${step.links.map(({ url, label }) => html`<div>${link(url, label)}</div>`)}
    </div>`;
  }

  private question(prompt: Prompt): TemplateResult {
    const { say } = this;
    if (prompt.type === "choice")
      return html`
        <fieldset class="stack tight plain">
          <legend>${prompt.message}</legend>
          <div class="row">
            ${prompt.options.map(
              ({ id, label }) =>
                html`<button type="button" @click=${() => void this.answer(id)}>${label}</button>`,
            )}
          </div>
        </fieldset>
      `;
    return html`
      <form
        class="stack tight"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const field = (event.target as HTMLFormElement).elements.namedItem("answer") as HTMLInputElement;
          void this.answer(field.value);
        }}
      >
        <label class="field">
          <span class="label">${prompt.message}</span>
          <input
            name="answer"
            type=${prompt.type === "secret" ? "password" : "text"}
            placeholder=${prompt.placeholder}
            autocomplete="off"
            spellcheck="false"
          />
        </label>
        <p class="hint">${say("models.login.elsewhere")}</p>
        <div><button class="primary">${say("models.login.answer")}</button></div>
      </form>
    `;
  }
}

customElements.define("model-login", LoginSteps);
