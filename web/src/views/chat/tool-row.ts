/** How a call of a tool looks: one line, and behind it what it was called with and what came of it. */
import { html, nothing, type TemplateResult } from "lit";
import { duration } from "../../parts/amounts.ts";
import { icon } from "../../parts/icon.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { fileList } from "./file-list.ts";
import type { Say } from "../../texts/texts.ts";
import type { RowActs } from "./row-acts.ts";
import type { ToolRow } from "./row.ts";

const tones = {
  running: "",
  waiting: "warn",
  done: "good",
  failed: "bad",
  denied: "bad",
  unanswered: "warn",
} as const;

/** What is longer than anybody reads is not put into the page. */
const mostOutput = 20_000;

export function toolRow(row: ToolRow, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  const given = briefly(row.arguments);
  return html`
    <details class="chat-fold chat-tool">
      <summary>
        ${row.state === "running" ? html`<span class="spinner"></span>` : icon("tool")}
        <span class="mono chat-tool-name">${row.name}</span>
        <span class="mono soft clip chat-tool-brief">${visibleText(given)}</span>
        <span class="badge ${tones[row.state]}">${stateWords(row, say)}</span>
        ${row.ms === undefined ? nothing : html`<span class="small soft chat-tool-time">${duration(row.ms, page.language)}</span>`}
      </summary>
      <div class="stack tight chat-tool-body">
        <span class="small soft">${say("chat.tool.arguments")}</span>
        <pre class="code-box" tabindex="0">${visibleText(JSON.stringify(row.arguments, null, 2))}</pre>
        ${
          row.resultSeq === 0
            ? nothing
            : html`
                <span class="small soft">${say("chat.tool.output")}</span>
                <pre class="code-box" tabindex="0">
${row.output === "" ? say("chat.tool.none") : row.output.slice(0, mostOutput)}</pre>
                ${
                  row.output.length > mostOutput
                    ? html`<p class="hint">
                        ${say("chat.tool.cut", { count: row.output.length - mostOutput })}
                      </p>`
                    : nothing
                }
                ${row.pictures.length > 0 ? fileList(row.pictures, row.resultSeq, acts) : nothing}
              `
        }
        ${
          row.state === "denied" && acts.why
            ? html`<div>
                <button type="button" class="quiet" @click=${() => acts.why?.(row.name)}>
                  ${icon("info")} ${say("chat.tool.why")}
                </button>
              </div>`
            : nothing
        }
      </div>
    </details>
  `;
}

const stateWords = ({ state, exitCode }: ToolRow, say: Say): string =>
  state === "failed" && exitCode !== undefined
    ? say("chat.tool.failed-with", { code: exitCode })
    : say(`chat.tool.${state}`);

/** The one argument that says most, on one line. */
function briefly(given: Record<string, unknown>): string {
  const first = Object.values(given).find((value) => typeof value === "string");
  const words = first ?? (Object.keys(given).length > 0 ? JSON.stringify(given) : "");
  return words.replaceAll(/\s+/g, " ").slice(0, 120);
}
