/** How each row looks. */
import type { ApprovalScope, MessageFile } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { count, duration, money } from "../../parts/amounts.ts";
import { copyButton } from "../../parts/copy-button.ts";
import { icon } from "../../parts/icon.ts";
import "../../parts/markdown.ts";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import type { Page } from "../../shell/page.ts";
import { isTextKey } from "../../texts/texts.ts";
import { approvalCard } from "../approvals/approval-card.ts";
import type { RunEnding } from "./conversation.ts";
import type { PendingMessage } from "./pending.ts";
import type { AnswerRow, Row, ToolRow, UserRow } from "./row.ts";

/** What can be done with a row, and what it needs to know besides itself. */
export interface RowActs {
  page: Page;
  sessionId: string;
  isConnected: boolean;
  mayWrite: boolean;
  mayAnswer: boolean;
  /** The message that would be answered again. */
  lastAsked: UserRow | undefined;
  answering: string | undefined;
  edit(row: UserRow): void;
  retry(row: UserRow): void;
  /** Undefined if this person may not ask. */
  why: ((tool: string) => void) | undefined;
  answer(id: string, scope: ApprovalScope | "deny"): void;
  refresh(): void;
  goOn(runId: string): void;
  toggleAside(from: number): void;
  again(key: string): void;
  takeBack(message: PendingMessage): void;
  discard(key: string): void;
}

export function rowTemplate(row: Row, acts: RowActs): TemplateResult {
  switch (row.type) {
    case "day":
      return html`<p class="chat-day small soft"><span>${dayWords(row.time, acts.page)}</span></p>`;
    case "user":
      return userRow(row, acts);
    case "answer":
      return answerRow(row, acts);
    case "tool":
      return toolRow(row, acts);
    case "approval":
      return approvalCard(acts.page, row.approval, {
        mayAnswer: acts.mayAnswer,
        isBusy: acts.answering === row.approval.id,
        answer: (scope) => acts.answer(row.approval.id, scope),
        over: acts.refresh,
      });
    case "pending":
      return pendingRow(row.pending, acts);
    case "note":
      return noteRow(row, acts);
    case "command":
      return commandRow(row, acts);
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
      ${row.text === "" ? nothing : html`<p class="chat-words">${row.text}</p>`}
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

const shownPicture = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function fileList(files: readonly MessageFile[], seq: number, { page, sessionId }: RowActs): TemplateResult {
  const { say } = page;
  const address = ({ media }: MessageFile) =>
    `/api/media/${encodeURIComponent(media)}?session=${encodeURIComponent(sessionId)}&seq=${seq}`;
  return html`
    <ul class="chat-files" aria-label=${say("chat.attached")}>
      ${files.map((file) => {
        const name = file.name ?? file.mimeType;
        return html`
          <li>
            ${
              shownPicture.test(file.mimeType)
                ? html`<a href=${address(file)} target="_blank" rel="noopener"
                    ><img loading="lazy" src=${address(file)} alt=${say("chat.picture", { name })}
                  /></a>`
                : html`<a
                    class="button"
                    href="${address(file)}&download"
                    download=${name}
                    aria-label=${say("chat.download", { name })}
                    >${icon("download")} <span class="clip">${name}</span></a
                  >`
            }
          </li>
        `;
      })}
    </ul>
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
      ${row.error === "" || isTold ? nothing : html`<p class="note bad break">${row.error}</p>`}
      ${row.isLive || (row.text === "" && row.error === "") ? nothing : answerMeta(row, acts)}
    </article>
  `;
}

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
        row.isLast
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

function toolRow(row: ToolRow, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  const given = briefly(row.arguments);
  return html`
    <details class="chat-fold chat-tool">
      <summary>
        ${row.state === "running" ? html`<span class="spinner"></span>` : icon("tool")}
        <span class="mono chat-tool-name">${row.name}</span>
        <span class="mono soft clip chat-tool-brief">${visibleText(given)}</span>
        <span class="badge ${tones[row.state]}">${say(`chat.tool.${row.state}`)}</span>
        ${row.ms === undefined ? nothing : html`<span class="small soft chat-tool-time">${duration(row.ms)}</span>`}
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

/** The one argument that says most, on one line. */
function briefly(given: Record<string, unknown>): string {
  const first = Object.values(given).find((value) => typeof value === "string");
  const words = first ?? (Object.keys(given).length > 0 ? JSON.stringify(given) : "");
  return words.replaceAll(/\s+/g, " ").slice(0, 120);
}

function pendingRow(message: PendingMessage, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  return html`
    <article class="chat-user pending ${message.state}" aria-label=${say("chat.you")}>
      ${message.text === "" ? nothing : html`<p class="chat-words">${message.text}</p>`}
      ${message.files.map(({ name, type }) => html`<p class="small">${icon("attach")} ${name === "" ? type : name}</p>`)}
      <footer class="chat-meta small soft" role="status">
        ${message.state === "failed" ? icon("warning") : message.state === "taken" ? icon("clock") : html`<span class="spinner"></span>`}
        <span>${pendingWords(message, acts)}</span>
        ${message.state === "failed" ? pendingButtons(message, acts) : nothing}
      </footer>
    </article>
  `;
}

function pendingWords(
  { state, joined, isUnread, problem = "" }: PendingMessage,
  { page, isConnected }: RowActs,
): string {
  const { say } = page;
  if (isUnread) return say("chat.pending.unread");
  if (state === "failed") return say("chat.pending.failed", { problem });
  if (state === "taken") return say(joined ? "chat.pending.joined" : "chat.pending.taken");
  return say(isConnected ? "chat.pending.sending" : "chat.pending.offline");
}

function pendingButtons(message: PendingMessage, acts: RowActs): TemplateResult {
  const { say } = acts.page;
  return html`
    <span class="row">
      <button type="button" @click=${() => acts.again(message.key)}>${say("chat.pending.again")}</button>
      <button type="button" @click=${() => acts.takeBack(message)}>${say("chat.pending.edit")}</button>
      <button type="button" class="danger" @click=${() => acts.discard(message.key)}>
        ${say("chat.pending.discard")}
      </button>
    </span>
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
