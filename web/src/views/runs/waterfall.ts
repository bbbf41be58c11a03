/** The timeline of a run, drawn: a row for each thing that it did, with a bar from when to when, and what is behind it. */
import { html, nothing, type TemplateResult } from "lit";
import { count, duration, money } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import type { Language, Say } from "../../texts/texts.ts";
import { timeTicks, type Timeline, type TimelineRow } from "./lay-timeline.ts";
import { answerWords, endingWords } from "./run-words.ts";

interface WaterfallParts {
  timeline: Timeline;
  /** Rows whose details are shown. */
  opened: ReadonlySet<string>;
  toggle(key: string): void;
  say: Say;
  language: Language;
}

export function waterfall(parts: WaterfallParts): TemplateResult {
  const { say, timeline, language } = parts;
  const { rows, length, isLive } = timeline;
  return html`
    <section class="card" aria-labelledby="run-timeline">
      <h2 id="run-timeline">${say("runs.timeline")}</h2>
      <p class="soft" aria-live="polite">${say(isLive ? "runs.timeline.live" : "runs.timeline.about")}</p>
      <div class="waterfall">
        <div class="waterfall-scale" aria-hidden="true">
          ${timeTicks(length).map(
            (tick) =>
              html`<span ${cssVariables({ "--from": `${(tick / length) * 100}%` })}
                >${duration(tick, language)}</span
              >`,
          )}
        </div>
        <ol>
          ${rows.map((row, index) => rowOf(parts, row, `${index} ${row.kind} ${row.name}`))}
        </ol>
      </div>
    </section>
  `;
}

function rowOf(parts: WaterfallParts, row: TimelineRow, key: string): TemplateResult {
  const { say, opened, toggle, timeline, language } = parts;
  const { length } = timeline;
  const isOpen = opened.has(key);
  const kind = say(`runs.kind.${row.kind}`);
  const name = row.kind === "mark" ? endingWords({ type: row.name }, say) : row.name;
  const spent = duration(row.to - row.from, language);
  const hasMore =
    row.call !== undefined || row.tool !== undefined || row.question !== undefined || row.detail;
  return html`
    <li>
      <button
        type="button"
        class="waterfall-row quiet"
        aria-expanded=${isOpen ? "true" : "false"}
        ?disabled=${!hasMore}
        @click=${() => toggle(key)}
      >
        <span class="waterfall-name">
          <span class="waterfall-kind soft small">${kind}</span>
          <span class="clip">${name}</span>
          ${row.retry ? html`<span class="badge warn">${say("runs.retry", { count: row.retry + 1 })}</span>` : nothing}
        </span>
        <span class="waterfall-track" aria-hidden="true">
          <span
            class="waterfall-bar ${row.kind} ${row.state} ${row.to === row.from ? "moment" : ""}"
            ${cssVariables({
              "--from": `${(row.from / length) * 100}%`,
              "--width": `${((row.to - row.from) / length) * 100}%`,
            })}
          ></span>
        </span>
        <span class="visually-hidden"
          >${row.to === row.from ? say("runs.row.moment") : say("runs.row", { from: duration(row.from, language) })}</span
        >
        <span class="waterfall-time small soft"
          >${row.to === row.from ? duration(row.from, language) : spent}</span
        >
      </button>
      ${isOpen ? html`<div class="waterfall-more">${behind(parts, row)}</div>` : nothing}
    </li>
  `;
}

/** What somebody sees who opens a row. */
function behind(
  { say, language }: WaterfallParts,
  { call, tool, question, detail }: TimelineRow,
): TemplateResult {
  const number = (value: number) => count(value, language);
  if (call)
    return html`
      ${detail ? html`<p class="wrong">${say("runs.outcome", { outcome: detail })}</p>` : nothing}
      <p>
        ${say("runs.call.tokens", {
          input: number(call.input),
          cached: number(call.cacheRead),
          output: number(call.output),
        })}
        · ${call.unpriced ? say("runs.unpriced") : money(call.cost)}
      </p>
      <p class="soft small">
        ${call.firstByteMs === null ? nothing : say("runs.first-byte", { time: duration(call.firstByteMs, language) })}
        ${call.credential === null ? nothing : html` · ${say("runs.credential", { name: call.credential })}`}
      </p>
    `;
  if (tool)
    return html`
      <h3>${say("runs.arguments")}</h3>
      <pre class="code-box" tabindex="0">${JSON.stringify(tool.arguments ?? {}, null, 2)}</pre>
      <h3>${say("runs.output")}</h3>
      <pre class="code-box" tabindex="0">${tool.output ?? say("runs.no-output")}</pre>
    `;
  if (question)
    return question.answeredAt === null
      ? html`<p>
          ${say("runs.unanswered", { state: answerWords(question.state, say) })}
          ${
            question.state === "pending"
              ? html`<a class="button" href="#/approvals">${say("runs.to-approvals")}</a>`
              : nothing
          }
        </p>`
      : html`<p>
          ${say("runs.answered-by", {
            who: question.answeredBy ?? "–",
            state: answerWords(question.state, say),
          })}
        </p>`;
  return html`<p class="break">${detail ?? ""}</p>`;
}
