import { html, type TemplateResult } from "lit";

/** Words in which commands stand between backticks, with those as code. */
export const inlineCode = (text: string): TemplateResult[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
