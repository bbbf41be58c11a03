/** How each row looks. */
import { html, nothing, type TemplateResult } from "lit";
import { count, money } from "../../parts/amounts.ts";
import { copyButton } from "../../parts/copy-button.ts";
import { icon } from "../../parts/icon.ts";
import "../../parts/markdown.ts";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { Page } from "../../shell/page.ts";
import { isTextKey } from "../../texts/texts.ts";
import { approvalCard } from "../approvals/approval-card.ts";
import { changesNote } from "../approvals/changes-fold.ts";
import { dryRunList } from "../approvals/dry-run-list.ts";
import { grantedList } from "../approvals/granted-list.ts";
import { answerId } from "../approvals/request-cards.ts";
import type { RunEnding } from "./conversation.ts";
import { fileList } from "./file-list.ts";
import { pendingRow } from "./pending-row.ts";
import type { RowActs } from "./row-acts.ts";
import type { AnswerRow, Row, UserRow } from "./row.ts";
import { spokenWords } from "./spoken-words.ts";
import { toolRow } from "./tool-row.ts";

export function rowTemplate(row: Row, acts: RowActs): TemplateResult {
  switch (row.type) {
    case "day":
      return html`<p class="chat-day small soft"><span>${dayWords(row.time, acts.page)}</span></p>`;
    case "begin":
      return html`<p class="chat-edge small soft">
        ${acts.page.say(row.isResumed ? "chat.resumed" : "chat.begin")} · ${clock(row.time, acts.page)}
      </p>`;
    case "user":
      return userRow(row, acts);
    case "answer":
      return answerRow(row, acts);
    case "tool":
      return toolRow(row, acts);
    case "approval":
      return approvalCard(acts.page, row.card, {
        mayAnswer: acts.mayAnswer,
        mayGrant: acts.mayGrant,
        isBusy: acts.answering === answerId(row.card),
        answer: (scope, only) => acts.answer(answerId(row.card), scope, only),
        over: acts.refresh,
      });
    case "pending":
      return pendingRow(row.pending, acts);
    case "note":
      return noteRow(row, acts);
    case "command":
      return commandRow(row, acts);
    case "granted":
      return grantedList(row.turn, acts.page.say);
    case "changes":
      return changesNote(row.changes, acts.page.say, () => acts.seen(row.changes.turnId));
    case "dry-run":
      return dryRunList(row.run, acts.page.say);
    case "aside":
      return asideRow(row, acts);
    case "working":
      return html`<p class="chat-working soft" role="status">
        <span class="spinner"></span> ${workingWords(row.state, acts.page)}
      </p>`;
    case "ending":
      return endingRow(row.ending, acts);
  }
}

function dayWords(at: string, { language }: Page): string {
  const locale = language === "zh" ? "zh-CN" : "en";
  return new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(new Date(at));
}

function clock(at: string, { language }: Page): TemplateResult {
  const locale = language === "zh" ? "zh-CN" : "en";
  const date = new Date(at);
  const words = new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(date);
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }).format(date);
  return html`<time datetime=${at} title=${whole}>${words}</time>`;
}

function userRow(row: UserRow, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  return html`
    <article class="chat-user" aria-label=${row.from === "" ? say("chat.you") : row.from}>
      ${row.from === "" ? nothing : html`<p class="small soft">${visibleText(row.from)}</p>`}
      ${row.quoted === "" ? nothing : html`<blockquote class="chat-quote small soft">${row.quoted}</blockquote>`}
      ${row.text === "" ? nothing : spokenWords(row, say)}
      ${row.files.length > 0 ? fileList(row.files, row.seq, acts) : nothing}
      <footer class="chat-meta small soft">
        ${clock(row.time, page)}
        ${
          row.isOwn && acts.mayWrite
            ? html`<button
                type="button"
                class="quiet icon-only"
                aria-label=${say("chat.edit")}
                title=${say("chat.edit")}
                @click=${() => acts.edit(row)}
              >
                ${icon("edit")}
              </button>`
            : nothing
        }
        ${row.text === "" ? nothing : copyButton(row.text, say)}
      </footer>
    </article>
  `;
}

function answerRow(row: AnswerRow, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  const words = html`<p-markdown .text=${row.text} .say=${say}></p-markdown>`;
  // The words say already what went wrong: once is enough.
  const isTold = row.error !== "" && row.text.includes(row.error);
  return html`
    <article class="chat-answer ${row.isLive ? "live" : ""}" aria-label=${say("chat.assistant")}>
      ${row.thinking === "" ? nothing : thinkingBlock(row, page)}
      ${row.text === "" ? nothing : isTold ? html`<div class="note bad">${words}</div>` : words}
      ${
        isStub(row) && acts.maySetUp
          ? html`<p><a class="button primary" href="#/welcome/model">${say("shell.connect-model")}</a></p>`
          : nothing
      }
      ${row.error === "" || isTold ? nothing : html`<p class="note bad break">${row.error}</p>`}
      ${row.isLive || (row.text === "" && row.error === "" && !row.isStopped) ? nothing : answerMeta(row, acts)}
    </article>
  `;
}

/** Whether nobody answered but the model that says that there is none. */
const isStub = ({ model, isLive }: AnswerRow): boolean => model === "stub/stub" && !isLive;

function thinkingBlock({ thinking, isLive, text }: AnswerRow, { say }: Page): TemplateResult {
  return html`
    <details class="chat-fold" ?open=${isLive && text === ""}>
      <summary class="small soft">${icon("think")} ${say("chat.thinking")}</summary>
      <div class="chat-thinking small soft">${thinking}</div>
    </details>
  `;
}

function answerMeta(row: AnswerRow, acts: RowActs): TemplateResult {
  const { page, lastAsked } = acts;
  const { say, language } = page;
  const again = row.isLast && acts.mayWrite && lastAsked && row.seq > lastAsked.seq ? lastAsked : undefined;
  return html`
    <footer class="chat-meta small soft">
      ${clock(row.time, page)}
      ${
        row.isLast && row.isByModel
          ? html`<span class="clip"
              >${say("chat.cost", {
                model: row.model,
                tokens: count(row.tokens, language),
                cost: money(row.cost),
              })}</span
            >`
          : nothing
      }
      ${row.isStopped ? html`<span class="badge warn">${say("chat.stopped")}</span>` : nothing}
      ${row.text === "" ? nothing : copyButton(row.text, say)}
      ${
        again
          ? html`<button
              type="button"
              class="quiet icon-only"
              aria-label=${say("chat.retry")}
              title=${say("chat.retry")}
              @click=${() => acts.retry(again)}
            >
              ${icon("retry")}
            </button>`
          : nothing
      }
    </footer>
  `;
}

function noteRow(row: Extract<Row, { type: "note" }>, { page }: RowActs): TemplateResult {
  const { say, language } = page;
  return html`
    <details class="chat-fold chat-note">
      <summary class="small soft">
        ${icon("info")} ${say(`chat.note.${row.name}`, { count: row.count })} · ${time(row.time, language)}
      </summary>
      <p-markdown class="small" .text=${row.detail} .say=${say}></p-markdown>
    </details>
  `;
}

function commandRow(row: Extract<Row, { type: "command" }>, { page }: RowActs): TemplateResult {
  return html`
    <article class="chat-command ${row.isOk ? "" : "bad"}">
      <p class="mono soft small">${row.input}</p>
      ${row.output === "" ? nothing : html`<p-markdown .text=${row.output} .say=${page.say}></p-markdown>`}
    </article>
  `;
}

function asideRow(row: Extract<Row, { type: "aside" }>, { page, toggleAside }: RowActs): TemplateResult {
  const { say } = page;
  return html`
    <p class="chat-aside small soft">
      ${icon("undo")} ${say("chat.aside", { count: row.count })}
      <button
        type="button"
        class="quiet"
        aria-expanded=${row.isOpen ? "true" : "false"}
        @click=${() => toggleAside(row.from)}
      >
        ${say(row.isOpen ? "chat.aside.hide" : "chat.aside.show")}
      </button>
    </p>
  `;
}

function workingWords(state: string, { say }: Page): string {
  if (state === "queued") return say("chat.queued");
  return say(state === "waiting" ? "chat.waiting" : "chat.working");
}

function endingRow({ runId, type, reason, canGoOn }: RunEnding, acts: RowActs): TemplateResult {
  const { say } = acts.page;
  const key = `chat.ending.${type}`;
  const words = say(isTextKey(key) ? key : "chat.ending.other");
  return html`
    <div class="note ${type === "aborted" ? "" : "warn"} chat-ending" role="status">
      <span class="grow">
        ${words} ${reason === "" ? nothing : html`<span class="small break">${reason}</span>`}
        <a class="small" href="#/runs/${encodeURIComponent(runId)}">${say("nav.runs")}</a>
      </span>
      ${
        canGoOn && acts.mayWrite
          ? html`<button type="button" class="primary" @click=${() => acts.goOn(runId)}>
              ${say("chat.continue")}
            </button>`
          : nothing
      }
    </div>
  `;
}
