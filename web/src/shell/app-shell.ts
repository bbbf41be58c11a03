/** The page: signs in, keeps the connection, and puts the view of the address between the navigation and the notices. */
import type { GatewayLink, LinkState } from "@pincer/sdk/client";
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import "../parts/dialog.ts";
import { icon } from "../parts/icon.ts";
import { createSay, type Language, type Say, type TextKey } from "../texts/texts.ts";
import { takeCode } from "../views/sign-in/take-code.ts";
import { refusalWords, whyWords } from "../views/sign-in/why-words.ts";
import { askFirst } from "./ask-first.ts";
import { askStanding, openLink, pageVersion, type Standing } from "./connect.ts";
import { forgetUnsent } from "./forget-unsent.ts";
import type { Page } from "./page.ts";
import { routeOf, routes, type Route } from "./routes.ts";
import { applySettings, keepSettings, readSettings, type Settings, type Theme } from "./settings.ts";
import type { PageToasts } from "./toasts.ts";
import "./toasts.ts";
import type { View } from "./view.ts";

const askAgainMs = 3000;

export class PincerApp extends LitElement {
  static override properties: PropertyDeclarations = {
    standing: { state: true },
    linkState: { state: true },
    settings: { state: true },
    isMenuOpen: { state: true },
    areNoticesOpen: { state: true },
    needs: { state: true },
    lacksModel: { state: true },
  };

  declare standing: Standing | undefined;
  declare linkState: LinkState;
  declare settings: Settings;
  declare isMenuOpen: boolean;
  declare areNoticesOpen: boolean;
  /** How much waits for whoever is signed in. */
  declare needs: number;
  /** Nobody answers yet but tools that are called by name. */
  declare lacksModel: boolean;
  /** A one-time code that came with the address. */
  private code: string | undefined;
  /** Why somebody who was in is not any more. */
  private why: TextKey | undefined;
  private link: GatewayLink | undefined;
  private page: Page | undefined;
  private shown: { route: Route; rest: string; view: HTMLElement } | undefined;
  private readonly gapListeners = new Set<() => void>();

  constructor() {
    super();
    this.linkState = { type: "connecting" };
    this.settings = readSettings(localStorage, navigator.language);
    this.isMenuOpen = false;
    this.areNoticesOpen = false;
    this.needs = 0;
    this.lacksModel = false;
    applySettings(document.documentElement, this.settings);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.addressChanged);
    addEventListener("online", () => this.link?.retry());
    void this.find();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Whether somebody is signed in; a one-time code in the address is for the sign-in view alone. */
  private async find(): Promise<void> {
    this.code = takeCode(location, history) ?? this.code;
    const found = await askStanding();
    const standing: Standing =
      this.code === undefined ? found : { type: "out", asks: found.type === "out" ? found.asks : "token" };
    // Before it is shown: what it is handed must be there when it begins.
    if (standing.type === "out") await import("../views/sign-in/sign-in-view.ts");
    this.standing = standing;
    if (standing.type === "away") setTimeout(() => void this.find(), askAgainMs);
    if (standing.type !== "in") return;
    if (this.why === undefined) this.connect();
    // Another version would be refused again, and whoever was refused for something else is not to knock without a pause.
    else if (this.why !== "why.other-version") setTimeout(this.connectAgain, askAgainMs);
  }

  private readonly connectAgain = (): void => {
    if (this.standing?.type === "in" && !this.link) this.connect();
  };

  private connect(): void {
    this.link?.close();
    this.link = openLink({
      onState: (state) => this.linkChanged(state),
      onGap: () => {
        for (const listener of this.gapListeners) listener();
      },
    });
  }

  private linkChanged(state: LinkState): void {
    this.linkState = state;
    if (state.type === "connected") this.welcomed(state.welcome.caller);
    if (state.type === "refused") {
      this.why = refusalWords(state.error);
      this.leave();
      void this.find();
    }
  }

  private welcomed(me: Page["me"]): void {
    const isFirst = this.page === undefined;
    if (!this.link) return;
    this.why = undefined;
    this.page = { ...this.makePage(this.link), me };
    if (!isFirst) return;
    void this.showAddress();
    void this.followNeeds();
    this.followModel();
  }

  private makePage(link: GatewayLink): Omit<Page, "me"> {
    return {
      link,
      say: this.say,
      language: this.settings.language,
      go: (path) => void (location.hash = `#${path}`),
      tell: (text, kind = "good") => this.querySelector<PageToasts>("page-toasts")?.tell(text, kind),
      confirm: (question, options = {}) => askFirst(this, question, options, this.say),
      onGap: (listener) => {
        this.gapListeners.add(listener);
        return () => void this.gapListeners.delete(listener);
      },
    };
  }

  private get say(): Say {
    return createSay(this.settings.language);
  }

  private leave(): void {
    this.link?.close();
    this.link = undefined;
    this.page = undefined;
    this.shown = undefined;
    this.needs = 0;
  }

  private readonly addressChanged = (): void => {
    if (hasCode()) {
      this.leave();
      void this.find();
      return;
    }
    this.isMenuOpen = false;
    void this.showAddress();
  };

  private async showAddress(): Promise<void> {
    const { page } = this;
    const found = routeOf(location.hash);
    if (!page || !found) {
      this.shown = undefined;
      this.requestUpdate();
      return;
    }
    const { route, rest } = found;
    try {
      await route.load();
    } catch {
      page.tell(this.say("shell.view-failed"), "bad");
      return;
    }
    const now = routeOf(location.hash);
    // Another one by now where the connection was made anew meanwhile.
    const { page: current } = this;
    if (now?.route !== route || now.rest !== rest || !current) return;
    const isSame = this.shown?.route === route;
    const view = (isSame && this.shown ? this.shown.view : document.createElement(route.tag)) as View;
    view.page = current;
    view.rest = rest;
    this.shown = { route, rest, view };
    document.title = `${this.say(route.title)} · Pincer`;
    this.requestUpdate();
    await this.updateComplete;
    if (!isSame) this.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }

  /** Keeps the count at the bell true. */
  private async followNeeds(): Promise<void> {
    const { page } = this;
    if (!page) return;
    const { followNeeds } = await import("../views/notices/notices-panel.ts");
    followNeeds(page, (count) => {
      if (this.page?.link === page.link) this.needs = count;
    });
  }

  /** Whoever may connect a model is told while there is none. */
  private followModel(): void {
    const { page, link } = this;
    if (!page || !link || link.state().type !== "connected") return;
    const look = async (): Promise<void> => {
      try {
        const { done, model } = await link.request("setup.status", { language: page.language });
        if (this.link === link) this.lacksModel = !done && !model.ready;
      } catch {
        // Not everybody may ask; then nothing is said.
        this.lacksModel = false;
      }
    };
    link.subscribe(["config"], () => void look());
    void look();
  }

  private readonly signedIn = (): void => {
    this.code = undefined;
    this.why = undefined;
    void this.find();
  };

  private readonly signOut = async (): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/sign-out", { method: "POST", headers, body: "{}" }).catch(
      () => undefined,
    );
    // Whoever believes to be out, and is not, leaves the door open.
    if (!answer?.ok) return void this.page?.tell(this.say("shell.sign-out.failed"), "bad");
    this.leave();
    // Only now: a view that goes keeps what was being written.
    await this.updateComplete;
    forgetUnsent(localStorage);
    await this.find();
  };

  private choose(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    keepSettings(localStorage, this.settings);
    applySettings(document.documentElement, this.settings);
    if (change.language === undefined || !this.page || !this.link) return;
    // Made anew, so that every word is said again.
    this.page = { ...this.makePage(this.link), me: this.page.me };
    this.shown = undefined;
    void this.showAddress();
  }

  protected override render(): TemplateResult {
    const { say, standing } = this;
    if (standing?.type === "out") return this.signInPage(standing.asks);
    if (!this.page && standing?.type === "in" && this.why === "why.other-version") return this.otherVersion();
    if (!this.page) {
      const text = standing?.type === "away" ? say("shell.unreachable") : say("shell.starting");
      return html`<main class="empty" id="main" role="status">${text}</main>`;
    }
    return html`
      <a class="skip button" href="#main" @click=${this.skip}>${say("shell.skip")}</a>
      <div class="shell">
        ${this.navigation()}
        ${
          this.isMenuOpen
            ? html`<div class="shell-shade" @click=${() => (this.isMenuOpen = false)}></div>`
            : nothing
        }
        <div class="shell-main">
          <div class="shell-top">${this.bar()} ${this.banner()}</div>
          <main id="main" tabindex="-1" class="shell-content ${this.shown?.route.fills ? "fills" : ""}">
            ${this.shown ? this.shown.view : html`<p class="empty">${this.nothingHere()}</p>`}
          </main>
        </div>
      </div>
      ${this.notices()}
      <page-toasts closeLabel=${say("shell.close")}></page-toasts>
    `;
  }

  private otherVersion(): TemplateResult {
    return html`
      <main class="empty" id="main" role="alert">
        <p>${this.say("why.other-version")}</p>
        <button type="button" class="primary" @click=${() => location.reload()}>
          ${this.say("shell.reload")}
        </button>
      </main>
    `;
  }

  private nothingHere(): string {
    return routeOf(location.hash) ? this.say("shell.loading") : this.say("shell.nothing-here");
  }

  private readonly skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>("#main")?.focus();
  };

  private signInPage(asks: string): TemplateResult {
    return html`
      <view-sign-in
        .say=${this.say}
        .language=${this.settings.language}
        .asks=${asks}
        .code=${this.code}
        .why=${this.why}
        @signed-in=${this.signedIn}
      ></view-sign-in>
      <div class="sign-in-settings">${this.languages()}</div>
      <page-toasts closeLabel=${this.say("shell.close")}></page-toasts>
    `;
  }

  private bell(): TemplateResult {
    const { say, needs } = this;
    const label = needs > 0 ? say("shell.notices.count", { count: needs }) : say("shell.notices");
    return html`
      <button
        type="button"
        class="quiet icon-only bell"
        aria-label=${label}
        title=${label}
        @click=${() => (this.areNoticesOpen = true)}
      >
        ${icon("bell")} ${needs > 0 ? html`<span class="count" aria-hidden="true">${needs}</span>` : nothing}
      </button>
    `;
  }

  private bar(): TemplateResult {
    const { say } = this;
    return html`
      <header class="shell-bar">
        <button
          type="button"
          class="quiet icon-only"
          aria-label=${say("shell.menu")}
          aria-expanded=${this.isMenuOpen ? "true" : "false"}
          @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
        >
          ${icon("menu")}
        </button>
        <strong>${this.shown ? say(this.shown.route.title) : "Pincer"}</strong>
        ${this.bell()}
      </header>
    `;
  }

  private banner(): TemplateResult | typeof nothing {
    const { say, linkState } = this;
    if (linkState.type === "connected" && linkState.welcome.version !== pageVersion)
      return html`
        <div class="shell-banner" role="status">
          <span>${say("shell.newer", { version: linkState.welcome.version })}</span>
          <button type="button" @click=${() => location.reload()}>${say("shell.reload")}</button>
        </div>
      `;
    if (linkState.type === "connected") return this.lacksModel ? this.modelHint() : nothing;
    if (linkState.type !== "waiting") return nothing;
    return html`
      <div class="shell-banner bad" role="status">
        <span>${say("shell.waiting", { why: whyWords(linkState.why, say) })}</span>
        <button type="button" @click=${() => this.link?.retry()}>${say("shell.retry")}</button>
      </div>
    `;
  }

  private modelHint(): TemplateResult | typeof nothing {
    if (this.shown?.route.name === "welcome") return nothing;
    return html`
      <div class="shell-banner" role="status">
        <span>${this.say("shell.no-model")}</span>
        <a class="button" href="#/welcome">${this.say("shell.connect-model")}</a>
      </div>
    `;
  }

  private navigation(): TemplateResult {
    const { say } = this;
    return html`
      <nav class="shell-nav ${this.isMenuOpen ? "open" : ""}" aria-label=${say("shell.navigation")}>
        <div class="shell-brand">
          <img src="/favicon.svg" alt="" /> <span class="grow">Pincer</span> ${this.bell()}
        </div>
        <ul class="shell-links">
          ${routes
            .filter((route) => !route.isHidden)
            .map(
              (route) => html`
                <li>
                  <a
                    href="#/${route.name}"
                    aria-current=${this.shown?.route === route ? "page" : nothing}
                    @click=${() => (this.isMenuOpen = false)}
                  >
                    ${icon(route.icon)} <span class="grow">${say(route.title)}</span>
                  </a>
                </li>
              `,
            )}
        </ul>
        <div class="shell-nav-end">
          <ul class="shell-links">
            <li>
              <a href="#/welcome">${icon("star")} <span>${say("nav.welcome")}</span></a>
            </li>
            <li>
              <a href="/docs" target="_blank" rel="noopener"
                >${icon("book")} <span>${say("shell.docs")}</span></a
              >
            </li>
          </ul>
          <button type="button" class="quiet shell-exit" @click=${this.signOut}>
            ${icon("exit")} ${say("shell.sign-out")}
          </button>
          <div class="shell-settings">${this.themes()} ${this.languages()}</div>
        </div>
      </nav>
    `;
  }

  private themes(): TemplateResult {
    const { say, settings } = this;
    const themes: Theme[] = ["auto", "light", "dark"];
    return html`
      <select
        aria-label=${say("shell.theme")}
        @change=${(event: Event) =>
          this.choose({ theme: (event.target as HTMLSelectElement).value as Theme })}
      >
        ${themes.map(
          (theme) => html`
            <option value=${theme} ?selected=${settings.theme === theme}>
              ${say(`shell.theme.${theme}`)}
            </option>
          `,
        )}
      </select>
    `;
  }

  private languages(): TemplateResult {
    const { say, settings } = this;
    return html`
      <select
        aria-label=${say("shell.language")}
        @change=${(event: Event) =>
          this.choose({ language: (event.target as HTMLSelectElement).value as Language })}
      >
        <option value="en" lang="en" ?selected=${settings.language === "en"}>English</option>
        <option value="zh" lang="zh-CN" ?selected=${settings.language === "zh"}>中文</option>
      </select>
    `;
  }

  private notices(): TemplateResult {
    const { say, page } = this;
    return html`
      <p-dialog
        .heading=${say("shell.notices")}
        .closeLabel=${say("shell.close")}
        ?open=${this.areNoticesOpen}
        .content=${html`<notices-panel
          .page=${page}
          @chosen=${() => (this.areNoticesOpen = false)}
        ></notices-panel>`}
        @closed=${() => (this.areNoticesOpen = false)}
      ></p-dialog>
    `;
  }
}

/** A one-time code to sign in with. */
const hasCode = (): boolean => new URLSearchParams(location.hash.slice(1)).has("code");
