/** Asks for everything that may need the owner; skips what the role may not see. */
import type { MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { Page } from "../../shell/page.ts";
import { needsOwner, type Need } from "./needs-owner.ts";

/** Never throws. */
export async function askNeeds({ link, language }: Pick<Page, "link" | "language">): Promise<Need[]> {
  const ask = <Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: MethodParams<Name>,
  ): Promise<MethodResults[Name] | undefined> => link.request(method, params as never).catch(() => undefined);
  const [approvals, pairing, channels, budgets, notices, config] = await Promise.all([
    ask("approvals.list", { states: ["pending"], limit: 50 }),
    ask("pairing.list", {}),
    ask("channels.list", { language }),
    ask("usage.budgets", {}),
    ask("notices.list", { limit: 50, language }),
    ask("config.get", { path: "configVersion", language }),
  ]);
  return needsOwner({
    approvals: approvals?.approvals ?? [],
    pairing: pairing?.pending ?? [],
    channels: channels?.channels ?? [],
    budgets: budgets?.budgets ?? [],
    notices: notices?.notices ?? [],
    configProblems: config?.mode === "safe" ? config.problems : [],
  });
}
