/**
 * Watches the accounts: the last message received and delivered on each, and whether it is deaf. Only observed time
 * counts: a machine that slept, or a clock that was set, makes no account deaf.
 */
import type { ChannelConnection } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import type { AccountSign, AccountState } from "./account-supervisor.ts";
import { createDeafAlarms, type AlarmCounts, type DeafAlarms } from "./deaf-alarms.ts";
import { judgeAccount, silenceLimit, type AccountFacts, type AccountVerdict } from "./judge-account.ts";
import { withinTime } from "./within-time.ts";

export type AccountName = Pick<AccountState, "channel" | "accountId">;

export interface AccountHealth extends AccountName {
  verdict: AccountVerdict;
  /** Wall-clock milliseconds; undefined if it never happened. */
  lastInboundAt: number | undefined;
  lastProofAt: number | undefined;
  lastDeliveryAt: number | undefined;
  lastFailureAt: number | undefined;
  /** What the network last answered to a probe or a poll, if that was no good. */
  probeDetail: string | undefined;
  alarms: AlarmCounts;
}

export interface ChannelHealth {
  onState(state: AccountState): void;
  onSign(account: AccountName, sign: AccountSign): void;
  onDelivery(account: AccountName, outcome: "sent" | "failed"): void;
  /** The health of these accounts, in this order. */
  read(accounts: readonly AccountName[]): AccountHealth[];
  /**
   * Probes the networks of these accounts, if possible; resolves when they have answered or timed out. Never throws.
   */
  ask(accounts: readonly AccountName[]): Promise<void>;
  /** Checks and probes until the signal aborts. Never throws. */
  watch(signal: AbortSignal): Promise<void>;
}

export interface ChannelHealthParts {
  clock: Clock;
  deafMs(): number;
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Called once for a connection that has been deaf for too long and needs to be replaced. Must not throw. */
  onDeaf?(account: AccountName): void;
  /** Whether the storage takes writes, as far as it knows. */
  isStoring?(): boolean;
  /** Called when an account's verdict changes. Must not throw. */
  onChange?(account: AccountName, verdict: AccountVerdict): void;
}

const lookEveryMs = 5000;
/** A longer pause between two checks counts as unobserved. */
const mostStepMs = lookEveryMs * 2;
/** How long a connection that follows a deaf one may stay silent, unless its heartbeat takes longer. */
const leastPatienceMs = 18_000;
/** A message that could not be stored comes again sooner than this, where the network brings it again. */
const bringAgainMs = 30_000;
const probeEveryMs = 30_000;
const probeTimeoutMs = 10_000;

type Proof = Exclude<AccountSign, { type: "trouble" }> | { type: "probe" };

interface Kept extends AccountName {
  facts: AccountFacts;
  connectedAt: number | undefined;
  /** When the connector last said that asking for messages failed. */
  failedAt: number | undefined;
  /** Whether the current connection was already dropped. */
  isGivenUp: boolean;
  lastInboundAt: number | undefined;
  lastProofAt: number | undefined;
  lastDeliveryAt: number | undefined;
  lastFailureAt: number | undefined;
  probeDetail: string | undefined;
  isProbing: boolean;
  nextProbeAt: number;
  alarms: DeafAlarms;
  colour: AccountVerdict["health"] | undefined;
  begunWall: number;
}

export function createChannelHealth({
  clock,
  deafMs,
  connection,
  onChange,
  onDeaf,
  isStoring = () => true,
}: ChannelHealthParts): ChannelHealth {
  const kept = new Map<string, Kept>();
  let watched = 0;
  let seen = clock.monotonic();

  /** Observed time: never goes back, and excludes pauses. */
  function time(): number {
    const now = clock.monotonic();
    watched += Math.min(now - seen, mostStepMs);
    seen = now;
    return watched;
  }

  function of({ channel, accountId }: AccountName): Kept {
    const key = keyOf(channel, accountId);
    const found = kept.get(key) ?? begin(channel, accountId, time(), clock.now());
    kept.set(key, found);
    return found;
  }

  /** Between two connections those of the last one count. */
  function meansOf({ channel, accountId, facts }: Kept): AccountFacts["means"] {
    const now = connection(channel, accountId);
    if (!now) return facts.means;
    if (now.heartbeatSeconds !== undefined)
      return { type: "heartbeat", everyMs: now.heartbeatSeconds * 1000 };
    return now.probe ? { type: "probe" } : { type: "none" };
  }

  const factsOf = (one: Kept): AccountFacts => {
    one.facts.means = meansOf(one);
    return one.facts;
  };

  /** A network that does not bring a message again proves nothing more: the storage has to. */
  function trustStorage(one: Kept): void {
    const { unstoredAt } = one.facts;
    if (unstoredAt !== undefined && time() - unstoredAt >= bringAgainMs && isStoring())
      one.facts.unstoredAt = undefined;
  }

  function judge(one: Kept): AccountVerdict {
    trustStorage(one);
    const verdict = judgeAccount(factsOf(one), time(), deafMs());
    if (verdict.health === "red") one.facts.wasRed = true;
    if (one.colour !== verdict.health) {
      one.colour = verdict.health;
      onChange?.(one, verdict);
    }
    return verdict;
  }

  function prove(one: Kept, sign: Proof): void {
    const now = time();
    if (sign.type === "unstored") return void (one.facts.unstoredAt = now);
    if (sign.type === "message") one.facts.unstoredAt = undefined;
    // Hearing means that what was heard is stored.
    if (one.facts.unstoredAt !== undefined) return;
    const wall = clock.now();
    Object.assign(one.facts, { troubleAt: undefined, isFailing: false, wasRed: false });
    if (sign.type !== "probe") one.probeDetail = undefined;
    one.lastProofAt = wall;
    if (sign.type === "probe") one.facts.probedAt = now;
    else one.facts.signAt = now;
    if (sign.type === "message") one.lastInboundAt = wall;
    const sent = sign.type === "message" ? { sentAt: sign.sentAt } : {};
    one.alarms.heard({ ...sent, wall, now, settleMs: deafMs() });
  }

  function look(one: Kept): void {
    const now = time();
    const verdict = judge(one);
    one.alarms.settle(now);
    const limit = silenceLimit(factsOf(one), deafMs());
    const isDeaf = verdict.health === "red" && verdict.because === "deaf";
    // A connection that is only a moment old has had no time to receive anything.
    const hadTime = one.connectedAt !== undefined && limit !== undefined && now - one.connectedAt >= limit;
    // It asks by itself: another connection would ask the same, and what is being sent would be cut off.
    const isAsking = one.failedAt !== undefined && now - one.failedAt < (limit ?? deafMs());
    if (isDeaf && hadTime) one.alarms.raise(one.lastProofAt ?? one.begunWall, { isFailing: isAsking });
    if (isDeaf && !isAsking) giveUp(one, now);
    if (verdict.health === "yellow" && verdict.because === "unprovable") forgive(one, now);
  }

  function giveUp(one: Kept, now: number): void {
    const means = meansOf(one);
    const patience = Math.max(leastPatienceMs, means.type === "heartbeat" ? means.everyMs * 1.1 : 0);
    if (one.isGivenUp || one.connectedAt === undefined || now - one.connectedAt < patience) return;
    one.isGivenUp = true;
    onDeaf?.({ channel: one.channel, accountId: one.accountId });
  }

  /** If nothing can be proven, a connection that lasts ends the earlier trouble. */
  function forgive(one: Kept, now: number): void {
    if (one.connectedAt === undefined || now - one.connectedAt < deafMs()) return;
    Object.assign(one.facts, { troubleAt: undefined, wasRed: false });
  }

  /** Probes twice within the time after which the account would count as deaf. */
  function probeWhenDue(one: Kept, signal: AbortSignal): void {
    const current = connection(one.channel, one.accountId);
    if (!current?.probe || current.heartbeatSeconds !== undefined) return;
    if (one.isProbing || one.facts.state !== "connected" || time() < one.nextProbeAt) return;
    one.nextProbeAt = time() + Math.min(probeEveryMs, deafMs() / 2);
    void probe(one, signal);
  }

  async function probe(one: Kept, signal: AbortSignal): Promise<void> {
    const current = connection(one.channel, one.accountId);
    if (!current?.probe) return;
    one.isProbing = true;
    const ms = Math.min(probeTimeoutMs, deafMs() / 3);
    const { ok, detail } = await withinTime({ clock, ms, stop: signal }, async (stop) =>
      current.probe?.(stop),
    ).then(
      (answer) => ({ ok: answer?.ok === true, detail: answer?.detail }),
      (error: unknown) => ({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    );
    one.isProbing = false;
    // Another connection is current by now, or none.
    if (connection(one.channel, one.accountId) !== current) return;
    one.facts.isProbeFailing = !ok;
    one.probeDetail = ok ? undefined : detail;
    if (ok && current.heartbeatSeconds === undefined) prove(one, { type: "probe" });
  }

  return {
    onState(state) {
      if (state.state === "stopped") return void kept.delete(keyOf(state.channel, state.accountId));
      const one = of(state);
      const now = time();
      if (one.facts.state === "connected" && state.state !== "connected") {
        one.alarms.lost();
        one.facts.troubleAt ??= now;
        one.connectedAt = undefined;
      }
      if (state.state === "connected" && one.facts.state !== "connected") {
        one.connectedAt = now;
        one.facts.unstoredAt = undefined;
        one.isGivenUp = false;
        one.nextProbeAt = now;
      }
      one.facts.state = state.state;
      judge(one);
    },
    onSign(account, sign) {
      const one = of(account);
      if (sign.type === "trouble") {
        one.facts.isFailing = true;
        one.failedAt = time();
        one.probeDetail = sign.reason;
      } else prove(one, sign);
      judge(one);
    },
    onDelivery(account, outcome) {
      const one = of(account);
      if (outcome === "sent") one.lastDeliveryAt = clock.now();
      else one.lastFailureAt = clock.now();
      one.facts.isDeliveryFailing = outcome === "failed";
    },
    read: (accounts) =>
      accounts.flatMap(({ channel, accountId }) => {
        const one = kept.get(keyOf(channel, accountId));
        if (!one) return [];
        const { lastInboundAt, lastProofAt, lastDeliveryAt, lastFailureAt, probeDetail } = one;
        const times = { lastInboundAt, lastProofAt, lastDeliveryAt, lastFailureAt };
        return {
          channel,
          accountId,
          verdict: judge(one),
          ...times,
          probeDetail,
          alarms: one.alarms.counts(),
        };
      }),
    async ask(accounts) {
      const { signal } = new AbortController();
      await Promise.all(accounts.map((account) => probe(of(account), signal)));
    },
    async watch(signal) {
      try {
        for (;;) {
          for (const one of kept.values()) {
            probeWhenDue(one, signal);
            look(one);
          }
          await clock.sleep(Math.min(lookEveryMs, deafMs() / 4), signal);
        }
      } catch {
        // Stopped.
      }
    },
  };
}

const keyOf = (channel: string, accountId: string): string => JSON.stringify([channel, accountId]);

const begin = (channel: string, accountId: string, now: number, wall: number): Kept => ({
  channel,
  accountId,
  facts: {
    state: "connecting",
    begunAt: now,
    troubleAt: undefined,
    signAt: undefined,
    probedAt: undefined,
    isProbeFailing: false,
    isFailing: false,
    wasRed: false,
    means: { type: "none" },
    isDeliveryFailing: false,
    unstoredAt: undefined,
  },
  connectedAt: undefined,
  failedAt: undefined,
  isGivenUp: false,
  lastInboundAt: undefined,
  lastProofAt: undefined,
  lastDeliveryAt: undefined,
  lastFailureAt: undefined,
  probeDetail: undefined,
  isProbing: false,
  nextProbeAt: now,
  alarms: createDeafAlarms(),
  colour: undefined,
  begunWall: wall,
});
