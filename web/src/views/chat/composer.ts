/**
 * `<chat-composer>`: where one writes. It completes commands, takes files by drop, paste and button, and tells `send`, `edit-cancelled`,
 * `edit-last`, `stop` and `typed`. What is being composed with an input method is never sent.
 */
import type { CommandFactView } from "@pincer/sdk";
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { repeat } from "lit/directives/repeat.js";
import { bytes } from "../../parts/amounts.ts";
import { icon } from "../../parts/icon.ts";
import type { Page } from "../../shell/page.ts";
import { completionsOf, type Completion } from "./completion.ts";
import { uploadFile, type Uploaded } from "./upload.ts";

export interface ComposedWords {
  text: string;
  files: Uploaded[];
}

interface Attached {
  id: number;
  file: File;
  /** Of a picture, for looking at. */
  preview: string;
  share: number;
  uploaded?: Uploaded;
  problem?: string;
}

/** As many as a message takes. */
const mostFiles = 20;
const previewed = /^image\/(?:png|jpeg|gif|webp|avif)$/;

class ChatComposer extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    commands: { attribute: false },
    isBusy: { attribute: false },
    isEditing: { attribute: false },
    text: { state: true },
    attached: { state: true },
    chosen: { state: true },
    isClosed: { state: true },
  };

  declare page: Page;
  declare commands: readonly CommandFactView[];
  declare isBusy: boolean;
  declare isEditing: boolean;
  declare text: string;
  declare attached: readonly Attached[];
  /** Which completion is marked. */
  declare chosen: number;
  /** Whether the completions were sent away with Escape. */
  declare isClosed: boolean;
  private nextId = 1;
  private gone = new AbortController();

  constructor() {
    super();
    this.commands = [];
    this.isBusy = false;
    this.isEditing = false;
    this.text = "";
    this.attached = [];
    this.chosen = 0;
    this.isClosed = false;
  }

  /** Puts words into the box, and the focus behind them. */
  fill(text: string): void {
    this.text = text;
    this.isClosed = true;
    void this.updateComplete.then(() => {
      this.box?.focus();
      this.box?.setSelectionRange(text.length, text.length);
    });
  }

  /** What was attached was meant for another conversation. */
  dropFiles(): void {
    for (const { preview } of this.attached) if (preview !== "") URL.revokeObjectURL(preview);
    this.attached = [];
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
    const fresh = [...files].map((file): Attached => ({
      id: this.nextId++,
      file,
      preview: previewed.test(file.type) ? URL.createObjectURL(file) : "",
      share: 0,
    }));
    if (this.attached.length + fresh.length > mostFiles)
      this.page.tell(this.page.say("chat.attach.most", { count: mostFiles }), "bad");
    const taken = fresh.slice(0, mostFiles - this.attached.length);
    this.attached = [...this.attached, ...taken];
    for (const each of taken) void this.upload(each);
  }

  private get box(): HTMLTextAreaElement | null {
    return this.querySelector("textarea");
  }

  private get completions(): Completion[] {
    return this.isClosed || this.isEditing ? [] : completionsOf(this.text, this.commands);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.gone = new AbortController();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.gone.abort();
    for (const { preview } of this.attached) if (preview !== "") URL.revokeObjectURL(preview);
  }

  private async upload({ id, file }: Attached): Promise<void> {
    const change = (how: Partial<Attached>) => {
      this.attached = this.attached.map((each) => (each.id === id ? { ...each, ...how } : each));
    };
    try {
      const uploaded = await uploadFile(file, {
        signal: this.gone.signal,
        onProgress: (share) => change({ share }),
        broken: this.page.say("chat.attach.broken"),
      });
      change({ uploaded, share: 1 });
    } catch (error) {
      change({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  private detach(id: number): void {
    const found = this.attached.find((each) => each.id === id);
    if (found && found.preview !== "") URL.revokeObjectURL(found.preview);
    this.attached = this.attached.filter((each) => each.id !== id);
    this.focus();
  }

  private get isReady(): boolean {
    const areThere = this.attached.every(({ uploaded }) => uploaded !== undefined);
    return areThere && (this.text.trim() !== "" || this.attached.length > 0);
  }

  private send(): void {
    if (!this.isReady) return;
    const files = this.attached.flatMap(({ uploaded }) => (uploaded ? [uploaded] : []));
    const detail: ComposedWords = { text: this.text.trim(), files };
    this.dropFiles();
    this.text = "";
    this.tell("typed", "");
    this.tell("send", detail);
    this.focus();
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private complete({ text, takesMore }: Completion): void {
    this.fill(takesMore ? `${text} ` : text);
    this.isClosed = false;
    this.chosen = 0;
    this.tell("typed", this.text);
  }

  private readonly typed = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.chosen = 0;
    this.isClosed = false;
    this.tell("typed", this.text);
  };

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
    const words = this.isEditing ? "chat.write.edit" : this.isBusy ? "chat.write.busy" : "chat.write";
    const isOpen = completions.length > 0;
    return html`
      ${isOpen ? this.completionList(completions) : nothing} ${this.isEditing ? this.editNote() : nothing}
      ${this.attached.length > 0 ? this.attachments() : nothing}
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
          @input=${this.typed}
          @keydown=${this.pressed}
          @paste=${this.pasted}
        ></textarea>
        ${this.isBusy ? this.stopButton() : nothing} ${this.sendButton()}
      </div>
    `;
  }

  private stopButton(): TemplateResult {
    const label = this.page.say("chat.stop");
    return html`
      <button
        type="button"
        class="icon-only"
        aria-label=${label}
        title="${label} (Esc)"
        @click=${() => this.tell("stop")}
      >
        ${icon("stop")}
      </button>
    `;
  }

  private sendButton(): TemplateResult {
    const label = this.page.say(this.isBusy ? "chat.send.join" : "chat.send");
    return html`
      <button
        type="button"
        class="primary icon-only"
        aria-label=${label}
        title=${label}
        ?disabled=${!this.isReady}
        @click=${() => this.send()}
      >
        ${icon("send")}
      </button>
    `;
  }

  private editNote(): TemplateResult {
    const { say } = this.page;
    return html`
      <div class="composer-note small">
        <span>${say("chat.edit.note")}</span>
        <button type="button" class="quiet" @click=${() => this.tell("edit-cancelled")}>
          ${say("chat.edit.cancel")}
        </button>
      </div>
    `;
  }

  private completionList(completions: Completion[]): TemplateResult {
    return html`
      <ul class="completions" id="completions" role="listbox" aria-label=${this.page.say("chat.commands")}>
        ${completions.map(
          (each, index) => html`
            <li
              class="completion"
              id="completion-${index}"
              role="option"
              aria-selected=${index === this.chosen ? "true" : "false"}
              @mousedown=${(event: Event) => {
                event.preventDefault();
                this.complete(each);
              }}
            >
              <span class="mono">${each.text}</span> <span class="mono soft">${each.usage}</span>
              <span class="soft small clip">${each.help}</span>
            </li>
          `,
        )}
      </ul>
    `;
  }

  private attachments(): TemplateResult {
    const { say } = this.page;
    return html`
      <ul class="attachments" aria-label=${say("chat.attached")}>
        ${repeat(
          this.attached,
          ({ id }) => id,
          (each) => html`
            <li class="attachment ${each.problem === undefined ? "" : "bad"}">
              ${each.preview === "" ? icon("attach") : html`<img src=${each.preview} alt="" />`}
              <span class="attachment-name">
                <span class="clip">${each.file.name}</span>
                ${this.standing(each)}
              </span>
              ${
                each.problem === undefined
                  ? nothing
                  : html`<button
                      type="button"
                      class="quiet icon-only"
                      aria-label=${say("chat.attach.again", { name: each.file.name })}
                      @click=${() => this.uploadAgain(each)}
                    >
                      ${icon("retry")}
                    </button>`
              }
              <button
                type="button"
                class="quiet icon-only"
                aria-label=${say("chat.attach.remove", { name: each.file.name })}
                @click=${() => this.detach(each.id)}
              >
                ${icon("close")}
              </button>
            </li>
          `,
        )}
      </ul>
    `;
  }

  private standing({ file, share, uploaded, problem }: Attached): TemplateResult {
    const { say } = this.page;
    if (problem !== undefined) return html`<span class="small wrong">${problem}</span>`;
    if (uploaded) return html`<span class="small soft">${bytes(file.size)}</span>`;
    const percent = Math.round(share * 100);
    return html`<progress
      max="100"
      .value=${percent}
      aria-label=${say("chat.attach.progress", { name: file.name, percent })}
    ></progress>`;
  }

  private uploadAgain({ id }: Attached): void {
    this.attached = this.attached.map((each) => {
      if (each.id !== id) return each;
      const { problem: _, ...rest } = each;
      return { ...rest, share: 0 };
    });
    const again = this.attached.find((each) => each.id === id);
    if (again) void this.upload(again);
  }
}

export type Composer = ChatComposer;

if (!customElements.get("chat-composer")) customElements.define("chat-composer", ChatComposer);
