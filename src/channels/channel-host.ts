/** Runs the connectors: one supervisor per account, so that the trouble of one never stops another. */
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
  /** Begins to connect every account that is switched on; resolves without waiting for them. */
  start(): Promise<void>;
  /**
   * Takes the accounts as the config has them now: one that came is connected, one that went is closed, one whose connector reads other
   * keys is closed and connected anew, and every other keeps its connection. Resolves when what had to be closed is, or was given up.
   */
  update(accounts: PlannedAccount[]): Promise<void>;
  /** Closes every connection; one that does not close within that time is not waited for. Safe to call twice. */
  stop(withinMs: number): Promise<void>;
  /** Gives up the connection of an account that hears nothing, and makes another; does nothing while there is none. */
  renew(channel: string, accountId: string): void;
  /** The connection of the account; undefined while there is none. */
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Of every account in the config, in its order. */
  states(): AccountState[];
}

export interface ChannelHostParts {
  /** By id. One that only a later config needs may be added later. */
  channels: Pick<ReadonlyMap<string, Channel>, "get">;
  accounts: PlannedAccount[];
  inbox: Inbox;
  cursors: CursorStore;
  media: MediaStore;
  clock: Clock;
  log: ChannelLog;
  /** Takes secrets out of the reasons that connectors give. */
  redactor: Pick<Redactor, "text">;
  /** From 0 to 1, as of Math.random. */
  random: () => number;
  say: Say;
  /** Called at each change. What it throws is logged. */
  onState(state: AccountState): void;
  /** Told of whatever comes in over a connection that is in use. Must not throw. */
  onSign?(account: Pick<AccountState, "channel" | "accountId">, sign: AccountSign): void;
  fetch?: typeof globalThis.fetch;
  /** Whether the door lets in what somebody sends there. Throws what the storage does. */
  isWelcome?(
    account: Pick<AccountState, "channel" | "accountId">,
    from: Pick<ReceivedMessage, "peer" | "threadId" | "sender">,
  ): Promise<boolean>;
  /** What people may type, for the menus of networks that have one. */
  commands?: ChannelHost["commands"];
  connectTimeoutMs?: number;
}

/** Long enough for a slow network, short enough that one which hangs is tried again within half a minute. */
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
  // One change after the other, so that no account is closed or begun twice.
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
    // Each begins when its own predecessor has let go, whatever the others do.
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
  /** Undefined until it has begun, and for an account that cannot. */
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
