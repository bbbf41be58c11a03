/** The completions of a command, above the input. */
import { html, type TemplateResult } from "lit";
import { inlineCode } from "../../parts/inline-code.ts";
import type { Say } from "../../texts/texts.ts";
import type { Completion } from "./completion.ts";

export interface CompletionListParts {
  completions: readonly Completion[];
  /** Which one is marked. */
  chosen: number;
  say: Say;
  complete(completion: Completion): void;
}

export const completionList = ({
  completions,
  chosen,
  say,
  complete,
}: CompletionListParts): TemplateResult => html`
  <ul class="completions" id="completions" role="listbox" aria-label=${say("chat.commands")}>
    ${completions.map(
      (each, index) => html`
        <li
          class="completion"
          id="completion-${index}"
          role="option"
          aria-selected=${index === chosen ? "true" : "false"}
          @mousedown=${(event: Event) => {
            event.preventDefault();
            complete(each);
          }}
        >
          <span class="mono">${each.text}</span> <span class="mono soft">${each.usage}</span>
          <span class="soft small clip">${inlineCode(each.help)}</span>
        </li>
      `,
    )}
  </ul>
`;
