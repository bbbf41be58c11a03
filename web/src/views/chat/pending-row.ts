/** How a message looks that is on its way. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { PendingMessage } from "./pending.ts";
import type { RowActs } from "./row-acts.ts";
import { spokenWords } from "./spoken-words.ts";

export function pendingRow(message: PendingMessage, acts: RowActs): TemplateResult {
  const { page } = acts;
  const { say } = page;
  return html`
    <article class="chat-user pending ${message.state}" aria-label=${say("chat.you")}>
      ${message.text === "" ? nothing : spokenWords(message, say)}
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
