/**
 * One writer at a time for the files of the home. The lock is the operating system's, taken through SQLite on an
 * empty file of its own: it ends with its holder, however that ends, so it is never stale and nobody has to guess
 * whether a holder still lives. Nothing is stored in it, and core.db may be broken without config or secrets minding.
 */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { diskFailure } from "./disk-failure.ts";
import { ensureDir } from "./home.ts";

const patienceMs = 10_000;

/**
 * Runs `work` alone. Waits for others, and throws PincerError storage/busy when they take too long. What the disk
 * refuses meanwhile, to `work` too, becomes storage/full or storage/unavailable.
 */
export async function withHomeLock<Result>(
  root: string,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await workAlone(root, clock, work);
  } catch (error) {
    throw diskFailure(error, root);
  }
}

async function workAlone<Result>(root: string, clock: Clock, work: () => Promise<Result>): Promise<Result> {
  for (let waited = 0; ;) {
    const release = await tryLock(root);
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (waited >= patienceMs) throw failure("storage/busy", "home.busy", {}, { hint: "home.busy.hint" });
    // Uneven steps, so that two who wait do not keep meeting.
    const pause = 5 + Math.floor(Math.random() * 20);
    await clock.sleep(pause);
    waited += pause;
  }
}

/**
 * `home.lock` for those who write the home's files; `gateway.lock` for the one gateway; `mend.lock` for whoever replaces a damaged database.
 * undefined when somebody else has it.
 */
export async function tryLock(
  root: string,
  name: "home.lock" | "gateway.lock" | "mend.lock" = "home.lock",
): Promise<(() => void) | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  ensureDir(root);
  const file = join(root, name);
  createOnce(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
  return () => database.close();
}

/** For its owner alone. Only creates: closing a descriptor of a locked file would drop this process's own lock. */
function createOnce(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
