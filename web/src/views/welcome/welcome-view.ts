/** The first run in the page: to a first answered message, and on to Telegram and the phone. */
import type { EventTopic, SetupView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { inlineCode } from "../../parts/inline-code.ts";
import { icon } from "../../parts/icon.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import "../channels/add-channel.ts";
import "./model-step.ts";
import {
  firstStep,
  isDone,
  setupStepOf,
  stepAfter,
  stepBefore,
  welcomeSteps,
  type WelcomeStep,
} from "./walk-steps.ts";

class WelcomeView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    setup: { state: true },
    at: { state: true },
    isSending: { state: true },
  };

  declare setup: SetupView | undefined;
  declare at: WelcomeStep | undefined;
  declare isSending: boolean;
  /** Whether Telegram was connected when its step was opened: then there is nothing to lead through. */
  private hadTelegram = false;

  constructor() {
    super();
    this.isSending = false;
  }

  protected override watched(): readonly EventTopic[] {
    return ["config", "channels"];
  }

  protected override async load(): Promise<void> {
    const setup = await this.ask("setup.status", { language: this.page.language });
    if (!setup) return;
    this.setup = setup;
    if (this.at === undefined) this.enter(firstStep(setup, this.rest));
  }

  private enter(step: WelcomeStep): void {
    this.at = step;
    this.hadTelegram = (this.setup?.channels ?? []).some(
      ({ channel, enabled }) => channel === "telegram" && enabled !== false,
    );
  }

  private async goTo(step: WelcomeStep): Promise<void> {
    this.enter(step);
    await this.load();
    await this.updateComplete;
    this.querySelector<HTMLElement>("#step-head")?.focus();
  }

  private async skip(step: WelcomeStep): Promise<void> {
    const name = setupStepOf[step];
    if (name !== undefined) await this.ask("setup.done", { step: name });
    await this.goTo(stepAfter(step));
  }

  private async leave(): Promise<void> {
    await this.ask("setup.done", {});
    this.page.go("/chat");
  }

  private async nameIt(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = (field: string) => String(form.get(field) ?? "").trim();
    const [name, user] = [text("name"), text("user")];
    if (name === "") return;
    const done = await this.ask("setup.name", {
      name,
      ...(user === "" ? {} : { user }),
      language: this.page.language,
    });
    if (!done) return;
    this.page.tell(this.say("welcome.name.done", { name: done.name }), "good");
    await this.goTo("telegram");
  }

  private async begin(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isSending) return;
    const words = String(new FormData(event.target as HTMLFormElement).get("words") ?? "").trim();
    this.isSending = true;
    await this.ask("setup.done", {});
    const sent = words === "" ? true : await this.ask("chat.send", { text: words });
    this.isSending = false;
    if (sent) this.page.go("/chat");
  }

  protected override render(): TemplateResult {
    const { say, setup, at } = this;
    if (!setup || !at) return html`<p class="empty">${say("shell.loading")}</p>`;
    const parts = {
      model: this.model,
      name: this.naming,
      telegram: this.telegram,
      phone: this.phone,
      done: this.done,
    };
    const number = welcomeSteps.indexOf(at) + 1;
    return html`
      <div class="welcome stack">
        <div class="stack tight">
          <h1>${say("welcome.title")}</h1>
          <p class="soft">${say("welcome.intro")}</p>
        </div>
        <nav aria-label=${say("welcome.steps")}>
          <ol class="stepper">
            ${welcomeSteps.map((step) => this.stepButton(step, setup, at))}
          </ol>
        </nav>
        <section class="card" aria-labelledby="step-head">
          <p class="soft small">${say("welcome.progress", { at: number, count: welcomeSteps.length })}</p>
          ${parts[at].call(this, setup)}
        </section>
        <div class="row" data-onwards>
          ${at === "model" ? nothing : html`<button type="button" class="quiet" @click=${() => void this.goTo(stepBefore(at))}>${say("welcome.back")}</button>`}
          <span class="spacer"></span>
          ${this.onwards(at, setup)}
        </div>
        <p>
          <button type="button" class="quiet small-button" @click=${() => void this.leave()}>
            ${say("welcome.leave")}
          </button>
        </p>
      </div>
    `;
  }

  private stepButton(step: WelcomeStep, setup: SetupView, at: WelcomeStep): TemplateResult {
    const { say } = this;
    const isThere = isDone(step, setup);
    return html`
      <li>
        <button
          type="button"
          class="quiet ${step === at ? "current" : ""}"
          aria-current=${step === at ? "step" : nothing}
          @click=${() => void this.goTo(step)}
        >
          <span class="stepper-mark ${isThere ? "good" : ""}"
            >${isThere ? icon("check") : welcomeSteps.indexOf(step) + 1}</span
          >
          <span class="stepper-word">${say(`welcome.step.${step}`)}</span>
          ${isThere ? html`<span class="visually-hidden">${say("welcome.is-done")}</span>` : nothing}
        </button>
      </li>
    `;
  }

  private onwards(at: WelcomeStep, setup: SetupView): TemplateResult | typeof nothing {
    const { say } = this;
    if (at === "done") return nothing;
    return isDone(at, setup) || at === "phone"
      ? html`<button type="button" class="primary" @click=${() => void this.goTo(stepAfter(at))}>
          ${say("welcome.next")}
        </button>`
      : html`<button type="button" @click=${() => void this.skip(at)}>${say("welcome.skip")}</button>`;
  }

  private head(words: string): TemplateResult {
    return html`<h2 id="step-head" tabindex="-1">${words}</h2>`;
  }

  private model({ model }: SetupView): TemplateResult {
    const { say } = this;
    return html`
      ${this.head(say("welcome.model.head"))}
      ${model.ready && model.reference !== null ? html`<p class="note ${this.tone("good")}" role="status">${this.asKnown(say("welcome.model.ready", { model: model.reference }))}</p>` : nothing}
      <welcome-model .page=${this.page} @connected=${() => void this.connected()}></welcome-model>
    `;
  }

  /** What comes next is in sight then. */
  private async connected(): Promise<void> {
    await this.load();
    await this.updateComplete;
    this.querySelector("[data-onwards]")?.scrollIntoView({ block: "nearest" });
  }

  private naming({ assistant }: SetupView): TemplateResult {
    const { say } = this;
    return html`
      ${this.head(say("welcome.name.head"))}
      <form class="form-grid" @submit=${(event: SubmitEvent) => void this.nameIt(event)}>
        <label class="field">
          <span class="label">${say("welcome.name.name")}</span>
          <input name="name" required maxlength="60" .value=${assistant.name ?? ""} autocomplete="off" />
        </label>
        <label class="field">
          <span class="label">${say("welcome.name.user")}</span>
          <input name="user" maxlength="60" .value=${assistant.user ?? ""} autocomplete="off" />
        </label>
        <div><button class="primary">${say("welcome.name.go")}</button></div>
      </form>
    `;
  }

  private telegram(): TemplateResult {
    const { say } = this;
    return html`
      ${this.head(say("welcome.telegram.head"))}
      <p class="soft">${say("welcome.telegram.intro")}</p>
      ${
        this.hadTelegram
          ? html`<p class="note good">${say("welcome.telegram.done")}</p>`
          : html`<add-channel
              .page=${this.page}
              .only=${"telegram"}
              @claimed=${() => void this.load()}
            ></add-channel>`
      }
    `;
  }

  private phone(): TemplateResult {
    const { say } = this;
    return html`
      ${this.head(say("welcome.phone.head"))}
      <p>${say("welcome.phone.intro")}</p>
      <p><a class="button" href="#/access">${say("welcome.phone.go")}</a></p>
    `;
  }

  private done({ model, service }: SetupView): TemplateResult {
    const { say } = this;
    return html`
      ${this.head(say("welcome.done.head"))}
      ${model.ready ? nothing : html`<p class="note warn">${say("welcome.done.no-model")}</p>`}
      <form class="stack" @submit=${(event: SubmitEvent) => void this.begin(event)}>
        <label class="field">
          <span class="label">${say("welcome.done.words")}</span>
          <input name="words" .value=${say("welcome.done.usual")} autocomplete="off" />
        </label>
        <div>
          <button class="primary" ?disabled=${this.isSending}>
            ${icon("send")} ${say("welcome.done.go")}
          </button>
        </div>
      </form>
      ${service.installed ? nothing : html`<p class="hint">${inlineCode(say("welcome.done.service"))}</p>`}
    `;
  }
}

customElements.define("view-welcome", WelcomeView);
