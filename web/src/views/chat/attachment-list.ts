/** The files of the next message, above the input: their progress, and a button to remove each. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { bytes } from "../../parts/amounts.ts";
import { icon } from "../../parts/icon.ts";
import type { Say } from "../../texts/texts.ts";
import type { Attached } from "./attachments.ts";

export interface AttachmentListParts {
  attached: readonly Attached[];
  say: Say;
  again(id: number): void;
  remove(id: number): void;
}

export function attachmentList({ attached, say, again, remove }: AttachmentListParts): TemplateResult {
  return html`
    <ul class="attachments" aria-label=${say("chat.attached")}>
      ${repeat(
        attached,
        ({ id }) => id,
        (each) => html`
          <li class="attachment ${each.problem === undefined ? "" : "bad"}">
            ${each.preview === "" ? icon("attach") : html`<img src=${each.preview} alt="" />`}
            <span class="attachment-name">
              <span class="clip">${each.file.name}</span>
              ${standing(each, say)}
            </span>
            ${
              each.problem === undefined
                ? nothing
                : html`<button
                    type="button"
                    class="quiet icon-only"
                    aria-label=${say("chat.attach.again", { name: each.file.name })}
                    @click=${() => again(each.id)}
                  >
                    ${icon("retry")}
                  </button>`
            }
            <button
              type="button"
              class="quiet icon-only"
              aria-label=${say("chat.attach.remove", { name: each.file.name })}
              @click=${() => remove(each.id)}
            >
              ${icon("close")}
            </button>
          </li>
        `,
      )}
    </ul>
  `;
}

function standing({ file, share, uploaded, problem }: Attached, say: Say): TemplateResult {
  if (problem !== undefined) return html`<span class="small wrong">${problem}</span>`;
  if (uploaded) return html`<span class="small soft">${bytes(file.size)}</span>`;
  const percent = Math.round(share * 100);
  return html`<progress
    max="100"
    .value=${percent}
    aria-label=${say("chat.attach.progress", { name: file.name, percent })}
  ></progress>`;
}
