/** Runs the connectors: one supervisor per account, so that the trouble of one never stops another. */
import type { Channel, ChannelConnection, ChannelLog, MediaStore } from "@pincer/sdk";
import { Check, Clone, Default, Errors } from "typebox/value";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import type { CursorStore } from "../storage/message-stores.ts";
import { superviseAccount, type AccountState, type AccountSupervisor } from "./account-supervisor.ts";
import type { AccountSettings } from "./accounts.ts";
import { reasonOf } from "./delivery-step.ts";
import type { Inbox } from "./inbox.ts";

export interface ConnectedChannels {
  /** Begins to connect every account that is switched on; resolves without waiting for them. */
  start(): Promise<void>;
  /** Closes every connection; one that does not close within that time is not waited for. Safe to call twice. */
  stop(withinMs: number): Promise<void>;
  /** The connection of the account; undefined while there is none. */
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Of every account in the config, in its order. */
  states(): AccountState[];
}

export interface ChannelHostParts {
  channels: Channel[];
  accounts: Array<
    Pick<AccountSettings, "channel" | "accountId" | "enabled" | "config"> & { problem?: string | undefined }
  >;
  inbox: Inbox;
  cursors: CursorStore;
  media: MediaStore;
  clock: Clock;
  log: ChannelLog;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  say: Say;
  /** Called at each change. What it throws is logged. */
  onState(state: AccountState): void;
  fetch?: typeof globalThis.fetch;
  connectTimeoutMs?: number;
}

export function createChannelHost(parts: ChannelHostParts): ConnectedChannels {
  const { accounts, clock, log, say } = parts;
  const stopping = new AbortController();
  const supervisors = new Map<string, AccountSupervisor>();
  const states = new Map<string, AccountState>();

  const keep = ({ channel, accountId }: { channel: string; accountId: string }) =>
    function onState(state: AccountState["state"], reason?: string): void {
      const since = new Date(clock.now()).toISOString();
      const next: AccountState = { channel, accountId, state, reason, since };
      states.set(keyOf(channel, accountId), next);
      try {
        parts.onState(next);
      } catch (error) {
        log.error(`the state of ${channel} (${accountId}) was not passed on: ${reasonOf(error)}`);
      }
    };
  for (const account of accounts) {
    const { channel, accountId } = account;
    const since = new Date(clock.now()).toISOString();
    const reason = account.enabled ? undefined : say("channel.disabled");
    states.set(keyOf(channel, accountId), { channel, accountId, state: "stopped", reason, since });
  }

  function startAccount(account: ChannelHostParts["accounts"][number]): void {
    const onState = keep(account);
    const { channel: id, accountId } = account;
    const channel = parts.channels.find((each) => each.id === id);
    if (!channel) return onState("broken", say("channel.no-connector", { channel: id }));
    const read = readConfig(channel, account);
    if ("problem" in read) {
      return onState("broken", say("channel.bad-config", { channel: id, accountId, reason: read.problem }));
    }
    const supervisor = superviseAccount({
      ...parts,
      channel,
      config: read.config,
      host: hostParts(parts, id, accountId),
      connectTimeoutMs: parts.connectTimeoutMs ?? 60_000,
      signal: stopping.signal,
      onState,
    });
    supervisors.set(keyOf(id, accountId), supervisor);
  }

  return {
    async start() {
      for (const account of accounts) if (account.enabled) startAccount(account);
    },
    async stop(withinMs) {
      stopping.abort();
      const timer = new AbortController();
      const all = Promise.all(Array.from(supervisors.values(), ({ done }) => done));
      // Aborted below, when everything was closed in time.
      await Promise.race([all, clock.sleep(withinMs, timer.signal).catch(() => undefined)]);
      timer.abort();
    },
    connection: (channel, accountId) => supervisors.get(keyOf(channel, accountId))?.connection(),
    states: () => [...states.values()],
  };
}

const keyOf = (channel: string, accountId: string): string => JSON.stringify([channel, accountId]);

/** The connector sees its own keys and no others. */
function readConfig(
  { config: schema }: Channel,
  { config, problem }: ChannelHostParts["accounts"][number],
): { config: unknown } | { problem: string } {
  if (problem !== undefined) return { problem };
  const given = Object.entries(config ?? {}).filter(([name]) => Object.hasOwn(schema.properties, name));
  const own = Default(schema, Clone(Object.fromEntries(given)));
  if (Check(schema, own)) return { config: own };
  const [first] = Errors(schema, own);
  // The path and the rule, never the value: it may be a secret.
  return { problem: first ? `${first.instancePath.replace(/^\//, "")} ${first.message}`.trim() : "bad keys" };
}

function hostParts(parts: ChannelHostParts, channel: string, accountId: string) {
  const { inbox, cursors, media, clock, log } = parts;
  const named = (level: keyof ChannelLog) => (message: string) =>
    log[level](`${channel} (${accountId}): ${message}`);
  return {
    accountId,
    receive: (message: Parameters<Inbox["receive"]>[2]) => inbox.receive(channel, accountId, message),
    media,
    fetch: parts.fetch ?? ((...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request)),
    log: { debug: named("debug"), info: named("info"), warn: named("warn"), error: named("error") },
    clock,
    cursor: {
      load: () => cursors.load(channel, accountId),
      save: (cursor: string) => cursors.save(channel, accountId, cursor),
    },
  };
}
