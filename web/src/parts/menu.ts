/** A button with a menu: `<p-menu .label .items>`. Arrow keys move, Escape and a click elsewhere close it. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { icon, type IconName } from "./icon.ts";

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  choose(): void;
}

class PageMenu extends LitElement {
  static override properties: PropertyDeclarations = {
    label: {},
    items: { attribute: false },
    open: { state: true },
  };

  /** What the button is for; it shows three dots. */
  declare label: string;
  declare items: readonly MenuItem[];
  declare open: boolean;

  constructor() {
    super();
    this.label = "";
    this.items = [];
    this.open = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private readonly clickedElsewhere = (event: Event): void => {
    if (!this.contains(event.target as Node)) this.close();
  };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("click", this.clickedElsewhere);
  }

  private async show(): Promise<void> {
    this.open = true;
    document.addEventListener("click", this.clickedElsewhere);
    await this.updateComplete;
    this.entries()[0]?.focus();
  }

  private close(): void {
    this.open = false;
    document.removeEventListener("click", this.clickedElsewhere);
  }

  private entries(): HTMLButtonElement[] {
    return [...this.querySelectorAll<HTMLButtonElement>("[role=menuitem]:not(:disabled)")];
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const entries = this.entries();
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      entries.at((at + step) % entries.length)?.focus();
    } else if (event.key === "Escape" && this.open) {
      event.stopPropagation();
      this.close();
      this.querySelector("button")?.focus();
    } else if (event.key === "Tab") this.close();
  };

  protected override render(): TemplateResult {
    return html`
      <div class="menu" @keydown=${this.keyPressed}>
        <button
          type="button"
          class="quiet icon-only"
          aria-label=${this.label}
          title=${this.label}
          aria-haspopup="menu"
          aria-expanded=${this.open ? "true" : "false"}
          @click=${() => (this.open ? this.close() : void this.show())}
        >
          ${icon("more")}
        </button>
        ${this.open ? this.list() : nothing}
      </div>
    `;
  }

  private list(): TemplateResult {
    return html`
      <div class="menu-list" role="menu" aria-label=${this.label}>
        ${this.items.map(
          (item) => html`
            <button
              type="button"
              role="menuitem"
              class=${item.danger ? "danger" : ""}
              ?disabled=${item.disabled}
              @click=${() => {
                this.close();
                item.choose();
              }}
            >
              ${item.icon ? icon(item.icon) : nothing} ${item.label}
            </button>
          `,
        )}
      </div>
    `;
  }
}

if (!customElements.get("p-menu")) customElements.define("p-menu", PageMenu);
