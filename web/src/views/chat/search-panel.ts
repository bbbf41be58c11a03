/** `<chat-search>`: finds words in the conversation; `jump` names the hit that was chosen, `closed` tells when nobody searches any more. */
import type { TapeHitView, TapeSearchView } from "@pincer/sdk";
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import type { Page } from "../../shell/page.ts";

const pauseMs = 250;
const most = 100;

class ChatSearch extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    session: { attribute: false },
    words: { state: true },
    found: { state: true },
    isAsking: { state: true },
  };

  declare page: Page;
  /** As the address names it; empty for the main one. */
  declare session: string;
  declare words: string;
  declare found: TapeSearchView | undefined;
  declare isAsking: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = new AbortController();

  constructor() {
    super();
    this.session = "";
    this.words = "";
    this.isAsking = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.asking.abort();
  }

  protected override firstUpdated(): void {
    this.querySelector("input")?.focus();
  }

  private readonly typed = (event: Event): void => {
    this.words = (event.target as HTMLInputElement).value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), pauseMs);
  };

  private async look(): Promise<void> {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const words = this.words.trim();
    if (words === "") {
      this.found = undefined;
      // Earlier requests are not awaited.
      this.isAsking = false;
      return;
    }
    this.isAsking = true;
    const named = this.session === "" ? {} : { sessionKey: this.session };
    try {
      this.found = await this.page.link.request("tape.search", { ...named, words, limit: most }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      this.page.tell(error instanceof Error ? error.message : String(error), "bad");
    }
    this.isAsking = false;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key !== "Escape") return;
    event.stopPropagation();
    this.dispatchEvent(new CustomEvent("closed"));
  };

  private jump(hit: TapeHitView): void {
    this.dispatchEvent(new CustomEvent("jump", { detail: hit }));
  }

  protected override render(): TemplateResult {
    const { say } = this.page;
    const { found } = this;
    return html`
      <search class="chat-search" @keydown=${this.pressed}>
        <div class="row">
          <input
            class="grow"
            type="search"
            aria-label=${say("chat.search.words")}
            placeholder=${say("chat.search")}
            .value=${this.words}
            @input=${this.typed}
          />
          <button
            type="button"
            class="quiet icon-only"
            aria-label=${say("shell.close")}
            @click=${() => this.dispatchEvent(new CustomEvent("closed"))}
          >
            ${icon("close")}
          </button>
        </div>
        <p class="small soft" role="status">
          ${this.isAsking ? say("shell.loading") : found ? this.standing(found) : nothing}
        </p>
        ${found && found.hits.length > 0 ? this.hits(found.hits) : nothing}
      </search>
    `;
  }

  private standing({ hits, searchedBackTo }: TapeSearchView): string {
    const { say } = this.page;
    const words =
      hits.length === 0 ? say("chat.search.none") : say("chat.search.found", { count: hits.length });
    return searchedBackTo ? `${words} ${say("chat.search.further")}` : words;
  }

  private hits(hits: readonly TapeHitView[]): TemplateResult {
    const { say, language } = this.page;
    return html`
      <ul class="chat-hits">
        ${hits.map(
          (hit) => html`
            <li>
              <button type="button" class="quiet" @click=${() => this.jump(hit)}>
                <span class="small soft">
                  ${hit.role === "user" ? say("chat.you") : hit.role === "assistant" ? say("chat.assistant") : hit.role}
                  · ${time(hit.time, language)}
                  ${hit.isElsewhere ? html`· ${say("chat.search.elsewhere")}` : nothing}
                </span>
                <span class="break">${hit.snippet}</span>
              </button>
            </li>
          `,
        )}
      </ul>
    `;
  }
}

if (!customElements.get("chat-search")) customElements.define("chat-search", ChatSearch);
