/**
 * `<chat-log .page .talk .notes .acts>`: the conversation, top to bottom. Only a window of it is in the DOM; the
 * window moves with scrolling, and visible rows keep their place.
 */
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../../parts/icon.ts";
import type { Page } from "../../shell/page.ts";
import { announce, type Announced } from "./announce.ts";
import type { RowActs } from "./row-acts.ts";
import { rowTemplate } from "./row-templates.ts";
import { keepPlace, moveDown, moveUp, windowAround, windowAtEnd, type RowWindow } from "./row-window.ts";
import { uploadsOf, type LocalNote, type Row, type UserRow } from "./row.ts";
import { createRowMaker } from "./rows.ts";
import { createScrollAnchor, type ScrollAnchor } from "./scroll-anchor.ts";
import type { Talk } from "./talk.ts";

/** What the conversation around the log does. */
export type LogActs = Pick<
  RowActs,
  | "mayWrite"
  | "mayAnswer"
  | "mayGrant"
  | "maySetUp"
  | "answering"
  | "edit"
  | "why"
  | "answer"
  | "takeBack"
  | "seen"
>;

/** How near to an end of what is in the page more is put there, in pixels. */
const nearEnd = 1200;
/** Rows that are left above when the page before is asked for. */
const fewRows = 60;

class ChatLog extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    talk: { attribute: false },
    notes: { attribute: false },
    acts: { attribute: false },
    openAsides: { state: true },
    hitSeq: { state: true },
  };

  declare page: Page;
  declare talk: Talk | undefined;
  declare notes: readonly LocalNote[];
  declare acts: LogActs;
  declare openAsides: ReadonlySet<number>;
  declare hitSeq: number;
  private makeRows = createRowMaker();
  private rows: Row[] = [];
  private shown: RowWindow = { from: 0, to: 0 };
  private anchor: ScrollAnchor | undefined;
  private announced: Announced | undefined;

  constructor() {
    super();
    this.notes = [];
    this.openAsides = new Set();
    this.hitSeq = 0;
  }

  /** From now on the end is followed. */
  stick(): void {
    this.anchor?.stick();
    this.requestUpdate();
  }

  /** Back to the newest. */
  async toLatest(): Promise<void> {
    await this.talk?.latest();
    this.shown = windowAtEnd(this.rows.length);
    this.stick();
  }

  /** To an entry, wherever it is; it is marked. */
  async jump(seq: number): Promise<void> {
    await this.talk?.around(seq);
    this.anchor?.unstick();
    this.requestUpdate();
    await this.updateComplete;
    const find = () => this.rows.findIndex((row) => isOf(row, seq));
    if (find() < 0) {
      const around = this.rows.findLast((row) => row.type === "aside" && row.from <= seq);
      if (around?.type === "aside") this.openAsides = new Set([...this.openAsides, around.from]);
      await this.updateComplete;
    }
    const at = find();
    if (at < 0) return;
    this.shown = windowAround(at, this.rows.length);
    this.hitSeq = seq;
    this.requestUpdate();
    await this.updateComplete;
    const row = this.querySelector<HTMLElement>(`[data-key="${CSS.escape(this.rows[at]?.key ?? "")}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
  }

  /** The last message that can be edited or answered again. */
  lastOwn(): UserRow | undefined {
    const last = this.rows.findLast((row) => row.type === "user");
    return last?.type === "user" && last.isOwn ? last : undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.anchor?.close();
    this.anchor = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("talk")) this.begin();
    const { talk, notes, openAsides } = this;
    if (!talk) return;
    const conversation = talk.conversation();
    const rows = this.makeRows({ conversation, pending: talk.pending(), notes, openAsides });
    const isAtEnd = (this.anchor?.isStuck() ?? true) && conversation.isAtEnd;
    const known = this.rows.findIndex((row, index) => index >= this.shown.from && isFixed(row));
    const key = this.rows[known]?.key;
    const at = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
    this.shown =
      at < 0 && !isAtEnd
        ? windowAround(rows.length - 1, rows.length)
        : keepPlace(this.shown, { before: at - known, count: rows.length, isAtEnd });
    this.rows = rows;
    this.announced = announce(this.announced, conversation, rows);
  }

  private begin(): void {
    this.makeRows = createRowMaker();
    this.rows = [];
    this.openAsides = new Set();
    this.hitSeq = 0;
    this.announced = undefined;
    this.anchor?.stick();
  }

  protected override updated(): void {
    const scroller = this.querySelector<HTMLElement>(".chat-scroll");
    if (scroller) this.anchor ??= createScrollAnchor(scroller, { scrolled: () => this.scrolled() });
    this.anchor?.keep();
    // What came may not be enough to scroll in.
    this.scrolled();
  }

  /** More of what is near is put into the page, and what is far goes. */
  private scrolled(): void {
    const { talk, anchor, rows } = this;
    if (!talk || !anchor) return;
    const { above, below } = anchor.distances();
    const isStuck = anchor.isStuck();
    if (above < nearEnd && this.shown.from > 0 && !isStuck) this.show(moveUp(this.shown, rows.length));
    else if (below < nearEnd && this.shown.to < rows.length) this.show(moveDown(this.shown, rows.length));
    const { before, isAtEnd } = talk.conversation();
    if (above < nearEnd && this.shown.from < fewRows && before !== null) void talk.older();
    if (below < nearEnd && this.shown.to >= rows.length && !isAtEnd) void talk.newer();
    this.toggleAttribute("data-above", !isStuck);
  }

  private show(shown: RowWindow): void {
    this.shown = shown;
    this.requestUpdate();
  }

  private toggleAside(from: number): void {
    const open = new Set(this.openAsides);
    if (!open.delete(from)) open.add(from);
    this.openAsides = open;
  }

  protected override render(): TemplateResult {
    const { say } = this.page;
    const { from, to } = this.shown;
    return html`
      <div class="chat-scroll" tabindex="0" role="log" aria-live="off" aria-label=${say("chat.log")}>
        <div class="chat-rows">
          ${this.edge()} ${this.rowList(this.rows.slice(from, to))} ${this.greeting()}
        </div>
      </div>
      <button type="button" class="chat-latest" @click=${() => void this.toLatest()}>
        ${icon("down")} ${say("chat.latest")}
      </button>
      <div class="visually-hidden" aria-live="polite">${this.announced?.text ?? ""}</div>
    `;
  }

  /** What stands above the first row. */
  private edge(): TemplateResult | typeof nothing {
    const { say } = this.page;
    const { talk, rows } = this;
    if (talk?.isOpen() !== true)
      return rows.length > 0 ? nothing : html`<p class="empty">${say("chat.loading")}</p>`;
    if (this.shown.from > 0 || talk.conversation().before === null) return nothing;
    return html`<p class="chat-edge small soft">${say("chat.older")}</p>`;
  }

  /** What stands where nothing has been said. */
  private greeting(): TemplateResult | typeof nothing {
    const { say } = this.page;
    if (this.talk?.isOpen() !== true || !this.rows.every(isFrame)) return nothing;
    return html`
      <div class="chat-empty">
        <p class="chat-empty-title">${say("chat.empty")}</p>
        <p class="soft">${say("chat.empty.hint")}</p>
      </div>
    `;
  }

  private rowList(rows: readonly Row[]): unknown {
    const { sessionId = null, sessionKey = "" } = this.talk?.conversation() ?? {};
    const acts: RowActs = {
      ...this.acts,
      page: this.page,
      sessionId: sessionId ?? sessionKey,
      isConnected: this.page.link.state().type === "connected",
      lastAsked: this.lastOwn(),
      toggleAside: (from) => this.toggleAside(from),
      refresh: () => void this.talk?.refresh(),
      goOn: (runId) => void this.talk?.goOn(runId),
      again: (key) => this.talk?.again(key),
      discard: (key) => this.talk?.discard(key),
      retry: (row) => {
        this.stick();
        this.talk?.retry(row.seq, { text: row.text, files: uploadsOf(row) });
      },
    };
    const { mayWrite, lastAsked, answering, isConnected } = acts;
    const shared = [this.page, mayWrite, lastAsked, acts.sessionId];
    return repeat(
      rows,
      ({ key }) => key,
      (row) => html`
        <div
          class="chat-row ${row.isAside ? "aside" : ""} ${this.hitSeq > 0 && isOf(row, this.hitSeq) ? "hit" : ""}"
          data-key=${row.key}
          tabindex="-1"
        >
          ${guard(
            [row, ...shared, row.type === "pending" && isConnected, row.type === "approval" && answering],
            () => rowTemplate(row, acts),
          )}
        </div>
      `,
    );
  }
}

/** Whether it shows the entry. */
const isOf = (row: Row, seq: number): boolean =>
  ("seq" in row && row.seq === seq) || ("resultSeq" in row && row.resultSeq === seq);

/** Whether it only says when something was said. */
const isFrame = ({ type }: Row): boolean => type === "day" || type === "begin";

/** Whether it stays before and behind the same rows; the name of a day moves up with the first row of it. */
const isFixed = ({ type }: Row): boolean => type !== "day" && type !== "aside";

export type Log = ChatLog;

if (!customElements.get("chat-log")) customElements.define("chat-log", ChatLog);
