/**
 * `<chat-composer>`: where one writes. It knows what of the words was pasted, completes commands, takes files by drop, paste and button, and
 * tells `send`, `edit-cancelled`, `edit-last`, `stop` and `typed`. What is being composed with an input method is never sent.
 */
import { trimmedSpoken, typedAlone, type CommandFactView, type MessageFile, type Spoken } from "@pincer/sdk";
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { icon } from "../../parts/icon.ts";
import type { Page } from "../../shell/page.ts";
import type { TextKey } from "../../texts/texts.ts";
import { attachmentList } from "./attachment-list.ts";
import { createAttachments, mostFiles, type Attachments } from "./attachments.ts";
import { composerButtons } from "./composer-buttons.ts";
import { createBoxEdits } from "./box-edits.ts";
import { completionList } from "./completion-list.ts";
import { completionsOf, isCommand, type Completion } from "./completion.ts";
import { composerNotes } from "./composer-notes.ts";
import type { Uploaded } from "./upload.ts";

export interface ComposedWords extends Spoken {
  files: Uploaded[];
}

class ChatComposer extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    commands: { attribute: false },
    isBusy: { attribute: false },
    isEditing: { attribute: false },
    isEnded: { attribute: false },
    keptFiles: { attribute: false },
    text: { state: true },
    chosen: { state: true },
    isClosed: { state: true },
  };

  declare page: Page;
  declare commands: readonly CommandFactView[];
  declare isBusy: boolean;
  declare isEditing: boolean;
  /** Whether the conversation has ended: what is written continues it. */
  declare isEnded: boolean;
  /** Of the message that is being edited: they stay with it. */
  declare keptFiles: readonly MessageFile[];
  declare text: string;
  /** Which completion is marked. */
  declare chosen: number;
  /** Whether the completions were sent away with Escape. */
  declare isClosed: boolean;
  private files: Attachments = this.openFiles();
  private readonly edits = createBoxEdits();

  constructor() {
    super();
    this.commands = [];
    this.isBusy = false;
    this.isEditing = false;
    this.isEnded = false;
    this.keptFiles = [];
    this.text = "";
    this.chosen = 0;
    this.isClosed = false;
  }

  private openFiles(): Attachments {
    return createAttachments({
      broken: () => this.page.say("chat.attach.broken"),
      onChange: () => this.requestUpdate(),
    });
  }

  /** Puts words into the box, and the focus behind them. */
  put(spoken: Spoken): void {
    const { text } = spoken;
    this.edits.set(spoken);
    this.text = text;
    this.isClosed = true;
    void this.updateComplete.then(() => {
      this.box?.focus();
      this.box?.setSelectionRange(text.length, text.length);
    });
  }

  /** What was attached was meant for another conversation. */
  dropFiles(): void {
    this.files.clear();
  }

  override focus(): void {
    this.box?.focus({ preventScroll: true });
  }

  /** After a dialog: Chromium gives the focus back before the box can be written in again, and then takes no keys. */
  focusAnew(): void {
    setTimeout(() => {
      this.box?.blur();
      this.focus();
    });
  }

  addFiles(files: Iterable<File>): void {
    if (!this.files.add(files))
      this.page.tell(this.page.say("chat.attach.most", { count: mostFiles }), "bad");
  }

  private get box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  private get completions(): Completion[] {
    const isTyped = this.edits.spoken().pasted.length === 0;
    return this.isClosed || this.isEditing || !isTyped ? [] : completionsOf(this.text, this.commands);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.files.close();
    // Attached again, it starts over.
    this.files = this.openFiles();
  }

  private detach(id: number): void {
    this.files.remove(id);
    this.focus();
  }

  private get isReady(): boolean {
    const attached = this.files.list();
    const areThere = attached.every(({ uploaded }) => uploaded !== undefined);
    // A message cannot be replaced by nothing; trying shows a hint.
    return areThere && (!this.isEmpty || this.isEditing);
  }

  /** Whether there is neither a word nor a file. */
  private get isEmpty(): boolean {
    return this.text.trim() === "" && this.files.list().length + this.keptFiles.length === 0;
  }

  private send(): void {
    if (!this.isReady) return;
    if (this.isEmpty) return this.page.tell(this.page.say("chat.edit.nothing"), "bad");
    const files = this.files.list().flatMap(({ uploaded }) => (uploaded ? [uploaded] : []));
    const detail: ComposedWords = { ...trimmedSpoken(this.edits.spoken()), files };
    this.dropFiles();
    this.edits.set(noWords);
    this.text = "";
    this.tell("typed", noWords);
    this.tell("send", detail);
    this.focus();
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private complete({ text, takesMore }: Completion): void {
    this.put({ text: takesMore ? `${text} ` : text, pasted: [] });
    this.isClosed = false;
    this.chosen = 0;
    this.tell("typed", this.edits.spoken());
  }

  private readonly typed = (event: InputEvent): void => {
    const box = event.target as HTMLTextAreaElement;
    this.edits.after(box, event);
    this.text = box.value;
    this.chosen = 0;
    this.isClosed = false;
    this.tell("typed", this.edits.spoken());
  };

  private readonly aboutToType = (event: InputEvent): void =>
    this.edits.before(event.target as HTMLTextAreaElement);

  private readonly pressed = (event: KeyboardEvent): void => {
    // Chosen with Enter, Escape or arrows in an input method: none of ours.
    if (event.isComposing || event.keyCode === 229) return;
    const { completions } = this;
    if (completions.length > 0 && this.completing(event, completions)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (completions.length > 0) this.isClosed = true;
      else this.tell(this.isEditing ? "edit-cancelled" : "stop");
    } else if (event.key === "ArrowUp" && this.text === "" && !this.isEditing) {
      event.preventDefault();
      this.tell("edit-last");
    } else if (event.key === "?" && this.text === "") {
      event.preventDefault();
      this.tell("keys");
    }
  };

  /** Whether the key was for the completions. */
  private completing(event: KeyboardEvent, completions: Completion[]): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.chosen = (this.chosen + step + completions.length) % completions.length;
      return true;
    }
    const marked = completions[this.chosen];
    if (!marked || event.shiftKey) return false;
    if (event.key === "Tab") {
      this.complete(marked);
      return true;
    }
    // A command that is written out is sent; one that is only begun is put in.
    if (event.key === "Enter" && marked.text !== this.text.trim()) {
      this.complete(marked);
      if (!marked.takesMore) void this.updateComplete.then(() => this.send());
      return true;
    }
    return false;
  }

  private readonly pasted = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.addFiles(files);
  };

  private readonly picked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    this.addFiles([...(input.files ?? [])]);
    input.value = "";
    this.focus();
  };

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("text")) return;
    const { box } = this;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight + 2, innerHeight * 0.4)}px`;
    this.querySelector(".completion[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  protected override render(): TemplateResult {
    const { say } = this.page;
    const { completions } = this;
    const words = this.writeWords;
    const isOpen = completions.length > 0;
    return html`
      ${isOpen ? this.completionList(completions) : nothing} ${this.notes()} ${this.attachments()}
      <div class="composer-row">
        <label class="button quiet icon-only" title=${say("chat.attach")}>
          ${icon("attach")} <span class="visually-hidden">${say("chat.attach")}</span>
          <input class="visually-hidden" type="file" multiple @change=${this.picked} />
        </label>
        <textarea
          rows="1"
          aria-label=${say(words)}
          placeholder=${say(words)}
          enterkeyhint="send"
          aria-expanded=${isOpen ? "true" : "false"}
          aria-controls=${isOpen ? "completions" : nothing}
          aria-activedescendant=${isOpen ? `completion-${this.chosen}` : nothing}
          aria-autocomplete="list"
          role="combobox"
          .value=${this.text}
          @beforeinput=${this.aboutToType}
          @input=${this.typed}
          @keydown=${this.pressed}
          @paste=${this.pasted}
        ></textarea>
        ${composerButtons({
          say,
          isBusy: this.isBusy,
          isReady: this.isReady,
          stop: () => this.tell("stop"),
          send: () => this.send(),
        })}
      </div>
    `;
  }

  /** Whether it would be a command, had it been typed. */
  private get isPastedCommand(): boolean {
    const typed = typedAlone(this.edits.spoken());
    return isCommand(this.text, this.commands) && !isCommand(typed, this.commands);
  }

  private get writeWords(): TextKey {
    if (this.isEditing) return "chat.write.edit";
    if (this.isEnded) return "chat.write.ended";
    return this.isBusy ? "chat.write.busy" : "chat.write";
  }

  private notes(): TemplateResult {
    return composerNotes({
      say: this.page.say,
      isEditing: this.isEditing,
      keptFiles: this.keptFiles,
      isEnded: this.isEnded,
      isPastedCommand: this.isPastedCommand,
      cancelEdit: () => this.tell("edit-cancelled"),
    });
  }

  private completionList(completions: Completion[]): TemplateResult {
    const { chosen, page } = this;
    return completionList({ completions, chosen, say: page.say, complete: (each) => this.complete(each) });
  }

  private attachments(): TemplateResult | typeof nothing {
    const attached = this.files.list();
    if (attached.length === 0) return nothing;
    return attachmentList({
      attached,
      say: this.page.say,
      again: (id) => this.files.again(id),
      remove: (id) => this.detach(id),
    });
  }
}

const noWords = { text: "", pasted: [] };

export type Composer = ChatComposer;

if (!customElements.get("chat-composer")) customElements.define("chat-composer", ChatComposer);
