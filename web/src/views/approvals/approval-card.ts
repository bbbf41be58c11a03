/** What the assistant wants to do and needs a yes for, on one card: exactly what would be done, for whom, and why. */
import { fieldsText, type ApprovalScope, type ApprovalView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import "../../parts/countdown.ts";
import { time } from "../../parts/time.ts";
import { visibleParts, visibleText } from "../../parts/visible-text.ts";
import type { Page } from "../../shell/page.ts";
import { keyName } from "../sessions/session-name.ts";
import { fromLine, quoted, reasonLine } from "./reason-line.ts";
import { cardId, numberOf, scopesOfAll, type RequestCard } from "./request-cards.ts";

export interface CardActs {
  mayAnswer: boolean;
  /** Whether this person may say yes to more than one call. */
  mayGrant: boolean;
  isBusy: boolean;
  /** `only`: the numbers that this is for; the others are denied. */
  answer(scope: ApprovalScope | "deny", only?: readonly number[]): void;
  over(): void;
}

export function approvalCard(page: Page, card: RequestCard, acts: CardActs): TemplateResult {
  const { say, language } = page;
  const [first] = card;
  const isJoint = card.length > 1;
  const id = isJoint ? cardId(first) : first.id;
  const tool = [...new Set(card.map((each) => each.tool))].join(", ");
  return html`
    <article
      class="card approval"
      id=${`approval-${id}`}
      tabindex="0"
      aria-label=${say("approvals.card", { tool, id })}
      data-id=${id}
    >
      <div class="row">
        ${
          isJoint
            ? html`<h3>${say("approvals.wants", { count: card.length })}</h3>`
            : html`<h3 class="mono">${visibleText(tool)}</h3>`
        }
        <span class="soft small">${id}</span>
        <span class="spacer"></span>
        <span class="soft small">${say("approvals.asked")} ${time(first.askedAt, language)}</span>
        <span class="badge warn" title=${say("approvals.left")}>
          <span class="visually-hidden">${say("approvals.left")}</span>
          <p-countdown until=${first.expiresAt} @over=${acts.over}></p-countdown>
        </span>
      </div>
      ${isJoint ? items(page, card, acts) : html`${what(page, first)} ${facts(page, first)}`}
      <dl class="facts">${forWhom(page, first)}</dl>
      ${
        acts.mayAnswer
          ? isJoint
            ? jointAnswers(page, card, acts)
            : answers(page, first, acts)
          : html`<p class="hint">${say("approvals.may-not")}</p>`
      }
    </article>
  `;
}

function items(page: Page, card: RequestCard, { mayAnswer }: CardActs): TemplateResult {
  const { say } = page;
  return html`
    <ol class="approval-items">
      ${card.map((approval) => {
        const number = numberOf(approval);
        const label = say("approvals.item", { number, tool: approval.tool });
        return html`
          <li value=${number}>
            <label class="row">
              ${mayAnswer ? html`<input type="checkbox" value=${number} aria-label=${label} />` : nothing}
              <span>${number}.</span>
              <strong class="mono">${visibleText(approval.tool)}</strong>
            </label>
            ${what(page, approval)} ${facts(page, approval)}
          </li>
        `;
      })}
    </ol>
  `;
}

/** As fields where that says it all; else exactly as it would run, with the arguments below. */
function what({ say }: Page, approval: ApprovalView): TemplateResult {
  const { shown, fields = [] } = approval;
  const isFields = fields.length > 0 && fieldsText(fields) === shown;
  // The gateway writes what cannot be seen by its number already.
  const hasHidden =
    visibleParts(shown).some(({ type }) => type === "mark") || /⟨U\+[0-9A-F]{4,6}⟩/.test(shown);
  return html`
    ${
      isFields
        ? fieldList(approval)
        : html`<pre class="code-box" tabindex="0" aria-label=${say("approvals.exactly")}>
${visibleText(shown)}</pre>`
    }
    ${hasHidden ? html`<p class="note bad">${say("approvals.hidden")}</p>` : nothing}
    ${isFields ? nothing : argumentsOf(say, approval)}
  `;
}

const fieldList = ({ fields = [] }: ApprovalView): TemplateResult => html`
  <dl class="facts fields">
    ${fields.map(
      ({ name, about, value }) => html`
        <dt>
          <span class="mono">${visibleText(name)}</span>
          ${about === undefined ? nothing : html`<span class="soft small">${visibleText(about)}</span>`}
        </dt>
        <dd class="break field-value">${visibleText(value)}</dd>
      `,
    )}
  </dl>
`;

function argumentsOf(say: Page["say"], approval: ApprovalView): TemplateResult | typeof nothing {
  if (Object.keys(approval.arguments).length === 0) return nothing;
  return html`
    <details>
      <summary class="small">${say("approvals.arguments")}</summary>
      ${
        approval.fields
          ? fieldList(approval)
          : html`<pre class="code-box" tabindex="0">
${visibleText(JSON.stringify(approval.arguments, null, 2))}</pre>`
      }
    </details>
  `;
}

const row = (name: string, value: TemplateResult | string): TemplateResult =>
  html`<dt>${name}</dt>
    <dd class="break">${value}</dd>`;

function facts({ say }: Page, approval: ApprovalView): TemplateResult {
  const { command, cause } = approval;
  const environment = Object.entries(command?.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const words = (text: string) => html`${visibleText(text)}`;
  return html`
    <dl class="facts">
      ${row(say("approvals.why"), words(reasonLine(approval, say)))}
      ${row(say("approvals.rule"), words(approval.rule))}
      ${cause ? row(say("approvals.cause"), causeOf(cause, say)) : nothing}
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
      ${command ? row(say("approvals.wall"), words(command.wall === "" ? say("approvals.wall.none") : command.wall)) : nothing}
    </dl>
  `;
}

function causeOf(
  { argument, value, from, sentence }: NonNullable<ApprovalView["cause"]>,
  say: Page["say"],
): TemplateResult {
  const given = { argument, value: quoted(value), from: fromLine(from, say) };
  const words = say(from === "" ? "approvals.cause.alone" : "approvals.cause.words", given);
  return html`${visibleText(words)}${
    sentence === "" ? nothing : html`<q class="quote">${visibleText(sentence)}</q>`
  }`;
}

function forWhom({ say }: Page, approval: ApprovalView): TemplateResult {
  return row(
    say("approvals.for"),
    html`${visibleText(approval.personId)} ·
      <a href=${`#/chat/${encodeURIComponent(approval.sessionKey)}`}
        >${visibleText(keyName(approval.sessionKey, say))}</a
      >
      · <a href=${`#/runs/${encodeURIComponent(approval.turnId)}`}>${say("approvals.run")}</a>`,
  );
}

function answers({ say }: Page, approval: ApprovalView, acts: CardActs): TemplateResult {
  const wider = acts.mayGrant ? approval.scopes.filter((scope) => scope !== "once") : [];
  const reach = wider.flatMap((scope) => approval.keys[scope] ?? []);
  return html`
    <div class="row answers">
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

function jointAnswers(page: Page, card: RequestCard, acts: CardActs): TemplateResult {
  const { say } = page;
  const some = (event: Event) => {
    const article = (event.currentTarget as HTMLElement).closest("article");
    const marked = [...(article?.querySelectorAll<HTMLInputElement>("input:checked") ?? [])];
    if (marked.length === 0) return page.tell(say("approvals.only.none"));
    acts.answer(
      "once",
      marked.map(({ value }) => Number(value)),
    );
  };
  return html`
    <div class="row answers">
      ${scopesOfAll(card).map(
        (scope) => html`
          <button
            type="button"
            class=${scope === "once" ? "primary" : ""}
            ?disabled=${acts.isBusy}
            @click=${() => acts.answer(scope)}
          >
            ${say(`approvals.all.${scope}`)}
          </button>
        `,
      )}
      <button type="button" ?disabled=${acts.isBusy} @click=${some}>${say("approvals.only")}</button>
      <span class="spacer"></span>
      <button type="button" class="danger" ?disabled=${acts.isBusy} @click=${() => acts.answer("deny")}>
        ${say("approvals.deny.all")}
      </button>
    </div>
  `;
}
