/** The bar above a view on a narrow screen: menu button, title, and notice button. */
import { html, type TemplateResult } from "lit";
import { icon } from "../parts/icon.ts";
import type { Say } from "../texts/texts.ts";

export interface BarParts {
  title: string;
  isMenuOpen: boolean;
  noticeButton: TemplateResult;
  say: Say;
  toggleMenu(): void;
}

export const bar = ({ title, isMenuOpen, noticeButton, say, toggleMenu }: BarParts): TemplateResult => html`
  <header class="shell-bar">
    <button
      type="button"
      class="quiet icon-only"
      aria-label=${say("shell.menu")}
      aria-expanded=${isMenuOpen ? "true" : "false"}
      @click=${toggleMenu}
    >
      ${icon("menu")}
    </button>
    <strong>${title}</strong>
    ${noticeButton}
  </header>
`;
