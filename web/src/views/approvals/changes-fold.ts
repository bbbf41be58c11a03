/** A difference, folded until somebody wants to see it. */
import type { ChangesView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { visibleText } from "../../parts/visible-text.ts";
import type { Say } from "../../texts/texts.ts";

export const changesFold = (
  { text, isWhole }: Pick<ChangesView, "text" | "isWhole">,
  heading: string,
  say: Say,
): TemplateResult => html`
  <details class="chat-fold">
    <summary>${heading}</summary>
    <pre class="code-box diff" tabindex="0">${text.split("\n").map(lineOf)}</pre>
    ${isWhole ? nothing : html`<p class="hint">${say("dry-run.changes.not-whole")}</p>`}
  </details>
`;

function lineOf(line: string): TemplateResult {
  const kind = /^(?:---|\+\+\+|@@)/.test(line)
    ? "soft"
    : line.startsWith("+")
      ? "diff-added"
      : line.startsWith("-")
        ? "diff-removed"
        : "";
  return html`<span class=${kind}>${visibleText(line)}</span>${"\n"}`;
}
