/** `<model-list .page .inUse .mayChange>`: every model there is; `use` and `fallback` tell which one somebody wants. */
import type { ModelView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { count } from "../../parts/amounts.ts";
import { empty } from "../../parts/empty.ts";
import { View } from "../../shell/view.ts";

const mostShown = 60;
const pauseMs = 200;

class ModelList extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    inUse: { attribute: false },
    mayChange: { attribute: false },
    models: { state: true },
    words: { state: true },
    isAll: { state: true },
  };

  declare inUse: readonly string[];
  declare mayChange: boolean;
  declare models: ModelView[] | undefined;
  declare words: string;
  declare isAll: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.inUse = [];
    this.mayChange = false;
    this.words = "";
    this.isAll = false;
  }

  protected override async load(): Promise<void> {
    const search = this.words.trim();
    const found = await this.ask("models.list", {
      ...(search === "" ? {} : { search }),
      ...(this.isAll ? { all: true } : {}),
    });
    if (found && search === this.words.trim()) this.models = found.models;
  }

  private search(words: string): void {
    this.words = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), pauseMs);
  }

  private wish(kind: "use" | "fallback", reference: string): void {
    this.dispatchEvent(new CustomEvent(kind, { detail: reference }));
  }

  protected override render(): TemplateResult {
    const { say, models } = this;
    const rest = (models?.length ?? 0) - mostShown;
    return html`
      <div class="toolbar">
        <label class="field grow-field">
          <span class="label">${say("models.list.search")}</span>
          <input
            type="search"
            .value=${this.words}
            @input=${(event: Event) => this.search((event.target as HTMLInputElement).value)}
          />
        </label>
        <label class="row switch">
          <input
            type="checkbox"
            .checked=${this.isAll}
            @change=${(event: Event) => {
              this.isAll = (event.target as HTMLInputElement).checked;
              void this.load();
            }}
          />
          ${say("models.list.all")}
        </label>
      </div>
      ${models?.length === 0 ? empty(say("models.list.none")) : nothing}
      ${models?.length ? this.table(models.slice(0, mostShown)) : nothing}
      ${rest > 0 ? html`<p class="hint">${say("models.list.more", { count: rest })}</p>` : nothing}
    `;
  }

  private table(models: ModelView[]): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    return html`
      <div class="scroll-x" tabindex="0" role="region" aria-label=${say("models.list.model")}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${say("models.list.model")}</th>
              <th scope="col" class="number desk-only">${say("models.list.window")}</th>
              <th scope="col" class="number desk-only">${say("models.list.price")}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${models.map(
              ({ reference, name, contextWindow, cost, usable }) => html`
                <tr>
                  <th scope="row" class="model-name">
                    <span class="mono break">${reference}</span>
                    ${name === reference ? nothing : html`<span class="soft small block">${name}</span>`}
                    ${usable ? nothing : html`<span class="badge warn">${say("models.state.no-credential")}</span>`}
                  </th>
                  <td class="number desk-only">${count(contextWindow, language)}</td>
                  <td class="number desk-only">${cost.input} / ${cost.output}</td>
                  <td>
                    ${
                      this.inUse.includes(reference)
                        ? this.badge("good", say("models.in-use"))
                        : this.mayChange
                          ? html`<div class="row end">
                              <button
                                type="button"
                                aria-label=${say("models.use.label", { name: reference })}
                                @click=${() => this.wish("use", reference)}
                              >
                                ${say("models.use")}
                              </button>
                              <button
                                type="button"
                                class="quiet"
                                @click=${() => this.wish("fallback", reference)}
                              >
                                ${say("models.use.fallback")}
                              </button>
                            </div>`
                          : nothing
                    }
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
}

customElements.define("model-list", ModelList);
