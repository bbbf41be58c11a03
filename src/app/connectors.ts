/** The connectors of the product, and which of them a config needs. */
import type { Channel } from "@pincer/sdk";
import { readAccounts } from "../channels/accounts.ts";
import type { Config } from "../config/schema.ts";
import type { Shape } from "../config/schema/keys.ts";
import type { IncludedConnectors } from "../gateway/methods/channels-api.ts";

/** The connectors that come with the product. A connector is imported when a config switches it on. */
const connectors: Record<string, () => Promise<Channel>> = {
  irc: async () => (await import("@pincer/channel-irc")).ircChannel,
  local: async () => (await import("@pincer/channel-local")).localChannel,
  telegram: async () => (await import("@pincer/channel-telegram")).telegramChannel,
  webhook: async () => (await import("@pincer/channel-webhook")).webhookChannel,
};

export async function loadConnectors(
  config: Config,
  others: readonly Channel[],
): Promise<Map<string, Channel>> {
  const found = new Map(others.map((channel) => [channel.id, channel]));
  // One that is switched off costs nothing.
  const wanted = new Set(
    readAccounts(config.channels).flatMap(({ channel, enabled }) => (enabled ? [channel] : [])),
  );
  for (const id of wanted) {
    const connector = found.has(id) ? undefined : await included.load(id);
    if (connector) found.set(id, connector);
  }
  return found;
}

export const included: IncludedConnectors = {
  ids: Object.keys(connectors),
  load: async (id) => (Object.hasOwn(connectors, id) ? connectors[id]?.() : undefined),
};

/** The keys that it reads of its part of the config; undefined where that is not known. */
export async function connectorKeys(id: string): Promise<readonly string[] | undefined> {
  const shape = (await included.load(id))?.config as Shape | undefined;
  return shape && shape.additionalProperties !== true ? Object.keys(shape.properties ?? {}) : undefined;
}
