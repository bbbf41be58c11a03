/**
 * What every part of the gateway shares: the open home, the current config, its accounts, and where problems are
 * reported.
 */
import { asPincerError, type Channel, type ChannelTraits, type Destination, type LogIds } from "@pincer/sdk";
import { readAccounts, type AccountSettings } from "../channels/accounts.ts";
import type { Config } from "../config/schema.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import { loadConnectors } from "./connectors.ts";
import { openLog, type GatewayLog, type GatewayLogParts } from "../gateway/logs/gateway-log.ts";
import type { DiskWatch } from "../storage/sqlite/watch-disk.ts";

export interface GatewayContext {
  openedHome: OpenHome;
  parts: OpenHomeParts;
  log: GatewayLog;
  /** Told of everything that went wrong. Never throws. */
  trouble(where: string, error: unknown, ids?: LogIds): void;
  config(): Config;
  /** Those that the config names; one is enabled only if it was not left out at the start. */
  accounts(): AccountSettings[];
  account(place: Pick<Destination, "channel" | "accountId">): AccountSettings | undefined;
  /** By id; grows when a changed config needs more. */
  connectors: Map<string, Channel>;
  traitsOf(channel: string): ChannelTraits;
  /** From now on this config holds; its connectors are loaded when it resolves. */
  adopt(config: Config): Promise<void>;
}

export async function openGatewayContext(given: {
  openedHome: OpenHome;
  parts: OpenHomeParts & GatewayLogParts;
  disk: Pick<DiskWatch, "suspect">;
  /** Besides those that come with the product. */
  channels(log: GatewayLog): Promise<readonly Channel[]>;
  /** Only these channels, if it is given. */
  only: readonly string[] | undefined;
  /** The trace that a run belongs to, for the lines of the log about it. */
  traceIdOf?(runId: string): string | undefined;
}): Promise<GatewayContext> {
  const { openedHome, parts, disk, only } = given;
  const accountsOf = ({ channels }: Config) =>
    readAccounts(channels).map((account) => ({
      ...account,
      enabled: account.enabled && (only?.includes(account.channel) ?? true),
    }));
  let { config } = openedHome;
  const log = openLog({
    ...parts,
    file: openedHome.home.gatewayLogFile,
    settings: () => config.logging,
    tenantId: openedHome.tenantId,
    clock: openedHome.clock,
    traceIdOf: given.traceIdOf,
  });
  let accounts = accountsOf(config);
  const connectors = await loadConnectors(config, await given.channels(log));
  return {
    openedHome,
    parts,
    log,
    trouble(where, error, ids) {
      log.error(`${where}: ${asPincerError(error).message}`, ids);
      disk.suspect(error);
    },
    config: () => config,
    accounts: () => accounts,
    account: ({ channel, accountId }) =>
      accounts.find((account) => account.channel === channel && account.accountId === accountId),
    connectors,
    traitsOf: (channel) => connectors.get(channel)?.traits ?? unknownTraits,
    async adopt(changed) {
      config = changed;
      accounts = accountsOf(changed);
      for (const [id, channel] of await loadConnectors(changed, [...connectors.values()])) {
        connectors.set(id, channel);
      }
    },
  };
}

const unknownTraits: ChannelTraits = { textLimit: 2000, idempotentSend: false };
