/** `#/chat`: a conversation. What is said goes by the talk, what is shown by the log; commands, edits and shortcuts meet here. */
import { typedAlone, type ApprovalScope, type Spoken, type TapeHitView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { rightsOf, type Rights } from "../../shell/rights.ts";
import { View } from "../../shell/view.ts";
import "../../style/chat.css";
import "../../style/control.css";
import { createChatCommands } from "./chat-commands.ts";
import { noFacts, readSession, readUsual, type ChatFacts } from "./chat-facts.ts";
import { keyName } from "../sessions/session-name.ts";
import { chatHead } from "./chat-head.ts";
import { chatKeyOf } from "./chat-keys.ts";
import type { Log, LogActs } from "./chat-log.ts";
import "./chat-log.ts";
import type { Overlays } from "./chat-overlays.ts";
import "./chat-overlays.ts";
import { isCommand } from "./completion.ts";
import type { ComposedWords, Composer } from "./composer.ts";
import "./composer.ts";
import { createFileDrop } from "./file-drop.ts";
import { makeKey } from "./make-key.ts";
import { createPendingStore, type PendingStore } from "./pending.ts";
import { uploadsOf, type UserRow } from "./row.ts";
import "./search-panel.ts";
import { openTalk, type Talk } from "./talk.ts";

class ChatView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    facts: { state: true },
    editing: { state: true },
    answering: { state: true },
    isSearching: { state: true },
  };

  declare facts: ChatFacts;
  /** The message that is being said differently. */
  declare editing: UserRow | undefined;
  /** The question that is being answered. */
  declare answering: string | undefined;
  declare isSearching: boolean;
  private readonly drop = createFileDrop({
    place: this,
    mayDrop: () => this.rights.mayWrite,
    onChange: () => this.requestUpdate(),
    onFiles: (files) => {
      this.composer?.addFiles(files);
      this.composer?.focus();
    },
  });
  private readonly chatCommands = createChatCommands({
    page: () => this.page,
    talk: () => this.talk,
    showUndo: () => void this.overlays?.showUndo(this.rest),
    showModels: () => void this.openModels(),
    ran: () => void this.loadSession(),
    onChange: () => this.requestUpdate(),
  });
  private talk: Talk | undefined;
  private talkOf: string | undefined;
  private isDrawn = true;
  /** Where to go in a session that is being opened. */
  private jumpTo: { session: string; seq: number } | undefined;

  constructor() {
    super();
    this.facts = noFacts;
    this.isSearching = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.pressedAnywhere);
    this.until(() => removeEventListener("keydown", this.pressedAnywhere));
    this.until(this.page.onGap(() => void this.talk?.refresh()));
    // It shows on what waits for the connection.
    this.until(this.page.onLink(() => this.drawSoon()));
    this.until(() => {
      this.talk?.close();
      this.talk = undefined;
      this.talkOf = undefined;
    });
  }

  protected override async load(): Promise<void> {
    const usual = await readUsual(this.page, this.signal);
    this.facts = { ...this.facts, ...usual };
  }

  private async loadSession(): Promise<void> {
    const sessionId = this.talk?.conversation().sessionId;
    // One in which nothing has been said is not there yet.
    if (!sessionId) return;
    const session = await readSession(this.page, sessionId, this.signal);
    this.facts = { ...this.facts, session };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.isConnected && this.talkOf !== this.rest) this.enterTalk();
  }

  private enterTalk(): void {
    this.talk?.close();
    this.talkOf = this.rest;
    this.chatCommands.clear();
    this.facts = { ...this.facts, session: undefined };
    this.editing = undefined;
    let known = "";
    this.talk = openTalk({
      link: this.page.link,
      session: this.rest,
      store: this.store,
      makeKey,
      now: () => new Date().toISOString(),
      onTrouble: (error) => this.page.tell(this.failureWords(error), "bad"),
      language: () => this.page.language,
      onCommand: (line, output) => void this.chatCommands.answered(line, output),
      onChange: () => {
        this.drawSoon();
        const { sessionId } = this.talk?.conversation() ?? {};
        if (!sessionId || sessionId === known) return;
        known = sessionId;
        void this.loadSession();
        void this.arrive();
      },
    });
    this.composer?.dropFiles();
    void this.updateComplete.then(() => this.composer?.put(this.store.draft(this.rest)));
  }

  /** At the hit of a search in another session. */
  private async arrive(): Promise<void> {
    const { jumpTo } = this;
    if (jumpTo?.session !== this.rest) return;
    this.jumpTo = undefined;
    await this.updateComplete;
    await this.log?.jump(jumpTo.seq);
  }

  /** Once for all that comes before the next frame. */
  private drawSoon(): void {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    requestAnimationFrame(() => {
      this.isDrawn = true;
      this.requestUpdate();
      this.log?.requestUpdate();
    });
  }

  private get composer(): Composer | null {
    return this.querySelector<Composer>("chat-composer");
  }

  private get log(): Log | null {
    return this.querySelector<Log>("chat-log");
  }

  private get overlays(): Overlays | null {
    return this.querySelector<Overlays>("chat-overlays");
  }

  private get store(): PendingStore {
    return createPendingStore(localStorage, this.rights.isOwner ? "owner" : this.page.me.id);
  }

  private get rights(): Rights {
    return rightsOf(this.page.me);
  }

  private get isBusy(): boolean {
    return (this.talk?.conversation().runs.length ?? 0) > 0;
  }

  private readonly send = (event: CustomEvent<ComposedWords>): void => {
    const { files, ...spoken } = event.detail;
    const { talk, editing } = this;
    if (!talk) return;
    this.log?.stick();
    if (editing) {
      this.editing = undefined;
      talk.sayInstead(editing.seq, { ...spoken, files: [...uploadsOf(editing), ...files] });
    } else if (
      files.length === 0 &&
      this.rights.isOwner &&
      isCommand(typedAlone(spoken), this.facts.commands)
    )
      this.chatCommands.run(spoken.text, spoken.pasted);
    else talk.say({ ...spoken, files });
    if (!talk.conversation().isAtEnd) void this.log?.toLatest();
  };

  private readonly openModels = async (): Promise<void> =>
    this.overlays?.showModels({
      own: this.facts.session?.settings["model"] ?? "",
      usual: this.facts.usualModel,
    });

  private edit(row: UserRow): void {
    this.editing = row;
    this.composer?.put(row);
  }

  private readonly editLast = (): void => {
    const last = this.log?.lastOwn();
    if (last) this.edit(last);
  };

  private readonly cancelEdit = (): void => {
    this.editing = undefined;
    this.composer?.put(this.store.draft(this.rest));
  };

  private readonly stop = (): void => {
    if (this.isBusy) void this.talk?.stop();
  };

  private readonly typed = (event: CustomEvent<Spoken>): void => {
    // What is being edited is no draft.
    if (!this.editing) this.store.keepDraft(this.rest, event.detail);
  };

  private async answer(id: string, scope: ApprovalScope | "deny", only?: readonly number[]): Promise<void> {
    this.answering = id;
    await (scope === "deny"
      ? this.ask("approvals.deny", { id })
      : this.ask("approvals.approve", { id, scope, ...(only && { only: [...only] }) }));
    this.answering = undefined;
    void this.talk?.refresh();
    this.composer?.focus();
  }

  private readonly jumped = (event: CustomEvent<TapeHitView>): void => {
    const { isElsewhere, sessionId, seq } = event.detail;
    if (!isElsewhere) return void this.log?.jump(seq);
    this.jumpTo = { session: sessionId, seq };
    this.page.go(`/chat/${encodeURIComponent(sessionId)}`);
  };

  private readonly leaveSearch = (): void => {
    this.isSearching = false;
    this.composer?.focus();
  };

  private readonly pressedAnywhere = (event: KeyboardEvent): void => {
    if (document.querySelector("dialog[open]")) return;
    const isTyping = (event.target as HTMLElement).matches("input, textarea, select");
    const key = chatKeyOf(event, isTyping);
    if (key === "search" || key === "command") event.preventDefault();
    if (key === "search") this.isSearching = true;
    else if (key === "command") this.composer?.put({ text: "/", pasted: [] });
    else if (key === "help") this.overlays?.showKeys();
    else if (key === "leave" && this.isSearching) this.leaveSearch();
    else if (key === "leave") this.stop();
  };

  private acts(): LogActs {
    const { isOwner, mayWrite, maySetUp } = this.rights;
    return {
      mayWrite,
      mayAnswer: maySetUp,
      mayGrant: isOwner,
      maySetUp,
      answering: this.answering,
      edit: (row) => this.edit(row),
      why: isOwner ? (tool) => this.chatCommands.run(`/why ${tool}`) : undefined,
      answer: (id, scope, only) => void this.answer(id, scope, only),
      seen: (turnId) => void (isOwner && this.ask("undo.seen", { turnId })),
      takeBack: (message) => {
        this.talk?.discard(message.key);
        this.composer?.put(message);
        this.store.keepDraft(this.rest, message);
      },
    };
  }

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <div
        class="chat"
        @dragenter=${this.drop.dragged}
        @dragover=${this.drop.dragged}
        @dragleave=${this.drop.left}
        @drop=${this.drop.dropped}
      >
        ${this.head()}
        ${
          this.isSearching
            ? html`<chat-search
                .page=${this.page}
                .session=${this.rest}
                @jump=${this.jumped}
                @closed=${this.leaveSearch}
              ></chat-search>`
            : nothing
        }
        <chat-log
          .page=${this.page}
          .talk=${this.talk}
          .notes=${this.chatCommands.notes()}
          .acts=${this.acts()}
        ></chat-log>
        <div class="chat-foot">
          ${this.rights.mayWrite ? this.writing() : html`<p class="soft small chat-read-only">${say("chat.read-only")}</p>`}
        </div>
        ${this.drop.isOver() ? html`<div class="chat-drop" aria-hidden="true">${say("chat.attach.drop")}</div>` : nothing}
      </div>
      <chat-overlays
        .page=${this.page}
        @model=${(event: CustomEvent<string>) => this.chatCommands.run(`/model ${event.detail}`)}
        @left=${() => this.composer?.focusAnew()}
      ></chat-overlays>
    `;
  }

  private writing(): TemplateResult {
    return html`
      <chat-composer
        .page=${this.page}
        .commands=${this.rights.isOwner ? this.facts.commands : []}
        .isBusy=${this.isBusy}
        .isEnded=${this.talk?.conversation().isEnded ?? false}
        .isEditing=${this.editing !== undefined}
        .keptFiles=${this.editing?.files ?? noFiles}
        @send=${this.send}
        @stop=${this.stop}
        @typed=${this.typed}
        @edit-last=${this.editLast}
        @edit-cancelled=${this.cancelEdit}
        @keys=${() => this.overlays?.showKeys()}
      ></chat-composer>
    `;
  }

  private head(): TemplateResult {
    const { say } = this;
    const sessionKey = this.talk?.conversation().sessionKey ?? "";
    const given = keyName(sessionKey === "" ? this.rest : sessionKey, say);
    return chatHead({
      name: this.facts.session?.label ?? (this.rest === "" ? say("chat.main") : given),
      sessionKey,
      model: this.facts.session?.settings["model"] ?? this.facts.usualModel,
      isOwner: this.rights.isOwner,
      isSearching: this.isSearching,
      say,
      openModels: () => void this.openModels(),
      toggleSearch: () => (this.isSearching = !this.isSearching),
      run: (line) => this.chatCommands.run(line),
      showKeys: () => this.overlays?.showKeys(),
    });
  }
}

/** The same each time, so that nothing is drawn again for it. */
const noFiles: UserRow["files"] = [];

customElements.define("view-chat", ChatView);
