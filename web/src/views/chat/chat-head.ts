/** What stands above a conversation: its name, which model answers, searching, and what else can be done. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import "../../parts/menu.ts";
import type { MenuItem } from "../../parts/menu.ts";
import type { Say } from "../../texts/texts.ts";

export interface ChatHeadParts {
  name: string;
  sessionKey: string;
  /** Empty where it is not known. */
  model: string;
  mayChooseModel: boolean;
  isSearching: boolean;
  menu: MenuItem[];
  say: Say;
  openModels(): void;
  toggleSearch(): void;
}

export function chatHead(parts: ChatHeadParts): TemplateResult {
  const { say } = parts;
  return html`
    <header class="chat-head">
      <h1 class="clip" title=${parts.sessionKey}>${parts.name}</h1>
      ${parts.model === "" ? nothing : modelButton(parts)}
      <button
        type="button"
        class="quiet icon-only"
        aria-label=${say("chat.search")}
        title="${say("chat.search")} (Ctrl+K)"
        aria-expanded=${parts.isSearching ? "true" : "false"}
        @click=${parts.toggleSearch}
      >
        ${icon("search")}
      </button>
      <p-menu .label=${say("chat.more")} .items=${parts.menu}></p-menu>
    </header>
  `;
}

function modelButton({ model, mayChooseModel, say, openModels }: ChatHeadParts): TemplateResult {
  const isMissing = model.startsWith("stub/");
  return html`<button
    type="button"
    class="quiet small chat-model-button"
    ?disabled=${!mayChooseModel}
    aria-label=${isMissing ? say("chat.model.missing") : say("chat.model", { model })}
    title=${say("chat.model.choose")}
    @click=${openModels}
  >
    ${icon("cpu")}
    <span class="clip">${isMissing ? say("chat.model.missing") : model}</span>
  </button>`;
}
