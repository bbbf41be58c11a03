/** Moves a database that cannot be used out of the way, whole, so that a new one can take its place. */
import { rmSync } from "node:fs";
import { readdir, readlink, realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { isThere } from "../../infra/is-there.ts";
import { openMarkOf } from "../sqlite/lost-log.ts";
import { fileStamp } from "./file-stamp.ts";

/**
 * Renames the file and its log; nothing is deleted. Answers with the new name, undefined when there was nothing.
 * This process must have closed it. Throws `storage/busy` when another process is seen to have it open.
 */
export async function setAsideDatabase(
  file: string,
  clock: Clock,
  aside = asideOf(file, clock),
): Promise<string | undefined> {
  await requireUnopened(file);
  rmSync(openMarkOf(file), { force: true });
  let moved = false;
  // The log goes first: a crash in between must not leave an old log beside a new database.
  for (const suffix of ["-wal", "-shm", ""]) {
    if (!(await isThere(`${file}${suffix}`))) continue;
    await rename(`${file}${suffix}`, `${aside}${suffix}`);
    moved = true;
  }
  return moved ? aside : undefined;
}

/** The name under which a damaged database is kept. */
export const asideOf = (file: string, clock: Clock): string => `${file}.corrupt-${fileStamp(clock)}`;

/** Throws `storage/busy` when another process is seen to have it open. */
export async function requireUnopened(file: string): Promise<void> {
  const others = await processesWithOpen(file);
  if (others.length > 0) {
    const pids = others.join(", ");
    throw failure(
      "storage/busy",
      "failure.database-open",
      { file, pids },
      { hint: "failure.database-open.hint" },
    );
  }
}

/** Pids of other processes that have the database open, as far as this system lets us see. Opens nothing. */
async function processesWithOpen(file: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const real = join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file));
  const wanted = new Set([real, `${real}-wal`, `${real}-shm`]);
  const pids: number[] = [];
  for (const name of await readdir("/proc").catch(() => [])) {
    const pid = Number(name);
    if (Number.isInteger(pid) && pid !== process.pid && (await hasOpen(pid, wanted))) pids.push(pid);
  }
  return pids;
}

async function hasOpen(pid: number, wanted: ReadonlySet<string>): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  // Gone meanwhile, or another user's: then it is not ours to see.
  for (const descriptor of await readdir(directory).catch(() => [])) {
    const target = await readlink(join(directory, descriptor)).catch(() => "");
    if (wanted.has(target)) return true;
  }
  return false;
}
