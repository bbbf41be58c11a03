import { html, type TemplateResult } from "lit";

/** Where there is nothing: why, and what would bring something. */
export const empty = (text: string): TemplateResult => html`<p class="empty">${text}</p>`;
