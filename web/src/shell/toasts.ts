/**
 * Messages above the view: they take a place of their own and cover nothing. They disappear after a while, unless somebody points at them, and
 * with the view that they were about.
 */
import { html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icon.ts";

interface Toast {
  id: number;
  text: string;
  kind: "good" | "bad";
  /** Of `Date.now()`. */
  at: number;
}

/** Failures take longer to read. */
const shownMs = { good: 5000, bad: 15_000 };
/** What was said just before a view was left is about the way to the next one. */
const onTheWayMs = 1000;
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
    const toast: Toast = { id: ++this.count, text, kind, at: Date.now() };
    this.toasts = [...this.toasts.filter((each) => each.text !== text), toast].slice(-most);
    this.dropLater(toast);
  }

  /** Another view is shown now. */
  leaveView(): void {
    const now = Date.now();
    this.toasts = this.toasts.filter(({ kind, at }) => kind === "good" && now - at < onTheWayMs);
  }

  private dropLater({ id, kind }: Toast): void {
    setTimeout(() => {
      const toast = this.toasts.find((each) => each.id === id);
      if (toast && this.querySelector(".toasts:hover, .toasts:focus-within")) this.dropLater(toast);
      else this.drop(id);
    }, shownMs[kind]);
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
