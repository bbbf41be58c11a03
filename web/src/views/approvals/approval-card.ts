/** One approval request: exactly what would be done, for whom, and why. */
import type { ApprovalScope, ApprovalView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import "../../parts/countdown.ts";
import { time } from "../../parts/time.ts";
import { visibleParts, visibleText } from "../../parts/visible-text.ts";
import type { Page } from "../../shell/page.ts";
import { keyName } from "../sessions/session-name.ts";
import { fromWords, reasonWords } from "./reason-words.ts";

export interface CardActs {
  mayAnswer: boolean;
  isBusy: boolean;
  answer(scope: ApprovalScope | "deny"): void;
  over(): void;
}

export function approvalCard(page: Page, approval: ApprovalView, acts: CardActs): TemplateResult {
  const { say, language } = page;
  const { id, tool, shown } = approval;
  // The gateway writes what cannot be seen by its number already.
  const hasHidden =
    visibleParts(shown).some(({ type }) => type === "mark") || /⟨U\+[0-9A-F]{4,6}⟩/.test(shown);
  return html`
    <article
      class="card approval"
      id=${`approval-${id}`}
      tabindex="0"
      aria-label=${say("approvals.card", { tool, id })}
      data-id=${id}
    >
      <div class="row">
        <h3 class="mono">${tool}</h3>
        <span class="soft small">${id}</span>
        <span class="spacer"></span>
        <span class="soft small">${say("approvals.asked")} ${time(approval.askedAt, language)}</span>
        <span class="badge warn" title=${say("approvals.left")}>
          <span class="visually-hidden">${say("approvals.left")}</span>
          <p-countdown until=${approval.expiresAt} @over=${acts.over}></p-countdown>
        </span>
      </div>
      <pre class="code-box" tabindex="0" aria-label=${say("approvals.exactly")}>${visibleText(shown)}</pre>
      ${hasHidden ? html`<p class="note bad">${say("approvals.hidden")}</p>` : nothing}
      ${facts(page, approval)} ${argumentsOf(page, approval)}
      ${acts.mayAnswer ? answers(page, approval, acts) : html`<p class="hint">${say("approvals.may-not")}</p>`}
    </article>
  `;
}

function facts({ say }: Page, approval: ApprovalView): TemplateResult {
  const { command, cause } = approval;
  const environment = Object.entries(command?.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const row = (name: string, value: TemplateResult | string) =>
    html`<dt>${name}</dt>
      <dd class="break">${value}</dd>`;
  const words = (text: string) => html`${visibleText(text)}`;
  return html`
    <dl class="facts">
      ${row(say("approvals.why"), words(reasonWords(approval.reason, say)))}
      ${row(say("approvals.rule"), words(approval.rule))}
      ${
        cause
          ? row(
              say("approvals.cause"),
              html`${words(
                say("approvals.cause.words", {
                  argument: cause.argument,
                  value: cause.value,
                  from: fromWords(cause.from, say),
                }),
              )}${cause.sentence === "" ? nothing : html`<q class="quote">${visibleText(cause.sentence)}</q>`}`,
            )
          : nothing
      }
      ${command ? row(say("approvals.directory"), html`<code>${visibleText(command.directory)}</code>`) : nothing}
      ${
        command && command.programs.length > 0
          ? row(
              say("approvals.programs"),
              html`${command.programs.map((program) => html`<code class="line">${visibleText(program)}</code>`)}`,
            )
          : nothing
      }
      ${environment.length > 0 ? row(say("approvals.environment"), html`<code>${visibleText(environment.join(" "))}</code>`) : nothing}
      ${command ? row(say("approvals.wall"), words(command.wall)) : nothing}
      ${row(
        say("approvals.for"),
        html`${visibleText(approval.personId)} ·
          <a href=${`#/chat/${encodeURIComponent(approval.sessionKey)}`}
            >${visibleText(keyName(approval.sessionKey, say))}</a
          >
          · <a href=${`#/runs/${encodeURIComponent(approval.turnId)}`}>${say("approvals.run")}</a>`,
      )}
    </dl>
  `;
}

function argumentsOf({ say }: Page, approval: ApprovalView): TemplateResult | typeof nothing {
  if (Object.keys(approval.arguments).length === 0) return nothing;
  return html`
    <details>
      <summary class="small">${say("approvals.arguments")}</summary>
      <pre class="code-box" tabindex="0">${visibleText(JSON.stringify(approval.arguments, null, 2))}</pre>
    </details>
  `;
}

function answers({ say }: Page, approval: ApprovalView, acts: CardActs): TemplateResult {
  const wider = approval.scopes.filter((scope) => scope !== "once");
  const reach = wider.flatMap((scope) => approval.keys[scope] ?? []);
  return html`
    <div class="row">
      <button type="button" class="primary" ?disabled=${acts.isBusy} @click=${() => acts.answer("once")}>
        ${say("approvals.yes.once")}
      </button>
      ${wider.map(
        (scope) => html`
          <button
            type="button"
            ?disabled=${acts.isBusy}
            title=${approval.keys[scope] ?? ""}
            @click=${() => acts.answer(scope)}
          >
            ${say(`approvals.yes.${scope}`)}
          </button>
        `,
      )}
      <span class="spacer"></span>
      <button type="button" class="danger" ?disabled=${acts.isBusy} @click=${() => acts.answer("deny")}>
        ${say("approvals.deny")}
      </button>
    </div>
    ${
      reach.length > 0
        ? html`<p class="hint">
            ${say("approvals.reach")}:
            <span class="mono break">${visibleText([...new Set(reach)].join(" · "))}</span>
          </p>`
        : nothing
    }
  `;
}
