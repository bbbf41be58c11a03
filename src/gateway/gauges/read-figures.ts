/** The figures behind status and metrics: a few counts, each read at most once in a while. */
import { stat } from "node:fs/promises";
import { asPincerError, type PincerError } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Backlogs } from "../../storage/inbox/backlogs.ts";
import type { StorageCondition } from "../../storage/sqlite/storage-condition.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { freeBytes } from "../../storage/home/free-bytes.ts";
import { within } from "../../infra/within.ts";

export interface Figures {
  /** Undefined where the database cannot be read. */
  backlogs: Backlogs | undefined;
  /** Why the database takes no writes, or cannot be read; undefined where it does. */
  databaseTrouble: PincerError | undefined;
  /** What is damaged in it, or cannot be read; empty while nothing is known to be. */
  damage: readonly PincerError[];
  /** A loss that the owner has not confirmed yet: tools are off. */
  isRecovering: boolean;
  /** Why its log cannot be emptied. It works, as long as the log can grow. */
  logTrouble: PincerError | undefined;
  databaseBytes: number | null;
  freeBytes: number | null;
}

export interface FigureParts {
  clock: Clock;
  stores: Pick<TenantStores, "backlogs">;
  condition(): StorageCondition;
  isRecovering?(): boolean;
  databaseFile: string;
  homeRoot: string;
}

/** However often it is asked, the database is bothered no more often than this. */
const freshForMs = 2000;
/** A read that waits for others is no refusal yet. */
const patienceMs = 4000;

export function createFigureReader(parts: FigureParts): () => Promise<Figures> {
  const { clock } = parts;
  let last: { at: number; figures: Promise<Figures> } | undefined;
  return () => {
    const now = clock.monotonic();
    if (last && now >= last.at && now - last.at < freshForMs) return last.figures;
    last = { at: now, figures: lookUp(parts) };
    return last.figures;
  };
}

async function lookUp({
  clock,
  stores,
  condition,
  isRecovering = () => false,
  databaseFile,
  homeRoot,
}: FigureParts): Promise<Figures> {
  let unread: PincerError | undefined;
  const backlogs = await inTime(clock, stores.backlogs.read()).catch((error: unknown) => {
    unread = asPincerError(error);
    return undefined;
  });
  const { refusing, damage, logProblem } = condition();
  const [size, log, free] = await Promise.all([
    sizeOf(databaseFile),
    sizeOf(`${databaseFile}-wal`),
    freeBytes(homeRoot).catch(() => null),
  ]);
  return {
    backlogs,
    databaseTrouble: refusing?.error ?? unread,
    damage,
    isRecovering: isRecovering(),
    logTrouble: logProblem,
    databaseBytes: size === null ? null : size + (log ?? 0),
    freeBytes: free,
  };
}

const inTime = <Answer>(clock: Clock, work: Promise<Answer>): Promise<Answer> =>
  within(clock, patienceMs, work, () => {
    throw failure("storage/unavailable", "failure.no-answer", { seconds: patienceMs / 1000 });
  });

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
