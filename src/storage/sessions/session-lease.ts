/**
 * Exclusive work on a session, across processes. Whoever finds the lease taken waits: a holder that died
 * is replaced, a queue that moves is waited for, and a holder that does not move gives `session/busy`.
 */
import { createRecent, type PincerError } from "@pincer/sdk";
import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { createWaits, type Waits } from "../../infra/waits.ts";
import type { AcquireLease, Fence, HeldLease, LeaseHolder, LeaseStore } from "../stores.ts";

export interface SessionLeases {
  /**
   * Runs `work` while holding the lease and releases it afterwards, however `work` ends. Work that asks for
   * the same name again goes on under the same fence; the lease is released when the last of them is done.
   * Throws `session/busy` when one holder has been in the way for ten seconds, and the signal's reason when
   * it aborts while waiting.
   */
  hold<Result>(
    name: string,
    work: (fence: Fence) => Promise<Result>,
    options?: WaitOptions & {
      /**
       * How the lease is given back after that outcome: at once, or `along` with the next write, where hardly anybody else wants it now.
       * This process does not wait for it then; another one does, for a moment.
       */
      givesBack?: (outcome: Result) => "along" | undefined;
    },
  ): Promise<Result>;
  /** What taking the lease asks of the store, for whoever takes it in a transaction of their own and then holds it as `taken`. */
  requestFor(name: string): AcquireLease;
}

interface WaitOptions {
  /** Was taken already, by `requestFor`. */
  taken?: Fence | undefined;
  signal?: AbortSignal | undefined;
  /** Called when it has to wait, and again whenever another holder is in the way. */
  onWait?: (lease: HeldLease) => void;
  /** Takes the lease as `LeaseStore.acquire` does, and whatever else belongs into the same transaction; not asked within an outer hold. */
  acquire?: LeaseStore["acquire"];
}

/**
 * The lease that a session's turns share: by key, so that a reset waits for the turn before it. A digest, because the row of
 * a lease outlives its session, and the key names the person who was talked to.
 */
export function sessionLeaseName(session: { workspaceId: string; sessionKey: string }): string {
  const key = `${session.workspaceId}\0${session.sessionKey}`;
  return `session:${hash("sha256", key).slice(0, 32)}`;
}

export interface SessionLeaseParts {
  leases: LeaseStore;
  clock: Clock;
  holder: LeaseHolder;
  isAlive(holder: LeaseHolder): boolean;
  /** From 0 up to 1. */
  random?: () => number;
}

const leaseMs = 30 * 60_000;
const patienceMs = 10_000;
const shortestPauseMs = 50;
const longestPauseMs = 1000;

/** A lease in the hands of this process; `holds` counts the works under it. */
interface Hold {
  fence: Fence;
  holds: number;
  end(when: "along" | undefined): Promise<void>;
}

export function createSessionLeases(parts: SessionLeaseParts): SessionLeases {
  const { leases } = parts;
  /** What the running chain of calls holds: a nested hold sees it, an unrelated one does not. */
  const chain = new AsyncLocalStorage<ReadonlyMap<string, Hold>>();
  /** Leases that this process is done with and has not given back yet, or could not, by their fencing number: nobody here waits for them. */
  const left = new Map<string, number>();
  /** Those that it gave back: most likely nobody else has taken them since. */
  const given = createRecent<true>();
  const isGone = (name: string, lease: HeldLease) => left.get(name) === lease.fencing;

  async function begin(name: string, options: WaitOptions): Promise<Hold> {
    const looksFree = left.has(name) || given.delete(name);
    const seen = { isGone: (lease: HeldLease) => isGone(name, lease), looksFree };
    const fence = options.taken ?? (await acquire({ ...parts, ...seen }, name, options));
    left.delete(name);
    given.delete(name);
    const renewing = createWaits(parts.clock);
    const renewal = keepRenewing(parts.leases, fence, renewing);
    return {
      fence,
      holds: 0,
      async end(when) {
        renewing.end();
        await renewal;
        // One that lost it long ago may end now: what came after it counts.
        left.set(name, Math.max(fence.fencing, left.get(name) ?? 0));
        const released = leases.release(fence, when).then(
          () => {
            if (left.get(name) !== fence.fencing) return;
            left.delete(name);
            given.set(name, true);
          },
          () => {
            // How the work ended matters more; the next one here takes it over, others when this process ends or in time.
          },
        );
        if (when === undefined) await released;
      },
    };
  }

  return {
    requestFor(name) {
      const { holder, isAlive } = parts;
      const isStale = (lease: HeldLease) => isGone(name, lease) || !isAlive(lease.holder);
      return { name, holder, ttlMs: leaseMs, isStale };
    },
    async hold(name, work, options = {}) {
      const outer = chain.getStore();
      const held = outer?.get(name);
      // What outlived its outer work finds the count at zero, and the lease perhaps in other hands.
      const hold = held && held.holds > 0 ? held : await begin(name, options);
      hold.holds++;
      let when: "along" | undefined;
      try {
        const outcome = await chain.run(new Map(outer).set(name, hold), () => work(hold.fence));
        when = options.givesBack?.(outcome);
        return outcome;
      } finally {
        hold.holds--;
        if (hold.holds === 0) await hold.end(when);
      }
    },
  };
}

async function acquire(
  parts: SessionLeaseParts & { isGone(lease: HeldLease): boolean; looksFree: boolean },
  name: string,
  { signal, onWait, acquire: take = (request) => parts.leases.acquire(request) }: WaitOptions,
): Promise<Fence> {
  const { leases, clock, holder, isAlive, isGone, random = Math.random } = parts;
  const isStale = (lease: HeldLease) => isGone(lease) || !isAlive(lease.holder);
  const isFree = (lease: HeldLease) => Date.parse(lease.expiresAt) <= clock.now() || isStale(lease);
  let { looksFree } = parts;
  let obstacle: { fencing: number; since: number } | undefined;
  let pauseMs = shortestPauseMs;

  for (;;) {
    signal?.throwIfAborted();
    // Looking takes no lock; only when the lease seems free do we queue up to take it.
    let lease = looksFree ? undefined : await leases.find(name);
    looksFree = false;
    if (!lease || isFree(lease)) {
      const outcome = await take({ name, holder, ttlMs: leaseMs, isStale });
      if (outcome.type === "acquired") return outcome.fence;
      ({ lease } = outcome);
    }
    if (obstacle?.fencing !== lease.fencing) {
      obstacle = { fencing: lease.fencing, since: clock.now() };
      pauseMs = shortestPauseMs;
      onWait?.(lease);
    } else if (clock.now() - obstacle.since >= patienceMs) {
      throw busy(lease);
    }
    await clock.sleep(shortestPauseMs + random() * (pauseMs - shortestPauseMs), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** A living holder keeps its lease however long its work takes; a dead or hung process lets it run out. */
async function keepRenewing(leases: LeaseStore, fence: Fence, { wait }: Waits): Promise<void> {
  try {
    while (await wait(leaseMs / 3)) if (!(await leases.renew(fence, leaseMs))) return;
  } catch {
    // The storage failed, which the work's own writes will report.
  }
}

function busy({ holder, acquiredAt }: HeldLease): PincerError {
  return failure(
    "session/busy",
    "failure.session-busy",
    { pid: holder.pid, host: holder.host, since: acquiredAt },
    { hint: "failure.session-busy.hint" },
  );
}
