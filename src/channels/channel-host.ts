/** Runs the connectors: one supervisor per account, so that trouble with one never stops another. */
import { isDeepStrictEqual } from "node:util";
import type {
  Channel,
  ChannelConnection,
  ChannelHost,
  ChannelLog,
  LogIds,
  MediaStore,
  ReceivedMessage,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import type { CursorStore } from "../storage/inbox/inbox.ts";
import { planAccount, type AccountPlan, type PlannedAccount } from "./account-plan.ts";
import {
  superviseAccount,
  type AccountSign,
  type AccountState,
  type AccountSupervisor,
} from "./account-supervisor.ts";
import { reasonOf } from "./delivery-step.ts";
import type { Inbox } from "./inbox.ts";
import { within } from "../infra/within.ts";

export interface ConnectedChannels {
  /** Starts to connect every enabled account; resolves without waiting for the connections. */
  start(): Promise<void>;
  /**
   * Applies the accounts of the current config: connects new ones, closes removed ones, reconnects those whose
   * connector reads changed keys, and keeps all others. Resolves when everything that had to close is closed or
   * abandoned.
   */
  update(accounts: PlannedAccount[]): Promise<void>;
  /** Closes every connection and waits at most that long. Safe to call twice. */
  stop(withinMs: number): Promise<void>;
  /** Replaces the connection of a deaf account; does nothing if there is none. */
  renew(channel: string, accountId: string): void;
  /** The connection of the account; undefined while there is none. */
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Of every account in the config, in its order. */
  states(): AccountState[];
}

export interface ChannelHostParts {
  /** By id. A channel that only a later config needs may be added later. */
  channels: Pick<ReadonlyMap<string, Channel>, "get">;
  accounts: PlannedAccount[];
  inbox: Inbox;
  cursors: CursorStore;
  media: MediaStore;
  clock: Clock;
  log: ChannelLog;
  /** Removes secrets from the reasons that connectors give. */
  redactor: Pick<Redactor, "text">;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  say: Say;
  /** Called at each change. Errors it throws are logged. */
  onState(state: AccountState): void;
  /** Called for everything that arrives over a current connection. Must not throw. */
  onSign?(account: Pick<AccountState, "channel" | "accountId">, sign: AccountSign): void;
  fetch?: typeof globalThis.fetch;
  /** Whether the door policy admits what somebody sends there. Throws what the storage does. */
  isWelcome?(
    account: Pick<AccountState, "channel" | "accountId">,
    from: Pick<ReceivedMessage, "peer" | "threadId" | "sender">,
  ): Promise<boolean>;
  /** The commands that people may type, for networks with menus. */
  commands?: ChannelHost["commands"];
  connectTimeoutMs?: number;
}

/** Long enough for a slow network, short enough to retry a hanging one within half a minute. */
const usualConnectTimeoutMs = 25_000;

export function createChannelHost(parts: ChannelHostParts): ConnectedChannels {
  const { clock, log, say } = parts;
  const plan = (account: PlannedAccount): KeptAccount => {
    const { channel, accountId } = account;
    const plan = planAccount(account, parts.channels.get(channel), say);
    const reason = plan.type === "off" ? say("channel.disabled") : undefined;
    const since = new Date(clock.now()).toISOString();
    const state: AccountState = { channel, accountId, state: "stopped", reason, since };
    return { plan, state, ending: new AbortController(), supervisor: undefined };
  };
  const byKey = (accounts: PlannedAccount[]) =>
    new Map(accounts.map((each) => [keyOf(each.channel, each.accountId), plan(each)]));
  let kept = byKey(parts.accounts);
  let stage: "built" | "started" | "stopped" = "built";
  // Changes run one after the other, so that no account is closed or started twice.
  let changing: Promise<unknown> = Promise.resolve();

  function begin(account: KeptAccount): void {
    const { channel, accountId } = account.state;
    function onState(state: AccountState["state"], given?: string): void {
      const reason = given === undefined ? undefined : parts.redactor.text(given);
      const since = new Date(clock.now()).toISOString();
      account.state = { channel, accountId, state, reason, since };
      try {
        parts.onState(account.state);
      } catch (error) {
        log.error(`the state of ${channel} (${accountId}) was not passed on: ${reasonOf(error)}`);
      }
    }
    const { plan } = account;
    if (plan.type === "broken") return onState("broken", plan.reason);
    if (plan.type === "off") return;
    account.supervisor = superviseAccount({
      ...parts,
      channel: plan.channel,
      config: plan.config,
      host: hostParts(parts, channel, accountId),
      connectTimeoutMs: parts.connectTimeoutMs ?? usualConnectTimeoutMs,
      signal: account.ending.signal,
      onState,
      onSign: (sign) => parts.onSign?.({ channel, accountId }, sign),
    });
  }

  const end = async ({ ending, supervisor }: KeptAccount): Promise<void> => {
    ending.abort();
    await supervisor?.done;
  };

  async function change(accounts: PlannedAccount[]): Promise<void> {
    const before = kept;
    const isSame = (key: string, { plan }: KeptAccount) => isDeepStrictEqual(before.get(key)?.plan, plan);
    kept = new Map(
      [...byKey(accounts)].map(([key, each]) => [key, isSame(key, each) ? (before.get(key) ?? each) : each]),
    );
    // Each account starts once its own predecessor has closed, independently of the others.
    const keys = new Set([...before.keys(), ...kept.keys()]);
    const changes = Array.from(keys, async (key) => {
      const [old, fresh] = [before.get(key), kept.get(key)];
      if (old === fresh) return;
      if (old) await end(old);
      if (fresh && stage === "started") begin(fresh);
    });
    await Promise.all(changes);
  }

  return {
    async start() {
      stage = "started";
      for (const account of kept.values()) begin(account);
    },
    update(accounts) {
      const mine = changing.then(() => change(accounts));
      changing = mine.catch(() => undefined);
      return mine;
    },
    async stop(withinMs) {
      stage = "stopped";
      await within(clock, withinMs, Promise.all([...Array.from(kept.values(), end), changing]));
    },
    renew: (channel, accountId) =>
      kept.get(keyOf(channel, accountId))?.supervisor?.renew(say("channel.deaf")),
    connection: (channel, accountId) => kept.get(keyOf(channel, accountId))?.supervisor?.connection(),
    states: () => Array.from(kept.values(), ({ state }) => state),
  };
}

interface KeptAccount {
  plan: AccountPlan;
  state: AccountState;
  ending: AbortController;
  /** Undefined until it has started, and for an account that cannot start. */
  supervisor: AccountSupervisor | undefined;
}

const keyOf = (channel: string, accountId: string): string => JSON.stringify([channel, accountId]);

function hostParts(parts: ChannelHostParts, channel: string, accountId: string) {
  const { inbox, cursors, media, clock, log, isWelcome } = parts;
  const named = (level: keyof ChannelLog) => (message: string, ids?: LogIds) =>
    log[level](`${channel} (${accountId}): ${message}`, { ...ids, channel, accountId });
  return {
    accountId,
    receive: (message: Parameters<Inbox["receive"]>[2]) => inbox.receive(channel, accountId, message),
    putOff: (message: Parameters<Inbox["receive"]>[2], error: unknown) =>
      inbox.putOff(channel, accountId, message, error),
    ...(isWelcome && {
      isWelcome: (from: Parameters<typeof isWelcome>[1]) => isWelcome({ channel, accountId }, from),
    }),
    media,
    fetch: parts.fetch ?? ((...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request)),
    log: { debug: named("debug"), info: named("info"), warn: named("warn"), error: named("error") },
    clock,
    ...(parts.commands && { commands: parts.commands }),
    cursor: {
      load: () => cursors.load(channel, accountId),
      save: (cursor: string) => cursors.save(channel, accountId, cursor),
    },
  };
}
