/**
 * A database that is too damaged to be opened is treated as a lost one: a new one of every row that can be read takes its place, by itself,
 * and no tool runs until the owner has looked. The damaged one is kept. Each step can be cut off by a crash: until the new database is
 * complete, all of it is done again; from then on a file beside it says so, and whoever opens the home next puts it in place.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PincerError } from "@pincer/sdk";
import { diskFailure } from "../../config/disk-failure.ts";
import { tryLock } from "../../config/home-lock.ts";
import type { Home } from "../../config/home.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { syncDirectory } from "../../infra/sync-to-disk.ts";
import { policyTables } from "../policy-copy/keep-policy.ts";
import { wholeNumberOf } from "../policy-copy/policy-file.ts";
import { salvageDatabase, type Salvage } from "../salvage/salvage-database.ts";
import { checkPages } from "../sqlite/check-pages.ts";
import { findLostLog } from "../sqlite/lost-log.ts";
import { asStorageError, isDamage, isSqliteError } from "../sqlite/sqlite-errors.ts";
import { openRecovery, type Recovery } from "./recovery.ts";
import { asideOf, requireUnopened, setAsideDatabase } from "./set-aside-database.ts";

export interface MendParts {
  home: Home;
  clock: Clock;
  /** Somebody has met damage that opening did not: all pages are read first. */
  isSuspect?: boolean | undefined;
}

/**
 * What `openOnce` answers. Where damage keeps it from opening, a new database takes the place of the damaged one, and it is opened again:
 * `openOnce` leaves nothing open when it throws, and is safe to call again. Throws what it throws for another reason, and `storage/…` where the database
 * cannot be replaced: then the damaged one is still there.
 */
export async function openMended<Opened>(parts: MendParts, openOnce: () => Promise<Opened>): Promise<Opened> {
  const { home, clock, isSuspect = false } = parts;
  const open = () =>
    openOnce().catch((error: unknown) => {
      throw isSqliteError(error) ? error : diskFailure(error, home.root);
    });
  const isOlder = hasLostLog(home);
  if (!isSuspect && !isBegun(home)) {
    try {
      return await open();
    } catch (error) {
      if (!(await isFromDamage(error, home, isOlder))) throw error;
    }
  }
  return alone(home, clock, async () => {
    if (isBegun(home)) await asDiskFailure(home, () => finish(home, clock));
    else if (isSuspect && (await hasDamagedPages(home))) await replace(home, clock);
    try {
      // Once more: it may have been a passing error, and others may have mended it meanwhile.
      return await open();
    } catch (error) {
      if (!(await isFromDamage(error, home, isOlder))) throw error;
    }
    await replace(home, clock);
    return open();
  });
}

/** Puts in place what somebody else has made ready and could not finish. */
export async function finishMending({ home, clock }: MendParts): Promise<void> {
  if (!isBegun(home)) return;
  await alone(home, clock, async () => {
    if (isBegun(home)) await asDiskFailure(home, () => finish(home, clock));
  });
}

/** Where a new database is made. */
export const repairedOf = (file: string): string => `${file}.repaired`;

/** What is to happen with a new database that is complete. */
interface Mark {
  aside: string;
  /** What nobody may lose sight of; undefined where the owner asked for the repair. */
  recovery?: Recovery | undefined;
}

const markOf = (home: Home): string => `${home.coreDb}.mending`;

/** Whether a new database is complete and waits to be put in place. */
export const isBegun = (home: Home): boolean => existsSync(markOf(home));

/** Damage shows in what SQLite says, and in what comes out of a damaged page or an older state, which can be anything. */
async function isFromDamage(thrown: unknown, home: Home, isOlder: boolean): Promise<boolean> {
  const cause = thrown instanceof PincerError ? thrown.cause : thrown;
  if (isDamage(cause)) return true;
  if (thrown instanceof PincerError)
    return thrown.code === "storage/corrupt" && (await hasDamagedPages(home));
  return (isOlder && isSqliteError(cause)) || (await hasDamagedPages(home));
}

const hasDamagedPages = async ({ coreDb }: Home): Promise<boolean> =>
  existsSync(coreDb) && (await checkPages(coreDb).catch(() => [])).length > 0;

function hasLostLog({ coreDb }: Home): boolean {
  try {
    return findLostLog(coreDb) !== undefined;
  } catch {
    // Opening it says why it cannot be read.
    return false;
  }
}

async function replace(home: Home, clock: Clock): Promise<void> {
  await asDiskFailure(home, async () => {
    const { coreDb: file } = home;
    await requireUnopened(file);
    const loss = {
      at: timestamp(clock),
      lost: "damage",
      changes: 0,
      rows: {},
      isToHold: true,
      isToComplete: true,
    } as const;
    const isOlder = hasLostLog(home);
    // Before anything else: whatever happens from here on, no tool runs.
    openRecovery(home.recoveryFile).begin(loss);
    const salvage = await salvageDatabase({ file, into: repairedOf(file), clock });
    const { isEmpty, tables } = salvage;
    const aside = asideOf(file, clock);
    const isInDoubt = wholeNumberOf(home.policyCopyFile) === undefined && (isOlder || hasLostPolicy(salvage));
    const found = { ...loss, rows: policyRows(salvage), repair: { aside, tables }, isInDoubt };
    await putInPlace(home, clock, { aside, recovery: isEmpty ? { ...found, lost: "database" } : found });
  });
}

/** A complete new database takes the place of the old one, whatever crash comes in between. Answers where the old one is kept. */
export async function putInPlace(
  home: Home,
  clock: Clock,
  mark: Mark = { aside: asideOf(home.coreDb, clock) },
): Promise<string> {
  const file = markOf(home);
  await requireUnopened(home.coreDb);
  writeFileSync(`${file}.new`, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  await syncDirectory(dirname(file));
  await finish(home, clock);
  return mark.aside;
}

async function finish(home: Home, clock: Clock): Promise<void> {
  const { coreDb: file } = home;
  const { aside, recovery } = readMark(home, clock);
  // Again, because its owner may have confirmed it before it was done.
  if (recovery) openRecovery(home.recoveryFile).begin(recovery);
  if (existsSync(repairedOf(file))) {
    // What is kept under that name is never written over.
    await setAsideDatabase(file, clock, existsSync(aside) ? undefined : aside);
    renameSync(repairedOf(file), file);
    await syncDirectory(dirname(file));
  }
  rmSync(markOf(home), { force: true });
}

function readMark(home: Home, clock: Clock): Mark {
  const aside = asideOf(home.coreDb, clock);
  try {
    const mark = JSON.parse(readFileSync(markOf(home), "utf8")) as Partial<Mark> | null;
    if (typeof mark?.aside === "string") return { ...mark, aside: mark.aside };
  } catch {
    // Not ours any more: then its owner is asked, whatever it said.
  }
  const recovery = { at: timestamp(clock), lost: "database", changes: 0, rows: {}, isInDoubt: true } as const;
  return { aside, recovery: { ...recovery, isToHold: true, isToComplete: true } };
}

const hasLostPolicy = ({ tables, isEmpty }: Salvage): boolean =>
  isEmpty || tables.some(({ name, lost, isTorn }) => policyTables.includes(name) && (lost > 0 || isTorn));

const policyRows = ({ tables }: Salvage): Record<string, number> =>
  Object.fromEntries(
    tables.filter(({ name }) => policyTables.includes(name)).map(({ name, kept }) => [name, kept]),
  );

const patienceMs = 60_000;
const pauseMs = 50;

/** One at a time: others wait until it is done, and find it mended. */
async function alone<Result>(home: Home, clock: Clock, work: () => Promise<Result>): Promise<Result> {
  const until = clock.monotonic() + patienceMs;
  for (;;) {
    const release = await asDiskFailure(home, () => tryLock(home.root, "mend.lock"));
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (clock.monotonic() >= until)
      throw failure("storage/busy", "home.busy", {}, { hint: "home.busy.hint" });
    await clock.sleep(pauseMs);
  }
}

async function asDiskFailure<Result>({ root, coreDb }: Home, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(diskFailure(error, root), coreDb);
  }
}
