/** Which model answers in this session, from the next message on. */
import type { ModelView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Page } from "../../shell/page.ts";

export interface ModelChoice {
  models: readonly ModelView[];
  /** The session's own; empty where the usual one answers. */
  own: string;
  usual: string;
  filter: string;
}

const most = 60;

export function modelContent(
  { say }: Page,
  { models, own, usual, filter }: ModelChoice,
  acts: { choose(reference: string): void; filter(text: string): void },
): TemplateResult {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ reference, name }: ModelView) =>
    words.every((word) => `${reference} ${name}`.toLowerCase().includes(word));
  const found = models.filter((model) => model.usable && fits(model)).slice(0, most);
  const choice = (reference: string, label: TemplateResult | string, isChosen: boolean) => html`
    <li>
      <button
        type="button"
        class="quiet chat-model"
        aria-pressed=${isChosen ? "true" : "false"}
        @click=${() => acts.choose(reference)}
      >
        ${label}
      </button>
    </li>
  `;
  return html`
    ${
      models.length > 8
        ? html`<input
            type="search"
            aria-label=${say("chat.model.find")}
            placeholder=${say("chat.model.find")}
            .value=${filter}
            @input=${(event: Event) => acts.filter((event.target as HTMLInputElement).value)}
          />`
        : nothing
    }
    <ul class="chat-models">
      ${choice("default", say("chat.model.default", { model: usual === "" ? "–" : usual }), own === "")}
      ${found.map((model) =>
        choice(
          model.reference,
          html`<span class="grow">${model.name}</span>
            <span class="mono soft small">${model.reference}</span>`,
          own === model.reference,
        ),
      )}
    </ul>
    ${found.length === 0 && filter !== "" ? html`<p class="soft">${say("chat.model.none")}</p>` : nothing}
    <p class="small soft"><a href="#/models">${say("chat.model.more")}</a></p>
  `;
}
