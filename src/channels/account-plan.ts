/** Turns an account of the config into a plan: a connector with its keys, or the reason why it cannot run. */
import type { Channel } from "@pincer/sdk";
import { Check, Clone, Default, Errors } from "typebox/value";
import type { Say } from "../infra/texts.ts";
import type { AccountSettings } from "./accounts.ts";

export type PlannedAccount = Pick<AccountSettings, "channel" | "accountId" | "enabled" | "config"> & {
  problem?: string | undefined;
};

/** Accounts with equal plans can keep their connection. */
export type AccountPlan =
  | { type: "off" }
  | { type: "broken"; reason: string }
  | { type: "connect"; channel: Channel; config: unknown };

/** Never throws. The connector sees its own keys and no others. */
export function planAccount(account: PlannedAccount, channel: Channel | undefined, say: Say): AccountPlan {
  const { channel: id, accountId, config, problem } = account;
  if (!account.enabled) return { type: "off" };
  if (!channel) return { type: "broken", reason: say("channel.no-connector", { channel: id }) };
  const broken = (reason: string): AccountPlan => ({
    type: "broken",
    reason: say("channel.bad-config", { channel: id, accountId, reason }),
  });
  if (problem !== undefined) return broken(problem);
  const schema = channel.config;
  const given = Object.entries(config ?? {}).filter(([name]) => Object.hasOwn(schema.properties, name));
  const own = Default(schema, Clone(Object.fromEntries(given)));
  if (Check(schema, own)) return { type: "connect", channel, config: own };
  const [first] = Errors(schema, own);
  // The path and the rule, never the value: it may be a secret.
  return broken(first ? `${first.instancePath.replace(/^\//, "")} ${first.message}`.trim() : "bad keys");
}
