/**
 * Exclusive work on a session, across processes. If the lease is taken, the caller waits: a dead holder is replaced,
 * a moving queue is waited for, and a stuck holder gives `session/busy`.
 */
import { createRecent, type PincerError } from "@pincer/sdk";
import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { createWaits, type Waits } from "../../infra/waits.ts";
import type { Fence, HeldLease, LeaseHolder, LeaseStore } from "../stores.ts";

export interface SessionLeases {
  /**
   * Runs `work` under the lease and always releases it afterwards. Nested holds of the same name share the fence; the
   * last one releases it. Throws `session/busy` if one holder blocks for ten seconds, and the signal's reason if it
   * aborts while waiting.
   */
  hold<Result>(
    name: string,
    work: (fence: Fence) => Promise<Result>,
    options?: WaitOptions & {
      /**
       * How to release the lease after this outcome: at once, or `along` with the next write, if nobody is likely to
       * want it now. This process does not wait for that; another one does, briefly.
       */
      givesBack?: (outcome: Result) => "along" | undefined;
    },
  ): Promise<Result>;
}

interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Called when it has to wait, and again for each new holder in the way. */
  onWait?: (lease: HeldLease) => void;
  /**
   * Acquires as `LeaseStore.acquire` does, with other writes in the same transaction; not called within an outer
   * hold.
   */
  acquire?: LeaseStore["acquire"];
}

/**
 * The lease of a session's turns, by key, so that a reset waits for the running turn. A digest, because the lease row
 * outlives its session, and the key names a person.
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

/** A lease that this process holds; `holds` counts its nested uses. */
interface Hold {
  fence: Fence;
  holds: number;
  end(when: "along" | undefined): Promise<void>;
}

export function createSessionLeases(parts: SessionLeaseParts): SessionLeases {
  const { leases } = parts;
  /** The leases of the current async call chain: only nested holds see them. */
  const chain = new AsyncLocalStorage<ReadonlyMap<string, Hold>>();
  /**
   * Leases that this process has finished with but not released yet, by fencing number: nobody here waits for them.
   */
  const left = new Map<string, number>();
  /** Those that it gave back: most likely nobody else has taken them since. */
  const given = createRecent<true>();
  const isGone = (name: string, lease: HeldLease) => left.get(name) === lease.fencing;

  async function begin(name: string, options: WaitOptions): Promise<Hold> {
    const looksFree = left.has(name) || given.delete(name);
    const seen = { isGone: (lease: HeldLease) => isGone(name, lease), looksFree };
    const fence = await acquire({ ...parts, ...seen }, name, options);
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
        // An old holder may end late: the newer fence counts.
        left.set(name, Math.max(fence.fencing, left.get(name) ?? 0));
        const released = leases.release(fence, when).then(
          () => {
            if (left.get(name) !== fence.fencing) return;
            left.delete(name);
            given.set(name, true);
          },
          () => {
            // The outcome of the work matters more. The next one here takes the lease over; others get it when this
            // process ends or it expires.
          },
        );
        if (when === undefined) await released;
      },
    };
  }

  return {
    async hold(name, work, options = {}) {
      const outer = chain.getStore();
      const held = outer?.get(name);
      // Work that outlived its outer hold finds the count at zero, and the lease perhaps taken.
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
    // Reading takes no lock; only if the lease seems free we queue to acquire it.
    let lease = looksFree ? undefined : await leases.find(name);
    looksFree = false;
    if (!lease || isFree(lease)) {
      const outcome = await take({ name, holder, ttlMs: leaseMs, isStale });
      if (outcome.type === "acquired") return outcome.fence;
      ({ lease } = outcome);
    }
    if (obstacle?.fencing !== lease.fencing) {
      obstacle = { fencing: lease.fencing, since: clock.monotonic() };
      pauseMs = shortestPauseMs;
      onWait?.(lease);
    } else if (clock.monotonic() - obstacle.since >= patienceMs) {
      throw busy(lease);
    }
    await clock.sleep(shortestPauseMs + random() * (pauseMs - shortestPauseMs), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** A living holder renews its lease while it works; that of a dead or hung process expires. */
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
