/**
 * The ledger of model usage, and its limits. Before a request is sent, it reserves its question and its longest
 * possible answer; afterwards it is settled with what it used. So concurrent requests cannot exceed a limit together.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";
import { createProcessLiveness, type ProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import type { UsageJudge, UsageScope, UsageStore } from "../../storage/usage/usage.ts";
import type {
  BudgetLimits,
  BudgetSettings,
  Budgets,
  CallNeed,
  CallPurpose,
  Refusal,
  Reservation,
} from "./budgets.ts";
import { goneCalls } from "./gone-calls.ts";
import { weighRequest, type Weighed } from "./weigh-request.ts";

export interface Ledger extends Budgets {
  /** Resolves when everything settled or released so far is written or told. */
  settled(): Promise<void>;
}

export interface LedgerParts {
  usage: Pick<UsageStore, "open" | "settle" | "release">;
  clock: Clock;
  /** Told of what could not be written; it is tried again with the next request. Must not throw. */
  onError(error: unknown): void;
  processes?: Pick<ProcessLiveness, "self" | "isAlive">;
}

/** How often it is looked whether another process is done; this one's own say so. */
const lookAgainMs = 500;

type Refused = Extract<Weighed, { allowed: false }>["refused"];

export function createLedger({
  usage,
  clock,
  onError,
  processes = createProcessLiveness(),
}: LedgerParts): Ledger {
  const holder = processes.self(randomUUID());
  const isGone = goneCalls(processes, clock, holder.id);
  const writing = new Set<Promise<void>>();
  const owed: Array<() => Promise<void>> = [];
  let next = Promise.withResolvers<void>();

  async function write(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      owed.push(work);
      onError(error);
    }
    next.resolve();
    next = Promise.withResolvers();
  }

  async function payOwed(): Promise<void> {
    for (const work of owed.splice(0)) await work().catch(() => void owed.push(work));
  }

  function reservationOf(position: number, room: number | undefined): Reservation {
    let isOver = false;
    const end = (work: () => Promise<void>) => {
      if (isOver) return;
      isOver = true;
      const done = write(work).finally(() => writing.delete(done));
      writing.add(done);
    };
    return {
      ...(room === undefined ? {} : { room }),
      settle: (draft) => end(() => usage.settle(position, draft)),
      release: () => end(() => usage.release(position)),
    };
  }

  /** Resolves early when the signal aborts. */
  async function waitFor(change: Promise<void>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stop = () => over.abort(noLonger);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await Promise.race([change, clock.sleep(lookAgainMs, over.signal).catch(() => undefined)]);
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  }

  return {
    async reserve(settings, purpose, need, signal) {
      await payOwed();
      for (;;) {
        const now = clock.now();
        const late = overTime(settings.turn, now - purpose.startedAt);
        if (late) return late;
        // Taken before looking: whatever is settled from here on is seen or waited for.
        const change = next.promise;
        const outcome = await usage.open(
          openingOf(purpose, need, now, holder),
          judgeOf(settings, purpose, { need, now, isGone }),
        );
        if (outcome.opened) {
          const room = outcome.room.tokens < Math.floor(need.maxOutput) ? outcome.room.tokens : undefined;
          return { allowed: true, reservation: reservationOf(outcome.position, room) };
        }
        const { refusal, isForNow } = outcome.refused;
        if (!isForNow || signal.aborted) return refusal;
        await waitFor(change, signal);
        if (signal.aborted) return refusal;
      }
    },
    async settled() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

type Opening = Parameters<UsageStore["open"]>[0];

function openingOf(
  { turnId, sessionId, sessionKey, agentId }: CallPurpose,
  { provider, model, credential, inputTokens: input, inputCost: cost, isPriced }: CallNeed,
  now: number,
  holder: Opening["holder"],
): Opening {
  return {
    turnId,
    sessionId,
    sessionKey,
    agentId,
    provider,
    model,
    credential,
    holder,
    usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, total: input, cost, estimated: true },
    isUnpriced: !isPriced,
    startedAt: new Date(now).toISOString(),
  };
}

function judgeOf(
  settings: BudgetSettings,
  purpose: CallPurpose,
  { need, now, isGone }: { need: CallNeed; now: number; isGone: UsageJudge<Refused>["isGone"] },
): UsageJudge<Refused> {
  const limited = scopesOf(settings, purpose, now);
  return {
    scopes: limited.map(({ of }) => of),
    isGone,
    decide: (standings) =>
      weighRequest(
        standings.flatMap((standing, index) => {
          const scope = limited[index]?.scope;
          return scope ? [{ scope, limits: settings[scope], standing }] : [];
        }),
        need,
      ),
  };
}

/** The scopes that have a limit, the narrowest first. */
function scopesOf(
  settings: BudgetSettings,
  { turnId, sessionId, agentId }: CallPurpose,
  now: number,
): Array<{ scope: keyof BudgetSettings; of: UsageScope }> {
  const day = new Date(now).toISOString().slice(0, 10);
  const all: Array<{ scope: keyof BudgetSettings; of: UsageScope }> = [
    ...(turnId === null ? [] : [{ scope: "turn" as const, of: { type: "turn" as const, turnId } }]),
    ...(sessionId === null
      ? []
      : [{ scope: "session" as const, of: { type: "session" as const, sessionId } }]),
    { scope: "agent", of: { type: "agent-day", agentId, day } },
    { scope: "day", of: { type: "day", day } },
    { scope: "month", of: { type: "month", month: day.slice(0, 7) } },
  ];
  return all.filter(({ scope }) => hasLimit(settings[scope]));
}

const hasLimit = ({ calls, tokens, cost }: BudgetLimits): boolean =>
  calls !== undefined || tokens !== undefined || cost !== undefined;

function overTime({ wallTimeMs }: BudgetLimits, elapsed: number): Refusal | undefined {
  if (wallTimeMs === undefined || elapsed < wallTimeMs) return undefined;
  return { allowed: false, scope: "turn", limit: "wallTimeMs", allowance: wallTimeMs, used: elapsed };
}
