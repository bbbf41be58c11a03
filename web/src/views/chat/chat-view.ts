/** `#/chat`: a conversation. What is said goes by the talk, what is shown by the log; commands, edits and shortcuts meet here. */
import type { ApprovalScope, CommandFactView, SessionView, TapeHitView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MenuItem } from "../../parts/menu.ts";
import { View } from "../../shell/view.ts";
import "../../style/chat.css";
import "../../style/control.css";
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
import { createPendingStore, type PendingMessage, type PendingStore } from "./pending.ts";
import type { LocalNote, UserRow } from "./row.ts";
import { runCommand } from "./run-command.ts";
import "./search-panel.ts";
import { openTalk, type Talk } from "./talk.ts";

class ChatView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    notes: { state: true },
    commands: { state: true },
    session: { state: true },
    usualModel: { state: true },
    editing: { state: true },
    answering: { state: true },
    isSearching: { state: true },
  };

  declare notes: readonly LocalNote[];
  declare commands: readonly CommandFactView[];
  declare session: SessionView | undefined;
  declare usualModel: string;
  /** The message that is being said differently. */
  declare editing: UserRow | undefined;
  /** The question that is being answered. */
  declare answering: string | undefined;
  declare isSearching: boolean;
  private readonly drop = createFileDrop({
    place: this,
    mayDrop: () => this.mayWrite,
    onChange: () => this.requestUpdate(),
    onFiles: (files) => {
      this.composer?.addFiles(files);
      this.composer?.focus();
    },
  });
  private talk: Talk | undefined;
  private talkOf: string | undefined;
  private isDrawn = true;
  /** Where to go in a session that is being opened. */
  private jumpTo: { session: string; seq: number } | undefined;

  constructor() {
    super();
    this.notes = [];
    this.commands = [];
    this.usualModel = "";
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
    const { link, language } = this.page;
    const { signal } = this;
    const quietly = <Value>(asked: Promise<Value>) => asked.catch(() => undefined);
    const [commands, status] = await Promise.all([
      quietly(link.request("commands.list", { language }, { signal })),
      quietly(link.request("models.status", {}, { signal })),
    ]);
    this.commands = commands?.commands ?? [];
    this.usualModel = status?.answers ?? "";
  }

  private async loadSession(): Promise<void> {
    const idOrKey = this.talk?.conversation().sessionId;
    // One in which nothing has been said is not there yet.
    if (!idOrKey) return;
    this.session = await this.page.link
      .request("sessions.find", { sessionKey: idOrKey }, { signal: this.signal })
      .catch(() => undefined);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.isConnected && this.talkOf !== this.rest) this.enterTalk();
  }

  private enterTalk(): void {
    this.talk?.close();
    this.talkOf = this.rest;
    this.notes = [];
    this.session = undefined;
    this.editing = undefined;
    let known = "";
    this.talk = openTalk({
      link: this.page.link,
      session: this.rest,
      store: this.store,
      makeKey,
      now: () => new Date().toISOString(),
      onTrouble: (error) => this.page.tell(this.failureWords(error), "bad"),
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
    void this.updateComplete.then(() => this.composer?.fill(this.store.draft(this.rest)));
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
    return createPendingStore(localStorage, this.isOwner ? "owner" : this.page.me.id);
  }

  private get isOwner(): boolean {
    return this.page.me.role === "owner";
  }

  private get mayWrite(): boolean {
    return ["owner", "admin", "developer", "peer"].includes(this.page.me.role);
  }

  private get isBusy(): boolean {
    return (this.talk?.conversation().runs.length ?? 0) > 0;
  }

  private readonly send = (event: CustomEvent<ComposedWords>): void => {
    const { text, files } = event.detail;
    const { talk, editing } = this;
    if (!talk) return;
    this.log?.stick();
    if (editing) {
      this.editing = undefined;
      talk.sayInstead(editing.seq, { text, files: [...filesOf(editing), ...files] });
    } else if (files.length === 0 && this.isOwner && isCommand(text, this.commands)) void this.command(text);
    else talk.say({ text, files });
    if (!talk.conversation().isAtEnd) void this.log?.toLatest();
  };

  private async command(line: string): Promise<void> {
    const { talk } = this;
    if (!talk) return;
    const name = line.trim().slice(1).toLowerCase();
    if (name === "undo") return this.overlays?.showUndo(this.rest);
    if (name === "model" || name === "models") return this.openModels();
    if (name === "stop") return talk.stop();
    try {
      const { sessionKey } = talk.conversation();
      const { language } = this.page;
      const outcome = await runCommand(this.page.link, { line, session: this.rest, sessionKey, language });
      if (outcome.type === "words") return talk.say({ text: line, files: [] });
      if (outcome.output !== "") this.note(line, outcome.output, true);
      void talk.refresh();
      void this.loadSession();
    } catch (error) {
      this.note(line, this.failureWords(error), false);
    }
  }

  private note(input: string, output: string, isOk: boolean): void {
    const after = this.talk?.conversation().entries.at(-1)?.seq ?? 0;
    const note = { id: makeKey(), after, time: new Date().toISOString(), input, output, isOk };
    this.notes = [...this.notes, note];
  }

  private readonly openModels = async (): Promise<void> =>
    this.overlays?.showModels({ own: this.session?.settings["model"] ?? "", usual: this.usualModel });

  private edit(row: UserRow): void {
    this.editing = row;
    this.composer?.fill(row.text);
  }

  private readonly editLast = (): void => {
    const last = this.log?.lastOwn();
    if (last) this.edit(last);
  };

  private readonly cancelEdit = (): void => {
    this.editing = undefined;
    this.composer?.fill(this.store.draft(this.rest));
  };

  private readonly stop = (): void => {
    if (this.isBusy) void this.talk?.stop();
  };

  private readonly typed = (event: CustomEvent<string>): void => {
    // What is being edited is no draft.
    if (!this.editing) this.store.keepDraft(this.rest, event.detail);
  };

  private async answer(id: string, scope: ApprovalScope | "deny"): Promise<void> {
    this.answering = id;
    await (scope === "deny"
      ? this.ask("approvals.deny", { id })
      : this.ask("approvals.approve", { id, scope }));
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
    else if (key === "command") this.composer?.fill("/");
    else if (key === "help") this.overlays?.showKeys();
    else if (key === "leave" && this.isSearching) this.leaveSearch();
    else if (key === "leave") this.stop();
  };

  private acts(): LogActs {
    const { talk } = this;
    return {
      mayWrite: this.mayWrite,
      mayAnswer: this.isOwner || this.page.me.role === "admin",
      answering: this.answering,
      edit: (row) => this.edit(row),
      retry: (row) => {
        this.log?.stick();
        talk?.retry(row.seq, { text: row.text, files: filesOf(row) });
      },
      why: this.isOwner ? (tool) => void this.command(`/why ${tool}`) : undefined,
      answer: (id, scope) => void this.answer(id, scope),
      goOn: (runId) => void talk?.goOn(runId),
      again: (key) => talk?.again(key),
      takeBack: (message: PendingMessage) => {
        talk?.discard(message.key);
        this.composer?.fill(message.text);
        this.store.keepDraft(this.rest, message.text);
      },
      discard: (key) => talk?.discard(key),
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
        <chat-log .page=${this.page} .talk=${this.talk} .notes=${this.notes} .acts=${this.acts()}></chat-log>
        <div class="chat-foot">
          ${this.mayWrite ? this.writing() : html`<p class="soft small chat-read-only">${say("chat.read-only")}</p>`}
        </div>
        ${this.drop.isOver() ? html`<div class="chat-drop" aria-hidden="true">${say("chat.attach.drop")}</div>` : nothing}
      </div>
      <chat-overlays
        .page=${this.page}
        @model=${(event: CustomEvent<string>) => void this.command(`/model ${event.detail}`)}
        @left=${() => this.composer?.focusAnew()}
      ></chat-overlays>
    `;
  }

  private writing(): TemplateResult {
    return html`
      <chat-composer
        .page=${this.page}
        .commands=${this.isOwner ? this.commands : []}
        .isBusy=${this.isBusy}
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
    const given = shortName(sessionKey === "" ? this.rest : sessionKey);
    return chatHead({
      name: this.session?.label ?? (this.rest === "" ? say("chat.main") : given),
      sessionKey,
      model: this.session?.settings["model"] ?? this.usualModel,
      mayChooseModel: this.isOwner,
      isSearching: this.isSearching,
      menu: this.menu(),
      say,
      openModels: () => void this.openModels(),
      toggleSearch: () => (this.isSearching = !this.isSearching),
    });
  }

  private menu(): MenuItem[] {
    const { say } = this;
    const keys: MenuItem = { label: say("chat.keys"), icon: "info", choose: () => this.overlays?.showKeys() };
    if (!this.isOwner) return [keys];
    return [
      { label: say("chat.new"), icon: "plus", choose: () => void this.command("/new") },
      { label: say("chat.undo"), icon: "undo", choose: () => void this.overlays?.showUndo(this.rest) },
      { label: say("chat.context"), icon: "list", choose: () => void this.command("/context") },
      keys,
    ];
  }
}

/** The same each time, so that nothing is drawn again for it. */
const noFiles: UserRow["files"] = [];

const filesOf = ({ files }: UserRow): PendingMessage["files"] =>
  files.map(({ media, name = "", mimeType }) => ({ id: media, name, type: mimeType }));

/** What tells it from the other conversations of the same agent. */
const shortName = (key: string): string => key.replace(/^agent:[^:]+:(?:named:)?(?=.)/, "");

customElements.define("view-chat", ChatView);
