/** What went wrong when a model was tested: the problem, what to do next, and the guide that explains it. */
import type { SetupProblem } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Say } from "../../texts/texts.ts";

export const problemNote = (problem: SetupProblem, say: Say): TemplateResult => html`
  <div class="note bad stack tight" role="alert">
    <p class="break">${problem.message}</p>
    ${problem.next === "" ? nothing : html`<p class="break"><strong>${say("models.problem.next")}:</strong> ${problem.next}</p>`}
    ${
      problem.guide === ""
        ? nothing
        : html`<p>
            <a href="/docs/${problem.guide}" target="_blank" rel="noopener"
              >${say("models.problem.guide")}: ${problem.guide}</a
            >
          </p>`
    }
  </div>
`;
