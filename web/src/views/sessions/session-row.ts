/** One session in the list. */
import type { SessionView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { count } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import { icon } from "../../parts/icon.ts";
import "../../parts/menu.ts";
import { time } from "../../parts/time.ts";
import type { Page } from "../../shell/page.ts";
import type { SessionActions } from "./session-actions.ts";
import { chatAddress, keyName, sessionName } from "./session-name.ts";

interface RowParts {
  session: SessionView;
  /** From 0, among all that are loaded. */
  place: number;
  /** How many there are; -1 where nobody knows yet. */
  ofAll: number;
  page: Pick<Page, "say" | "language">;
  actions: SessionActions | undefined;
}

export function sessionRow({ session, place, ofAll, page, actions }: RowParts): TemplateResult {
  const { say, language } = page;
  const name = sessionName(session, say);
  return html`
    <li
      class="session-row"
      ${cssVariables({ "--place": String(place) })}
      aria-setsize=${ofAll}
      aria-posinset=${place + 1}
    >
      <a class="session-open" href="#/sessions/${session.sessionId}">
        <span class="session-name clip">${name}</span>
        <span class="session-facts clip soft small">
          ${keyName(session.sessionKey, say)} · ${session.origin.channel}
          ${session.agentId === "main" ? nothing : html` · ${session.agentId}`} ·
          ${say("sessions.messages", { count: count(session.messageCount, language) })}
        </span>
      </a>
      <span class="session-side soft small">
        ${
          session.state === "ended"
            ? html`<span class="badge">${say("sessions.ended")}</span>`
            : html`<span class="session-tokens"
                >${say("sessions.tokens", { count: count(session.tokens.total, language) })}</span
              >`
        }
        ${time(session.updatedAt, language)}
      </span>
      <a
        class="button quiet icon-only session-chat"
        href="#${chatAddress(session)}"
        aria-label=${`${say("sessions.open")}: ${name}`}
        title=${say("sessions.open")}
        >${icon("chat")}</a
      >
      <p-menu
        @click=${opensUpwards}
        .label=${say("sessions.more", { name })}
        .items=${actions?.itemsFor(session, name) ?? []}
      ></p-menu>
    </li>
  `;
}

/** A menu near the lower edge opens upwards, so that all of it is seen. */
const opensUpwards = {
  handleEvent({ currentTarget }: Event): void {
    const row = (currentTarget as HTMLElement).closest("li");
    row?.classList.toggle("low", row.getBoundingClientRect().top > innerHeight * 0.6);
  },
  capture: true,
};
