/** Two buttons that move something a place up or down. */
import { html, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { Say } from "../../texts/texts.ts";

export interface Place {
  name: string;
  index: number;
  length: number;
}

export function orderButtons(
  say: Say,
  { name, index, length }: Place,
  move: (step: -1 | 1) => void,
): TemplateResult {
  if (length < 2) return html``;
  const button = (step: -1 | 1, isOff: boolean) => html`
    <button
      type="button"
      class="quiet icon-only"
      ?disabled=${isOff}
      aria-label=${say(step < 0 ? "models.up" : "models.down", { name })}
      title=${say(step < 0 ? "models.up" : "models.down", { name })}
      @click=${() => move(step)}
    >
      ${icon(step < 0 ? "up" : "down")}
    </button>
  `;
  return html`${button(-1, index === 0)}${button(1, index === length - 1)}`;
}
