/** Approval requests that wait for the owner, answered ones, and grants. */
import type { ApprovalScope, ApprovalView, EventTopic, GrantView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { empty } from "../../parts/empty.ts";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { rightsOf } from "../../shell/rights.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import { answerOfKey } from "./answer-keys.ts";
import { approvalCard } from "./approval-card.ts";
import { reasonLine } from "./reason-line.ts";
import { answerId, cardsOf } from "./request-cards.ts";

const over = ["approved", "spent", "denied", "expired", "withdrawn"] as const;
const tones = {
  approved: "good",
  spent: "good",
  denied: "bad",
  expired: "warn",
  withdrawn: "",
  pending: "warn",
} as const;

class ApprovalsView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    waiting: { state: true },
    answered: { state: true },
    grants: { state: true },
    busy: { state: true },
  };

  declare waiting: ApprovalView[] | undefined;
  declare answered: ApprovalView[];
  declare grants: GrantView[];
  declare busy: string | undefined;
  private focusedAt = 0;
  private sought = "";

  constructor() {
    super();
    this.answered = [];
    this.grants = [];
  }

  protected override watched(): readonly EventTopic[] {
    return ["approvals"];
  }

  protected override async load(): Promise<void> {
    const [waiting, answered, grants] = await Promise.all([
      this.ask("approvals.list", { states: ["pending"], limit: 200 }),
      this.ask("approvals.list", { states: [...over], limit: 50 }),
      this.ask("grants.list", { limit: 200 }),
    ]);
    this.waiting = waiting?.approvals ?? this.waiting ?? [];
    this.answered = answered?.approvals ?? this.answered;
    this.grants = grants?.grants ?? this.grants;
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.rest === "" || this.sought === this.rest || this.waiting === undefined) return;
    this.sought = this.rest;
    this.querySelector<HTMLElement>(`[data-id="${CSS.escape(this.rest)}"]`)?.focus();
  }

  private get mayAnswer(): boolean {
    return rightsOf(this.page.me).maySetUp;
  }

  private async answer(id: string, scope: ApprovalScope | "deny", only?: readonly number[]): Promise<void> {
    if (this.busy !== undefined) return;
    this.busy = id;
    const done =
      scope === "deny"
        ? await this.ask("approvals.deny", { id })
        : await this.ask("approvals.approve", { id, scope, ...(only && { only: [...only] }) });
    this.busy = undefined;
    if (done) this.page.tell(this.say(scope === "deny" ? "approvals.denied" : "approvals.approved"), "good");
    const at = this.cards().findIndex((card) => card.dataset["id"] === id);
    await this.load();
    await this.updateComplete;
    const cards = this.cards();
    (cards[Math.min(at, cards.length - 1)] ?? this.querySelector<HTMLElement>("h1"))?.focus();
  }

  private async revoke(grant: GrantView): Promise<void> {
    const isSure = await this.page.confirm(`${this.say("approvals.grants.revoke")}: ${grant.shown}`);
    if (!isSure) return;
    if (await this.ask("grants.revoke", { id: grant.id }))
      this.page.tell(this.say("approvals.grants.revoked"), "good");
    await this.load();
  }

  private cards(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("article.approval")];
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const card = event.target as HTMLElement;
    // On a button of the card the keys are the button's.
    if (!card.matches("article.approval")) return;
    const meant = answerOfKey(event, Date.now() - this.focusedAt);
    if (meant === undefined) return;
    event.preventDefault();
    const cards = this.cards();
    const id = card.dataset["id"] ?? "";
    if (meant === "approve" && this.mayAnswer) void this.answer(id, "once");
    else if (meant === "deny" && this.mayAnswer) void this.answer(id, "deny");
    else cards[cards.indexOf(card) + (meant === "next" ? 1 : -1)]?.focus();
  };

  private readonly focused = (event: FocusEvent): void => {
    if ((event.target as HTMLElement).matches("article.approval")) this.focusedAt = Date.now();
  };

  protected override render(): TemplateResult {
    const { say } = this;
    const { waiting } = this;
    return html`
      <div class="page-head">
        <h1 tabindex="-1">${say("approvals.title")}</h1>
        ${waiting?.length ? this.badge("warn", waiting.length) : nothing}
      </div>
      <div class="stack wide-gap">
        <section class="stack" aria-labelledby="waiting-head" aria-live="polite">
          <div class="row">
            <h2 id="waiting-head" class="grow">${say("approvals.waiting")}</h2>
            ${waiting?.length ? html`<p class="hint desk-only">${say("approvals.keys")}</p>` : nothing}
          </div>
          ${waiting === undefined ? html`<p class="empty">${say("shell.loading")}</p>` : this.questions(waiting)}
        </section>
        <section class="stack" aria-labelledby="grants-head">
          <h2 id="grants-head">${say("approvals.grants")}</h2>
          ${this.grants.length === 0 ? html`<p class="soft">${say("approvals.grants.none")}</p>` : this.grantTable()}
        </section>
        <section class="stack" aria-labelledby="answered-head">
          <h2 id="answered-head">${say("approvals.answered")}</h2>
          ${this.answered.length === 0 ? html`<p class="soft">${say("approvals.answered.none")}</p>` : this.answeredTable()}
        </section>
      </div>
    `;
  }

  private questions(waiting: ApprovalView[]): TemplateResult {
    if (waiting.length === 0) return empty(this.say("approvals.none"));
    return html`
      <div class="stack" @keydown=${this.pressed} @focusin=${this.focused}>
        ${repeat(cardsOf(waiting), answerId, (card) =>
          approvalCard(this.page, card, {
            mayAnswer: this.mayAnswer,
            mayGrant: rightsOf(this.page.me).isOwner,
            isBusy: this.busy === answerId(card),
            answer: (scope, only) => void this.answer(answerId(card), scope, only),
            over: () => void this.load(),
          }),
        )}
      </div>
    `;
  }

  private grantTable(): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    return html`
      <div class="scroll-x" tabindex="0" role="region" aria-label=${say("approvals.grants.good-for")}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${say("approvals.grants.good-for")}</th>
              <th scope="col">${say("approvals.grants.scope")}</th>
              <th scope="col">${say("approvals.grants.agent")}</th>
              <th scope="col">${say("approvals.grants.given")}</th>
              <th scope="col">${say("approvals.grants.until")}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${this.grants.map(
              (grant) => html`
                <tr>
                  <td class="mono break">${visibleText(grant.shown)}</td>
                  <td>${say(`approvals.yes.${grant.scope}`)}</td>
                  <td>${grant.agentId}</td>
                  <td>${time(grant.createdAt, language)} · ${grant.grantedBy}</td>
                  <td>
                    ${
                      grant.scope === "task"
                        ? say("approvals.grants.task")
                        : grant.expiresAt === null
                          ? say("approvals.grants.always")
                          : time(grant.expiresAt, language)
                    }
                  </td>
                  <td>
                    <button
                      type="button"
                      class="danger"
                      ?disabled=${!this.mayAnswer}
                      @click=${() => void this.revoke(grant)}
                    >
                      ${say("approvals.grants.revoke")}
                    </button>
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  private answeredTable(): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    return html`
      <div class="scroll-x" tabindex="0" role="region" aria-label=${say("approvals.what")}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${say("approvals.state")}</th>
              <th scope="col">${say("approvals.what")}</th>
              <th scope="col">${say("approvals.by")}</th>
              <th scope="col">${say("approvals.when")}</th>
            </tr>
          </thead>
          <tbody>
            ${this.answered.map(
              (approval) => html`
                <tr>
                  <td>
                    <span class="badge ${tones[approval.state]}"
                      >${say(`approvals.state.${approval.state}`)}</span
                    >
                  </td>
                  <td>
                    <details class="one-line">
                      <summary>
                        <strong class="mono">${approval.tool}</strong>
                        <span class="mono">${visibleText(approval.shown.slice(0, 160))}</span>
                      </summary>
                      <pre class="code-box" tabindex="0">${visibleText(approval.shown)}</pre>
                      <p class="hint break">${visibleText(reasonLine(approval, say))}</p>
                    </details>
                  </td>
                  <td class="break">${approval.answeredBy ?? ""}</td>
                  <td class="no-wrap">${time(approval.answeredAt ?? approval.askedAt, language)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
}

customElements.define("view-approvals", ApprovalsView);
