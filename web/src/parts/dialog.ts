/** A dialog over the page: `<p-dialog>`. It takes the focus, returns it, and closes with Escape; fires `closed`. */
import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { icon } from "./icon.ts";

class PageDialog extends LitElement {
  static override properties: PropertyDeclarations = {
    heading: {},
    closeLabel: {},
    open: { type: Boolean },
    wide: { type: Boolean },
    content: { attribute: false },
  };

  declare heading: string;
  declare closeLabel: string;
  declare open: boolean;
  declare wide: boolean;
  declare content: TemplateResult | undefined;

  constructor() {
    super();
    this.heading = "";
    this.closeLabel = "Close";
    this.open = false;
    this.wide = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("open")) return;
    const dialog = this.querySelector("dialog");
    if (this.open && !dialog?.open) dialog?.showModal();
    if (!this.open && dialog?.open) dialog.close();
  }

  private readonly closed = (): void => {
    this.open = false;
    this.dispatchEvent(new CustomEvent("closed"));
  };

  protected override render(): TemplateResult {
    return html`
      <dialog class=${this.wide ? "wide" : ""} aria-label=${this.heading} @close=${this.closed}>
        <div class="dialog-body">
          <div class="dialog-head">
            <h2>${this.heading}</h2>
            <button
              type="button"
              class="quiet icon-only"
              aria-label=${this.closeLabel}
              @click=${() => this.querySelector("dialog")?.close()}
            >
              ${icon("close")}
            </button>
          </div>
          ${this.open ? this.content : ""}
        </div>
      </dialog>
    `;
  }
}

if (!customElements.get("p-dialog")) customElements.define("p-dialog", PageDialog);
