/** What models have used and cost: by day, by name, and against the limits that are set. */
import type { BudgetView, EventTopic, MethodResults } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { count, money } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import { empty } from "../../parts/empty.ts";
import { View } from "../../shell/view.ts";
import { keyName } from "../sessions/session-name.ts";
import { budgetList } from "./budget-list.ts";
import "./daily-chart.ts";
import "./series.css";
import "./usage.css";
import {
  cacheShare,
  lastDays,
  stackDays,
  sumByKey,
  sumOf,
  type KeySum,
  type Metric,
} from "./usage-figures.ts";

const ranges = [7, 30, 90] as const;
const groupings = ["model", "agent", "session", "credential"] as const;
type Grouping = (typeof groupings)[number];

/** How many names are listed; the chart and the sums include all. */
const mostNames = 100;

class UsageView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    range: { state: true },
    by: { state: true },
    metric: { state: true },
    daily: { state: true },
    totals: { state: true },
    budgets: { state: true },
  };

  declare range: (typeof ranges)[number];
  declare by: Grouping;
  declare metric: Metric;
  declare daily: MethodResults["usage.daily"] | undefined;
  declare totals: MethodResults["usage.totals"] | undefined;
  declare budgets: BudgetView[] | undefined;

  constructor() {
    super();
    this.range = 30;
    this.by = "model";
    this.metric = "cost";
  }

  protected override watched(): readonly EventTopic[] {
    return ["runs", "config"];
  }

  private days(): string[] {
    return lastDays(new Date().toISOString().slice(0, 10), this.range);
  }

  protected override async load(): Promise<void> {
    const { by, range } = this;
    const [first = ""] = this.days();
    const [daily, totals, budgets] = await Promise.all([
      this.ask("usage.daily", { by, from: `${first}T00:00:00.000Z` }),
      this.ask("usage.totals", {}),
      this.ask("usage.budgets", {}),
    ]);
    if (by !== this.by || range !== this.range) return;
    if (daily) this.daily = daily;
    if (totals) this.totals = totals;
    if (budgets) this.budgets = budgets.budgets;
  }

  private choose(change: { range?: (typeof ranges)[number]; by?: Grouping }): void {
    Object.assign(this, change);
    void this.load();
  }

  protected override render(): TemplateResult {
    const { say, daily } = this;
    return html`
      <header class="page-head">
        <div class="grow">
          <h1>${say("usage.title")}</h1>
          <p class="soft">${say("usage.about")}</p>
        </div>
      </header>
      <div class="stack">
        ${this.figures()} ${this.toolbar()} ${daily ? this.charts(daily) : empty(say("shell.loading"))}
        ${this.budgets ? budgetList(this.budgets, this.page) : nothing}
      </div>
    `;
  }

  private figures(): TemplateResult {
    const { say, totals, daily } = this;
    const { language } = this.page;
    const sum = daily && sumOf(daily.days);
    const share = sum && cacheShare(sum);
    const figure = (name: string, value: string, more: string) => html`
      <div class="card usage-figure">
        <dt>${name}</dt>
        <dd>
          <strong>${value}</strong>
          <span class="soft small">${more}</span>
        </dd>
      </div>
    `;
    const used = (amount: { calls: number; cost: number; total: number } | undefined, name: string) =>
      figure(
        name,
        amount ? money(amount.cost) : "…",
        amount
          ? `${say("usage.tokens", { count: count(amount.total, language) })} · ${say("usage.calls", { count: count(amount.calls, language) })}`
          : "",
      );
    return html`
      <dl class="usage-figures">
        ${used(totals?.today, say("usage.today"))} ${used(totals?.month, say("usage.month"))}
        ${used(sum && { ...sum, total: sum.tokens }, say("usage.in-range", { count: this.range }))}
        ${figure(
          say("usage.cache"),
          share === undefined ? "–" : `${Math.round(share * 100)} %`,
          say("usage.cache.about"),
        )}
      </dl>
    `;
  }

  private toolbar(): TemplateResult {
    const { say } = this;
    return html`
      <div class="toolbar usage-tools">
        <fieldset class="usage-choices">
          <legend>${say("usage.range")}</legend>
          ${ranges.map((range) =>
            choice(say("usage.range.days", { count: range }), this.range === range, () =>
              this.choose({ range }),
            ),
          )}
        </fieldset>
        <fieldset class="usage-choices">
          <legend>${say("usage.by")}</legend>
          ${groupings.map((by) => choice(say(`usage.by.${by}`), this.by === by, () => this.choose({ by })))}
        </fieldset>
        <fieldset class="usage-choices">
          <legend>${say("usage.metric")}</legend>
          ${(["cost", "tokens"] as const).map((metric) =>
            choice(say(`usage.metric.${metric}`), this.metric === metric, () => (this.metric = metric)),
          )}
        </fieldset>
      </div>
    `;
  }

  private nameOf(key: string): string {
    if (key === "-") return this.say("usage.none-named");
    return this.by === "session" ? keyName(key, this.say) : key;
  }

  private charts({ days, isCut }: MethodResults["usage.daily"]): TemplateResult {
    const { say, metric } = this;
    const sum = sumOf(days);
    if (sum.calls === 0) return html`<div class="card">${empty(say("usage.none"))}</div>`;
    return html`
      ${isCut ? html`<p class="note warn">${say("usage.cut")}</p>` : nothing}
      ${
        sum.unpriced > 0
          ? html`<p class="note">
              ${say("usage.unpriced", { count: count(sum.unpriced, this.page.language) })}
            </p>`
          : nothing
      }
      <section class="card">
        <daily-chart
          .stacks=${stackDays(days, { metric, range: this.days() })}
          .metric=${metric}
          .say=${say}
          .language=${this.page.language}
          .nameOf=${(key: string) => this.nameOf(key)}
        ></daily-chart>
      </section>
      ${this.breakDown(sumByKey(days), sum)}
    `;
  }

  private breakDown(sums: readonly KeySum[], all: KeySum): TemplateResult {
    const { say, metric } = this;
    const { language } = this.page;
    const number = (value: number) => count(value, language);
    const amount = (sum: KeySum) => (metric === "cost" ? sum.cost : sum.tokens);
    const shareOf = (sum: KeySum) => (amount(all) === 0 ? 0 : (amount(sum) / amount(all)) * 100);
    return html`
      <section class="card" aria-labelledby="usage-names">
        <h2 id="usage-names">${say("usage.break-down")}</h2>
        <div class="scroll-x" tabindex="0" role="region" aria-labelledby="usage-names">
          <table class="table usage-table">
            <thead>
              <tr>
                <th scope="col">${say(`usage.by.${this.by}`)}</th>
                <th scope="col" class="number">${say("usage.requests")}</th>
                <th scope="col" class="number">${say("usage.input")}</th>
                <th scope="col" class="number">${say("usage.output")}</th>
                <th scope="col" class="number">${say("usage.cached")}</th>
                <th scope="col" class="number">${say("usage.cost")}</th>
                <th scope="col">${say("usage.share")}</th>
              </tr>
            </thead>
            <tbody>
              ${sums.slice(0, mostNames).map((sum) => {
                const cached = cacheShare(sum);
                return html`
                  <tr>
                    <th scope="row" class="usage-name">${this.nameOf(sum.key)}</th>
                    <td class="number">
                      ${number(sum.calls)}
                      ${sum.failures > 0 ? html`<span class="badge bad">${say("usage.failures", { count: number(sum.failures) })}</span>` : nothing}
                    </td>
                    <td class="number">${number(sum.input + sum.cacheRead + sum.cacheWrite)}</td>
                    <td class="number">${number(sum.output)}</td>
                    <td class="number">${cached === undefined ? "–" : `${Math.round(cached * 100)} %`}</td>
                    <td class="number">${money(sum.cost)}</td>
                    <td>
                      <span class="usage-share"
                        ><span
                          class="usage-share-bar"
                          ${cssVariables({ "--width": `${shareOf(sum)}%` })}
                        ></span
                      ></span>
                      <span class="number small">${Math.round(shareOf(sum))} %</span>
                    </td>
                  </tr>
                `;
              })}
            </tbody>
          </table>
        </div>
      </section>
    `;
  }
}

const choice = (words: string, isChosen: boolean, choose: () => void): TemplateResult => html`
  <button type="button" class="usage-choice" aria-pressed=${isChosen ? "true" : "false"} @click=${choose}>
    ${words}
  </button>
`;

if (!customElements.get("view-usage")) customElements.define("view-usage", UsageView);
