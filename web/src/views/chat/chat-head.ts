/** The head of a conversation: its name, its model, search, and further actions. */
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
  /** Commands, and the choice of the model, are the owner's. */
  isOwner: boolean;
  isSearching: boolean;
  say: Say;
  openModels(): void;
  toggleSearch(): void;
  /** A command. */
  run(line: string): void;
  showKeys(): void;
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
      <p-menu .label=${say("chat.more")} .items=${menu(parts)}></p-menu>
    </header>
  `;
}

function menu({ isOwner, say, run, showKeys }: ChatHeadParts): MenuItem[] {
  const keys: MenuItem = { label: say("chat.keys"), icon: "info", choose: showKeys };
  if (!isOwner) return [keys];
  return [
    { label: say("chat.new"), icon: "plus", choose: () => run("/new") },
    { label: say("chat.undo"), icon: "undo", choose: () => run("/undo") },
    { label: say("chat.context"), icon: "list", choose: () => run("/context") },
    keys,
  ];
}

function modelButton({ model, isOwner, say, openModels }: ChatHeadParts): TemplateResult {
  const isMissing = model.startsWith("stub/");
  return html`<button
    type="button"
    class="quiet small chat-model-button"
    ?disabled=${!isOwner}
    aria-label=${isMissing ? say("chat.model.missing") : say("chat.model", { model })}
    title=${say("chat.model.choose")}
    @click=${openModels}
  >
    ${icon("cpu")}
    <span class="clip">${isMissing ? say("chat.model.missing") : model}</span>
  </button>`;
}
