/** A difference, folded until somebody wants to see it. */
import type { ChangesView, TurnChangesClosing } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { quoted } from "./reason-line.ts";
import type { Say } from "../../texts/texts.ts";

export const changesFold = (
  { text, isWhole }: Pick<ChangesView, "text" | "isWhole">,
  heading: string,
  say: Say,
  opened: () => void = () => {},
): TemplateResult => html`
  <details class="chat-fold" @toggle=${(event: Event) => isOpen(event) && opened()}>
    <summary class="small">${icon("info")} ${heading}</summary>
    <pre class="code-box diff" tabindex="0">${text.split("\n").map(lineOf)}</pre>
    ${isWhole ? nothing : html`<p class="hint">${say("changes.not-whole")}</p>`}
  </details>
`;

const isOpen = ({ currentTarget }: Event): boolean => (currentTarget as HTMLDetailsElement).open;

/** What a turn changed after it read texts of others; `seen` when all of it is opened. */
export const changesNote = (changes: TurnChangesClosing, say: Say, seen: () => void): TemplateResult => {
  const { files, added, removed, isWhole, setAside } = changes;
  const heading = say("changes.head", { files, added, removed });
  return html`
    <div class="stack tight">
      ${changesFold(changes, heading, say, () => isWhole && seen())}
      ${setAside.map(
        ({ path, keptAs }) =>
          html`<p class="note warn break">
            ${say("changes.set-aside", { path: quoted(path), keptAs: quoted(keptAs) })}
          </p>`,
      )}
    </div>
  `;
};

function lineOf(line: string): TemplateResult {
  const kind = /^(?:---|\+\+\+|@@)/.test(line)
    ? "soft"
    : line.startsWith("+")
      ? "diff-added"
      : line.startsWith("-")
        ? "diff-removed"
        : "";
  return html`<span class=${kind}>${visibleText(line === "" ? " " : line)}</span>`;
}
