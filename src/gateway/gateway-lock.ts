/**
 * One gateway per home. The lock is the operating system's and ends with its holder, however that ends. The file
 * beside it says who holds it, and is meaningful only while the lock is held.
 */
import { statSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { diskFailure } from "../config/disk-failure.ts";
import type { Home } from "../config/home.ts";
import { tryLock } from "../config/home-lock.ts";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";

export interface GatewayLock {
  /** Safe to call twice. */
  release(): Promise<void>;
}

interface LockParts {
  home: Pick<Home, "root" | "gatewayPidFile">;
  clock: Clock;
}

const tries = 20;
const pauseMs = 25;

/** For the gateway itself. Throws `gateway/running` with the pid of the one that runs, `storage/…` where the disk refuses. */
export async function lockForGateway({ home, clock }: LockParts): Promise<GatewayLock> {
  const release = await takeLock(home.root, clock).catch((error: unknown) => {
    throw diskFailure(error, home.root);
  });
  if (!release) {
    const pid = await pidOf(home);
    throw failure("gateway/running", "gateway.running", { pid }, { hint: "gateway.running.hint" });
  }
  await writeFile(home.gatewayPidFile, `${process.pid}\n`, { mode: 0o600 }).catch((error: unknown) => {
    release();
    throw diskFailure(error, home.gatewayPidFile);
  });
  return {
    async release() {
      await rm(home.gatewayPidFile, { force: true });
      release();
    },
  };
}

/**
 * For work that no gateway may run beside: holds the gateway's place while it lasts. Throws `gateway/running`. A home in which
 * nothing can be locked has no gateway either, and mending it must not fail for that.
 */
export async function withoutGateway<Result>(
  { home, clock }: LockParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const isHome = statSync(home.root, { throwIfNoEntry: false })?.isDirectory() === true;
  const release = isHome ? await takeLock(home.root, clock).catch(() => () => {}) : () => {};
  if (!release) {
    const pid = await pidOf(home);
    throw failure("gateway/running", "gateway.in-the-way", { pid }, { hint: "gateway.in-the-way.hint" });
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Resolves to false when it still ran after `withinMs`. */
export async function untilGatewayHasEnded(
  { home, clock }: LockParts,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (const end = clock.monotonic() + withinMs; ; await clock.sleep(pauseMs, signal)) {
    const release = await tryLock(home.root, "gateway.lock");
    release?.();
    if (release) return true;
    if (clock.monotonic() >= end) return false;
  }
}

/** Patient for half a second: somebody may just be looking whether it is free. */
async function takeLock(root: string, clock: Clock): Promise<(() => void) | undefined> {
  for (let tried = 1; ; tried++) {
    const release = await tryLock(root, "gateway.lock");
    if (release || tried === tries) return release;
    await clock.sleep(pauseMs);
  }
}

async function pidOf({ gatewayPidFile }: Pick<Home, "gatewayPidFile">): Promise<string> {
  const text = await readFile(gatewayPidFile, "utf8").catch(() => "");
  return /^\d+$/.test(text.trim()) ? text.trim() : "?";
}
