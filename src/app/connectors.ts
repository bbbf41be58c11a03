/** What the gateway reads of its config: which connectors it needs, what their secrets are, how messages are routed. */
import { asPincerError, type Channel } from "@pincer/sdk";
import { readAccounts, type AccountSettings } from "../channels/accounts.ts";
import { sayProblem, type Problem } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { AgentFacts } from "../routing/find-agent.ts";
import { hideSecretsOf } from "../storage/home/foundation.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import type { GatewayLog } from "../gateway/logs/gateway-log.ts";

/** The connectors that come with the product. A connector is imported when a config switches it on. */
const included: Record<string, () => Promise<Channel>> = {
  irc: async () => (await import("@pincer/channel-irc")).ircChannel,
  local: async () => (await import("@pincer/channel-local")).localChannel,
  telegram: async () => (await import("@pincer/channel-telegram")).telegramChannel,
  webhook: async () => (await import("@pincer/channel-webhook")).webhookChannel,
};

export async function loadConnectors(
  config: Config,
  others: readonly Channel[],
): Promise<Map<string, Channel>> {
  const connectors = new Map(others.map((channel) => [channel.id, channel]));
  // One that is switched off costs nothing.
  const wanted = new Set(
    readAccounts(config.channels).flatMap(({ channel, enabled }) => (enabled ? [channel] : [])),
  );
  for (const id of wanted) {
    const connector = connectors.has(id) ? undefined : await loadConnector(id);
    if (connector) connectors.set(id, connector);
  }
  return connectors;
}

/** One that comes with the product; undefined where there is none of that name. */
export const loadConnector = async (id: string): Promise<Channel | undefined> =>
  Object.hasOwn(included, id) ? included[id]?.() : undefined;

/** The names of those that come with the product. */
export const includedConnectors: readonly string[] = Object.keys(included);

/** The accounts with their secrets in place of the names that the config has for them. One that is missing breaks its account only. */
export async function withSecrets(
  accounts: readonly AccountSettings[],
  secrets: Pick<Secrets, "resolve">,
): Promise<AccountSettings[]> {
  return Promise.all(
    accounts.map(async (account) => {
      if (!account.enabled) return account;
      try {
        return { ...account, config: await resolveAll(account.config, secrets) };
      } catch (error) {
        return { ...account, problem: account.problem ?? asPincerError(error).message };
      }
    }),
  );
}

async function resolveAll(value: unknown, secrets: Pick<Secrets, "resolve">): Promise<unknown> {
  if (typeof value === "string") return value.startsWith("secret:") ? secrets.resolve(value) : value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => resolveAll(each, secrets)));
  if (typeof value !== "object" || value === null) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([key, each]) => [key, await resolveAll(each, secrets)] as const),
  );
  return Object.fromEntries(pairs);
}

export const agentFacts = (config: Config, defaultAgentId: string): AgentFacts => ({
  bindings: config.bindings,
  defaultAgentId,
  agentIds: config.agents.list.map((agent) => agent.id),
});

export interface ConfigFollower {
  /** Takes the file up now; resolves when it is in force, or to the problems for which it was refused. */
  reload(): Promise<Problem[]>;
  close(): Promise<void>;
}

/** Hands over each new config while the gateway runs, one after the other, each when its secrets can no longer be told. */
export async function followConfig(
  openedHome: OpenHome,
  parts: OpenHomeParts,
  log: GatewayLog,
  /** Resolves when it is in force. Must not throw. */
  apply: (config: Config) => Promise<void>,
): Promise<ConfigFollower> {
  const { watchConfig } = await import("../config/watch-config.ts");
  const { request, loaded, secrets } = openedHome.foundation;
  let applying: Promise<void> = Promise.resolve();
  const watch = await watchConfig({
    request,
    loaded,
    clock: openedHome.clock,
    onEvent(event) {
      if (event.type === "rejected") {
        const problem = event.problems.map((each) => sayProblem(each, parts.say)).join("; ");
        return log.warn(parts.say("chat.config-rejected", { problem }));
      }
      const hiding = [hideStored(secrets, parts.redactor), hideSecretsOf(event.loaded, parts.redactor)];
      const paths = event.changes.map(({ path }) => path).join(", ");
      applying = Promise.all([...hiding, applying])
        .then(async () => {
          await apply(event.loaded.config);
          parts.speak?.(event.loaded.config.language);
          log.info(parts.say("gateway.config-applied", { paths }));
        })
        .catch((error: unknown) => log.error(asPincerError(error).message));
    },
  });
  return {
    async reload() {
      const problems = await watch.reload();
      await applying;
      return problems;
    },
    close: watch.close,
  };
}

/** A secret may have been stored since the start, and the new config may use it. */
async function hideStored(secrets: Pick<Secrets, "values">, redactor: Pick<Redactor, "add">): Promise<void> {
  // Locked: then no account can use it either, and says so.
  const stored = await secrets.values().catch(() => []);
  for (const { name, value } of stored) redactor.add(name, value);
}
