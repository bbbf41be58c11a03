/** The limits on what models may use, and how much of each is used. */
import type { BudgetView } from "@pincer/sdk";
import { html, type TemplateResult } from "lit";
import { count, money } from "../../parts/amounts.ts";
import { cssVariables } from "../../parts/css-variables.ts";
import type { Page } from "../../shell/page.ts";

type Told = Pick<Page, "say" | "language">;

export function budgetList(budgets: readonly BudgetView[], page: Told): TemplateResult {
  const { say } = page;
  return html`
    <section class="card" aria-labelledby="usage-budgets">
      <h2 id="usage-budgets">${say("usage.budgets")}</h2>
      ${
        budgets.length === 0
          ? html`<p class="soft">
              ${say("usage.budgets.none")} <a href="#/config/budgets">${say("usage.budgets.set")}</a>
            </p>`
          : html`<ul class="budgets">
              ${budgets.map((budget) => budgetItem(budget, page))}
            </ul>`
      }
    </section>
  `;
}

function budgetItem(budget: BudgetView, { say, language }: Told): TemplateResult {
  const { used, limit, what, scope } = budget;
  const share = limit === 0 ? 100 : (used / limit) * 100;
  const words = (value: number) =>
    what === "cost"
      ? money(value)
      : say(what === "tokens" ? "usage.tokens" : "usage.budget.calls", { count: count(value, language) });
  const whose =
    scope === "agent"
      ? say("usage.budget.agent", { agent: budget.agentId ?? "" })
      : say(`usage.budget.${scope}`);
  const told = say("usage.budget.used", { used: words(used), limit: words(limit) });
  return html`
    <li>
      <span class="row"><strong class="grow">${whose}</strong> <span>${told}</span></span>
      <span
        class="budget-meter ${share >= 100 ? "bad" : share >= 80 ? "warn" : ""}"
        role="meter"
        aria-label=${whose}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.min(100, Math.round(share))}
        aria-valuetext=${told}
        ><span ${cssVariables({ "--width": `${Math.min(100, share)}%` })}></span
      ></span>
      <code class="soft small">${budget.configKey}</code>
    </li>
  `;
}
