/** The page: signs in, keeps the connection, and puts the view of the address between the navigation and the notices. */
import type { LinkState } from "@pincer/sdk/client";
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { createSay, type Say, type TextKey } from "../texts/texts.ts";
import { askAboutLink } from "../views/sign-in/ask-about-link.ts";
import { isOwnLink, readCodeLink, type GivenCode } from "../views/sign-in/code-link.ts";
import type { Words } from "../views/sign-in/sign-in-words.ts";
import { takeCode } from "../views/sign-in/take-code.ts";
import { refusalWords } from "../views/sign-in/why-words.ts";
import { askFirst } from "./ask-first.ts";
import { banner } from "./banner.ts";
import { bar } from "./bar.ts";
import { noticeButton, noticesDialog } from "./notice-button.ts";
import { askStanding, endSession, type Standing } from "./connect.ts";
import { createConnection, type ShellServices } from "./connection.ts";
import { followModel } from "./follow-model.ts";
import { forgetUnsent } from "./forget-unsent.ts";
import { navigation } from "./navigation.ts";
import { otherVersion } from "./other-version.ts";
import type { Page } from "./page.ts";
import { rightsOf } from "./rights.ts";
import { languageChoice, type SettingsContext } from "./settings-choice.ts";
import { applySettings, keepSettings, readSettings, type Settings } from "./settings.ts";
import { shownContent } from "./shown-content.ts";
import type { PageToasts } from "./toasts.ts";
import "./toasts.ts";
import { createViewPlace } from "./view-place.ts";

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
  /** How much waits for the signed-in person. */
  declare needs: number;
  /** Nobody answers yet but tools that are called by name. */
  declare lacksModel: boolean;
  /** A one-time code that came with the address, and is to be used. */
  private given: GivenCode | undefined;
  /** Whether the question about the link is open. */
  private isAsking = false;
  /** What to show after sign-in. */
  private news: { text: string; kind: "good" | "bad" } | undefined;
  /** Why the person was signed out. */
  private why: TextKey | undefined;
  private readonly connection = createConnection({ onState: (state) => this.linkChanged(state) });
  private page: Page | undefined;
  private readonly place = createViewPlace({
    page: () => this.page,
    hash: () => location.hash,
    onChange: () => this.requestUpdate(),
  });

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
    addEventListener("online", () => this.connection.link()?.retry());
    void this.find();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Whether there is a session; a one-time code in the address is for the sign-in view alone. */
  private async find(): Promise<void> {
    this.given = takeCode(location, history) ?? this.given;
    const found = await askStanding();
    // The open question also covers a link that is opened meanwhile.
    if (this.isAsking) return;
    if (found.type === "in" && this.given && !(await this.isToReplace(found.role, this.given)))
      this.given = undefined;
    const standing: Standing =
      this.given && found.type !== "away"
        ? { type: "out", asks: found.type === "out" ? found.asks : "token" }
        : found;
    // Before it is shown: what it is handed must be there when it begins.
    if (standing.type === "out") {
      await import("../views/sign-in/sign-in-view.ts");
      this.leave();
    }
    this.standing = standing;
    if (standing.type === "away") setTimeout(() => void this.find(), askAgainMs);
    if (standing.type !== "in") return;
    if (this.page) this.tellNews();
    else if (this.why === undefined) this.connection.open();
    // Another version would be refused again; after other refusals reconnect with a pause.
    else if (this.why !== "why.other-version") setTimeout(this.connectAgain, askAgainMs);
  }

  /** Whether a link may replace a valid session. A no does not use up the link. */
  private async isToReplace(role: string, given: GivenCode): Promise<boolean> {
    const { say } = this;
    if (isOwnLink(role, given)) {
      this.news = { text: say("sign-in.link.kept"), kind: "good" };
      return false;
    }
    this.isAsking = true;
    const answer = await askAboutLink(this, role, say);
    this.isAsking = false;
    return answer;
  }

  private tellNews(): void {
    const { news } = this;
    this.news = undefined;
    if (news) void this.updateComplete.then(() => this.page?.tell(news.text, news.kind));
  }

  private readonly connectAgain = (): void => {
    if (this.standing?.type === "in" && !this.connection.link()) this.connection.open();
  };

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
    const page = this.connection.pageFor(me, this.services());
    if (!page) return;
    this.why = undefined;
    this.page = page;
    this.tellNews();
    if (!isFirst) return;
    void this.showAddress();
    void this.followNeeds();
    this.followModel();
  }

  private services(): ShellServices {
    return {
      say: this.say,
      language: this.settings.language,
      go: (path) => void (location.hash = `#${path}`),
      tell: (text, kind = "good") => this.toasts?.tell(text, kind),
      confirm: (question, options = {}) => askFirst(this, question, options, this.say),
    };
  }

  private get say(): Say {
    return createSay(this.settings.language);
  }

  private leave(): void {
    this.connection.close();
    this.page = undefined;
    this.place.clear();
    this.needs = 0;
    this.lacksModel = false;
  }

  private readonly addressChanged = (event: HashChangeEvent): void => {
    if (readCodeLink(location.hash)) {
      void this.find();
      // On a no the page stays where it was.
      if (this.page) history.replaceState(null, "", event.oldURL);
      return;
    }
    this.isMenuOpen = false;
    void this.showAddress();
  };

  private async showAddress(): Promise<void> {
    const { route } = this.place.shown() ?? {};
    const isOther = await this.place.show();
    const shown = this.place.shown();
    if (route && shown?.route !== route) this.toasts?.leaveView();
    if (shown) document.title = `${this.say(shown.route.title)} · Pincer`;
    await this.updateComplete;
    if (isOther) this.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }

  private get toasts(): PageToasts | null {
    return this.querySelector<PageToasts>("page-toasts");
  }

  /** Keeps the count of the notice button current. */
  private async followNeeds(): Promise<void> {
    const { page } = this;
    if (!page) return;
    const { followNeeds } = await import("../views/notices/notices-panel.ts");
    followNeeds(page, (count) => {
      if (this.page?.link === page.link) this.needs = count;
    });
  }

  /** Shows a hint while there is no model, to people who may connect one. */
  private followModel(): void {
    const { page, connection } = this;
    const link = connection.link();
    if (!page || !link || link.state().type !== "connected" || !rightsOf(page.me).maySetUp) return;
    followModel(link, page.language, (lacksModel) => {
      if (connection.link() === link) this.lacksModel = lacksModel;
    });
  }

  /** `detail`: why a link was useless although the person is signed in. */
  private readonly signedIn = ({ detail: failed }: CustomEvent<Words | null>): void => {
    this.given = undefined;
    this.why = undefined;
    if (failed) this.news = { text: this.say(failed.key, failed.parameters), kind: "bad" };
    void this.find();
  };

  private readonly signOut = async (): Promise<void> => {
    // A failed sign-out must be reported, or the session stays open unnoticed.
    if (!(await endSession())) return void this.page?.tell(this.say("shell.sign-out.failed"), "bad");
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
    if (change.language === undefined || !this.page) return;
    // Rebuilt, so that every text is translated again.
    this.page = this.connection.pageFor(this.page.me, this.services());
    this.place.clear();
    void this.showAddress();
  }

  protected override render(): TemplateResult {
    const { say, standing } = this;
    if (standing?.type === "out") return this.signInPage(standing.asks);
    if (!this.page && standing?.type === "in" && this.why === "why.other-version") return otherVersion(say);
    if (!this.page) {
      const text = standing?.type === "away" ? say("shell.unreachable") : say("shell.starting");
      return html`<main class="empty" id="main" role="status">${text}</main>`;
    }
    const shown = this.place.shown();
    return html`
      <a class="skip button" href="#main" @click=${this.skip}>${say("shell.skip")}</a>
      <div class="shell">
        ${navigation({
          ...this.settingsContext,
          route: shown?.route,
          isOpen: this.isMenuOpen,
          maySetUp: rightsOf(this.page.me).maySetUp,
          noticeButton: this.noticeButton(),
          close: this.closeMenu,
          signOut: () => void this.signOut(),
        })}
        ${this.isMenuOpen ? html`<div class="shell-shade" @click=${this.closeMenu}></div>` : nothing}
        <div class="shell-main">
          <div class="shell-top">
            ${this.bar()} ${this.banner()}
            <page-toasts closeLabel=${say("shell.close")}></page-toasts>
          </div>
          <main id="main" tabindex="-1" class="shell-content ${shown?.route.fills ? "fills" : ""}">
            ${shownContent(shown, say, () => void this.showAddress())}
          </main>
        </div>
      </div>
      ${noticesDialog({
        page: this.page,
        isOpen: this.areNoticesOpen,
        close: () => (this.areNoticesOpen = false),
      })}
    `;
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
        .code=${this.given?.code}
        .why=${this.why}
        @signed-in=${this.signedIn}
      ></view-sign-in>
      <div class="sign-in-settings">${languageChoice(this.settingsContext)}</div>
    `;
  }

  private noticeButton(): TemplateResult {
    const { say, needs } = this;
    const isLost = this.linkState.type !== "connected";
    return noticeButton({ needs, isLost, say, open: () => (this.areNoticesOpen = true) });
  }

  private bar(): TemplateResult {
    const { say, isMenuOpen } = this;
    const shown = this.place.shown();
    return bar({
      title: shown ? say(shown.route.title) : "Pincer",
      isMenuOpen,
      noticeButton: this.noticeButton(),
      say,
      toggleMenu: () => (this.isMenuOpen = !isMenuOpen),
    });
  }

  private banner(): TemplateResult | typeof nothing {
    const { linkState, say } = this;
    const lacksModel = this.lacksModel && this.place.shown()?.route.name !== "welcome";
    return banner({ linkState, lacksModel, say, retry: () => this.connection.link()?.retry() });
  }

  private get settingsContext(): SettingsContext {
    return { settings: this.settings, say: this.say, choose: (change) => this.choose(change) };
  }

  private readonly closeMenu = (): void => {
    this.isMenuOpen = false;
  };
}
