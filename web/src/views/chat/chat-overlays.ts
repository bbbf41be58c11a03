/** `<chat-overlays>`: what opens over the conversation: the keys, the models, and what an undoing would put back. `model` names one that was chosen. */
import type { ModelView } from "@pincer/sdk";
import { LinkError } from "@pincer/sdk/client";
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import "../../parts/dialog.ts";
import type { Page } from "../../shell/page.ts";
import { modelContent } from "./model-dialog.ts";
import { undoContent, type UndoState } from "./undo-dialog.ts";

type Overlay = "keys" | "model" | "undo";

const headings = { keys: "chat.keys", model: "chat.model.choose", undo: "chat.undo.title" } as const;

class ChatOverlays extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    overlay: { state: true },
    models: { state: true },
    filter: { state: true },
    chosen: { state: true },
    undoing: { state: true },
  };

  declare page: Page;
  declare overlay: Overlay | undefined;
  declare models: readonly ModelView[];
  declare filter: string;
  declare chosen: { own: string; usual: string };
  declare undoing: UndoState | undefined;
  private session: { sessionKey?: string } = {};

  constructor() {
    super();
    this.models = [];
    this.filter = "";
    this.chosen = { own: "", usual: "" };
  }

  showKeys(): void {
    this.overlay = "keys";
  }

  async showModels(chosen: { own: string; usual: string }): Promise<void> {
    this.filter = "";
    this.chosen = chosen;
    this.overlay = "model";
    const found = await this.page.link.request("models.list", {}).catch(this.tell);
    this.models = found?.models ?? [];
  }

  /** `session` as the address names it; empty for the main one. */
  async showUndo(session: string): Promise<void> {
    this.session = session === "" ? {} : { sessionKey: session };
    const shown = await this.page.link.request("undo.show", this.session).catch(this.tell);
    if (!shown) return;
    this.undoing = { turn: shown.turn, isBusy: false, conflicts: [] };
    this.overlay = "undo";
  }

  private readonly tell = (error: unknown): undefined => {
    const hint = error instanceof LinkError && error.hint !== undefined ? ` ${error.hint}` : "";
    this.page.tell(`${error instanceof Error ? error.message : String(error)}${hint}`, "bad");
    return undefined;
  };

  private async undo(force: boolean): Promise<void> {
    const { undoing } = this;
    if (!undoing) return;
    this.undoing = { ...undoing, isBusy: true };
    const { turnId } = undoing.turn;
    const report = await this.page.link
      .request("undo.apply", { ...this.session, turnId, ...(force && { force }) })
      .catch(this.tell);
    this.undoing = { ...undoing, conflicts: report?.conflicts ?? undoing.conflicts, isBusy: false };
    if (!report) return;
    this.page.tell(this.page.say("chat.undo.done", { count: report.restored.length }), "good");
    if (report.conflicts.length === 0) this.overlay = undefined;
  }

  private choose(reference: string): void {
    this.overlay = undefined;
    this.dispatchEvent(new CustomEvent("model", { detail: reference }));
  }

  private readonly closed = (): void => {
    this.overlay = undefined;
    this.dispatchEvent(new CustomEvent("left"));
  };

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { overlay, page } = this;
    return html`
      <p-dialog
        .heading=${overlay === undefined ? "" : page.say(headings[overlay])}
        .closeLabel=${page.say("shell.close")}
        ?open=${overlay !== undefined}
        .content=${overlay === undefined ? nothing : this.content(overlay)}
        @closed=${this.closed}
      ></p-dialog>
    `;
  }

  private content(overlay: Overlay): TemplateResult | typeof nothing {
    switch (overlay) {
      case "keys":
        return this.keys();
      case "model":
        return modelContent(
          this.page,
          { models: this.models, filter: this.filter, ...this.chosen },
          { choose: (reference) => this.choose(reference), filter: (text) => (this.filter = text) },
        );
      case "undo":
        return this.undoing
          ? undoContent(this.page, this.undoing, (force) => void this.undo(force))
          : nothing;
    }
  }

  private keys(): TemplateResult {
    const { say } = this.page;
    const keys: Array<[string, string]> = [
      ["Enter", say("chat.keys.send")],
      ["Shift+Enter", say("chat.keys.line")],
      ["Esc", say("chat.keys.stop")],
      ["↑", say("chat.keys.edit")],
      ["/", say("chat.keys.command")],
      ["Ctrl+K", say("chat.keys.search")],
      ["PgUp, PgDn", say("chat.keys.scroll")],
      ["?", say("chat.keys.help")],
    ];
    return html`
      <dl class="facts chat-keys">
        ${keys.map(
          ([key, words]) =>
            html`<dt><kbd>${key}</kbd></dt>
              <dd>${words}</dd>`,
        )}
      </dl>
    `;
  }
}

export type Overlays = ChatOverlays;

if (!customElements.get("chat-overlays")) customElements.define("chat-overlays", ChatOverlays);
