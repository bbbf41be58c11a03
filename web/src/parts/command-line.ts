import { html, type TemplateResult } from "lit";
import { copyButton } from "./copy-button.ts";
import type { Say } from "../texts/texts.ts";

/** A command to copy. */
export const commandLine = (line: string, say: Say): TemplateResult => html`
  <div class="command-line"><code>${line}</code>${copyButton(line, say)}</div>
`;
