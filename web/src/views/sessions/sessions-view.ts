/** All stored sessions: to find, name, summarise, export and delete. `#/sessions/<id>` is one of them. */
import type { EventTopic, SessionView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { count } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import { empty } from "../../parts/empty.ts";
import { View } from "../../shell/view.ts";
import { addPage, mergeFirstPage } from "./merge-pages.ts";
import { renameDialog } from "./rename-dialog.ts";
import { createSessionActions, type SessionActions } from "./session-actions.ts";
import "./session-detail.ts";
import { asked, noFilter, sessionFilter, type Filter } from "./session-filter.ts";
import { sessionRow } from "./session-row.ts";
import "../usage/series.css";
import "./sessions.css";
import { isNearEnd, visibleRows, type RowRange, type Sight } from "./visible-rows.ts";

/** The first page is small, so that it is there at once. */
const firstPage = 60;
const furtherPage = 400;
const typingPauseMs = 200;

class SessionsView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    rows: { state: true },
    next: { state: true },
    filter: { state: true },
    isLoaded: { state: true },
    range: { state: true },
    renamed: { state: true },
    agents: { state: true },
    channels: { state: true },
  };

  declare rows: SessionView[];
  declare next: string | null;
  declare filter: Filter;
  declare isLoaded: boolean;
  declare range: RowRange;
  /** The one that is being given a name. */
  declare renamed: SessionView | undefined;
  declare agents: string[];
  declare channels: string[];
  private isReading = false;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private scroller: HTMLElement | undefined;
  private scrolledTo = 0;
  private actions: SessionActions | undefined;

  constructor() {
    super();
    this.rows = [];
    this.next = null;
    this.filter = noFilter;
    this.isLoaded = false;
    this.range = { first: 0, end: 0 };
    this.agents = [];
    this.channels = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.actions = createSessionActions({
      page: this.page,
      ask: (method, params) => this.ask(method, params),
      rename: (session) => (this.renamed = session),
    });
    const scroller = this.closest<HTMLElement>(".shell-content") ?? document.documentElement;
    this.scroller = scroller;
    scroller.addEventListener("scroll", this.look, { passive: true });
    this.until(() => scroller.removeEventListener("scroll", this.look));
    const sizes = new ResizeObserver(this.look);
    sizes.observe(scroller);
    this.until(() => sizes.disconnect());
    void this.knowNames();
  }

  protected override watched(): readonly EventTopic[] {
    return ["sessions", "runs"];
  }

  /** The first page anew; what was read behind it stays. */
  protected override async load(): Promise<void> {
    const { filter } = this;
    const page = await this.ask("sessions.list", { limit: firstPage, openings: true, ...asked(filter) });
    if (!page || filter !== this.filter) return;
    const known = this.isLoaded ? this.rows : [];
    this.rows = mergeFirstPage(known, page.sessions, page.next === null);
    if (this.rows.length <= firstPage || page.next === null) this.next = page.next;
    this.isLoaded = true;
  }

  private async readMore(): Promise<void> {
    const { next, filter } = this;
    if (next === null || this.isReading) return;
    this.isReading = true;
    const page = await this.ask("sessions.list", {
      limit: furtherPage,
      openings: true,
      after: next,
      ...asked(filter),
    });
    this.isReading = false;
    // What was chosen meanwhile waits for its own.
    if (filter !== this.filter) return this.look();
    if (!page) return;
    this.rows = addPage(this.rows, page.sessions);
    this.next = page.next;
  }

  /** What can be chosen from. */
  private async knowNames(): Promise<void> {
    const agents = await this.page.link
      .request("agents.list", {}, { signal: this.signal })
      .catch(() => undefined);
    const channels = await this.page.link
      .request("channels.list", {}, { signal: this.signal })
      .catch(() => undefined);
    this.agents = agents ? agents.agents.map(({ id }) => id) : [];
    this.channels = channels ? [...new Set(channels.channels.map(({ channel }) => channel))] : [];
  }

  private choose(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.isLoaded = false;
    this.rows = [];
    this.next = null;
    this.scroller?.scrollTo({ top: 0 });
    void this.load();
  }

  private readonly typed = (event: Event): void => {
    const search = (event.target as HTMLInputElement).value.trim();
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.choose({ search }), typingPauseMs);
  };

  private sight(): Sight | undefined {
    const list = this.querySelector<HTMLElement>(".session-list");
    if (!list || !this.scroller) return undefined;
    const top = list.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
    const rowHeight = Number.parseFloat(getComputedStyle(list).getPropertyValue("--row-height")) || 60;
    return { scrolled: -top, height: this.scroller.clientHeight, rowHeight, count: this.rows.length };
  }

  private readonly look = (): void => {
    const sight = this.sight();
    if (!sight) return;
    this.scrolledTo = this.scroller?.scrollTop ?? 0;
    const { first, end } = visibleRows(sight);
    if (first !== this.range.first || end !== this.range.end) this.range = { first, end };
    if (isNearEnd(sight)) void this.readMore();
  };

  protected override updated(changed: PropertyValues): void {
    if (changed.has("rest") && this.rest === "") this.scroller?.scrollTo({ top: this.scrolledTo });
    if (changed.has("rest") && this.rest !== "") this.scroller?.scrollTo({ top: 0 });
    if (changed.has("rows") || changed.has("rest") || changed.has("next")) this.look();
  }

  protected override render(): TemplateResult {
    return html`
      ${this.rest === "" ? this.list() : this.detail()}
      ${renameDialog({
        session: this.renamed,
        say: this.say,
        save: (label) => void this.saveName(label),
        leave: () => (this.renamed = undefined),
      })}
    `;
  }

  private detail(): TemplateResult {
    return html`
      <session-detail .page=${this.page} .sessionId=${this.rest} .actions=${this.actions}></session-detail>
    `;
  }

  private list(): TemplateResult {
    const { say } = this;
    const isFiltered = this.filter !== noFilter && Object.values(this.filter).some((value) => value !== "");
    const nobody = isFiltered ? say("sessions.no-match") : say("sessions.none");
    return html`
      <header class="page-head">
        <div class="grow">
          <h1>${say("sessions.title")}</h1>
          <p class="soft">${say("sessions.about")}</p>
        </div>
      </header>
      ${this.toolbar()} ${this.isLoaded && this.rows.length === 0 ? empty(nobody) : this.rowsSeen()}
      ${this.next === null ? nothing : html`<p class="empty">${say("sessions.loading-more")}</p>`}
    `;
  }

  private toolbar(): TemplateResult {
    const { say } = this;
    const shown = say(this.next === null ? "sessions.shown" : "sessions.shown-more", {
      count: count(this.rows.length, this.page.language),
    });
    return sessionFilter({
      filter: this.filter,
      rows: this.rows,
      agents: this.agents,
      channels: this.channels,
      told: this.isLoaded ? shown : "",
      say,
      typed: this.typed,
      choose: (change) => this.choose(change),
    });
  }

  private rowsSeen(): TemplateResult {
    const { first, end } = this.range;
    const seen = this.rows.slice(first, end);
    return html`
      <ul
        class="session-list"
        aria-label=${this.say("sessions.list")}
        ${cssVariables({ "--rows": String(this.rows.length) })}
      >
        ${repeat(
          seen,
          ({ sessionId }) => sessionId,
          (session, index) =>
            sessionRow({
              session,
              place: first + index,
              ofAll: this.next === null ? this.rows.length : -1,
              page: this.page,
              actions: this.actions,
            }),
        )}
      </ul>
    `;
  }

  private async saveName(label: string): Promise<void> {
    const session = this.renamed;
    if (!session) return;
    const saved = await this.ask("sessions.rename", { sessionKey: session.sessionId, label });
    if (!saved) return;
    this.renamed = undefined;
    this.page.tell(this.say("sessions.renamed"), "good");
    await this.load();
  }
}

if (!customElements.get("view-sessions")) customElements.define("view-sessions", SessionsView);
