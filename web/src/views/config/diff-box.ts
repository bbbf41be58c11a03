/** A diff as people read it. */
import { html, type TemplateResult } from "lit";
import { visibleText } from "../../parts/visible-text.ts";
import { diffLines } from "./diff-lines.ts";

const marks = { added: "+", removed: "−", same: " ", place: "" } as const;

export const diffBox = (diff: string): TemplateResult => html`
  <div class="code-box diff" tabindex="0">
    ${diffLines(diff).map(({ kind, text }) => html`<div class="diff-line ${kind}"><span>${marks[kind]}</span> ${visibleText(text)}</div>`)}
  </div>
`;
