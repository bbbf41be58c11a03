/** Messages at the edge of the screen: good news disappears, failures stay until closed. */
import { html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icon.ts";

interface Toast {
  id: number;
  text: string;
  kind: "good" | "bad";
}

const shownMs = 5000;
const most = 5;

export class PageToasts extends LitElement {
  static override properties: PropertyDeclarations = { toasts: { state: true }, closeLabel: {} };

  declare toasts: readonly Toast[];
  declare closeLabel: string;
  private count = 0;

  constructor() {
    super();
    this.toasts = [];
    this.closeLabel = "Close";
  }

  /** A repeated message is shown once. */
  tell(text: string, kind: "good" | "bad"): void {
    const toast = { id: ++this.count, text, kind };
    this.toasts = [...this.toasts.filter((each) => each.text !== text), toast].slice(-most);
    if (kind === "good") setTimeout(() => this.drop(toast.id), shownMs);
  }

  private drop(id: number): void {
    this.toasts = this.toasts.filter((each) => each.id !== id);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`
      <div class="toasts" role="status" aria-live="polite">
        ${repeat(
          this.toasts,
          ({ id }) => id,
          ({ id, text, kind }) => html`
            <div class="toast ${kind}">
              <span>${text}</span>
              <button
                type="button"
                class="quiet icon-only"
                aria-label=${this.closeLabel}
                @click=${() => this.drop(id)}
              >
                ${icon("close")}
              </button>
            </div>
          `,
        )}
      </div>
    `;
  }
}

customElements.define("page-toasts", PageToasts);
