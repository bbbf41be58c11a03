/** What is looked up for whoever wants to know how the house is: a few counts, each asked for at most once in a while. */
import { stat } from "node:fs/promises";
import { asPincerError } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { Backlogs } from "../../storage/inbox/backlogs.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { freeBytes } from "../../storage/home/free-bytes.ts";
import { within } from "../../infra/within.ts";

export interface Figures {
  /** Undefined where the database cannot be read. */
  backlogs: Backlogs | undefined;
  /** Why the database takes no writes, or cannot be read; undefined where it does. */
  databaseTrouble: string | undefined;
  databaseBytes: number | null;
  freeBytes: number | null;
}

export interface FigureParts {
  clock: Clock;
  stores: Pick<TenantStores, "backlogs">;
  databaseFile: string;
  homeRoot: string;
}

/** However often it is asked, the database is bothered no more often than this. */
const freshForMs = 2000;
/** A write that waits for others is no refusal yet. */
const patienceMs = 4000;

export function createFigureReader(parts: FigureParts): () => Promise<Figures> {
  const { clock } = parts;
  let last: { at: number; figures: Promise<Figures> } | undefined;
  return () => {
    const now = clock.now();
    if (last && now >= last.at && now - last.at < freshForMs) return last.figures;
    last = { at: now, figures: lookUp(parts) };
    return last.figures;
  };
}

async function lookUp({ clock, stores, databaseFile, homeRoot }: FigureParts): Promise<Figures> {
  let databaseTrouble: string | undefined;
  const note = (error: unknown) => {
    databaseTrouble ??= asPincerError(error).message;
    return undefined;
  };
  const backlogs = await inTime(clock, stores.backlogs.read()).catch(note);
  await inTime(clock, stores.backlogs.tryWrite()).catch(note);
  const [size, log, free] = await Promise.all([
    sizeOf(databaseFile),
    sizeOf(`${databaseFile}-wal`),
    freeBytes(homeRoot).catch(() => null),
  ]);
  return {
    backlogs,
    databaseTrouble,
    databaseBytes: size === null ? null : size + (log ?? 0),
    freeBytes: free,
  };
}

const inTime = <Answer>(clock: Clock, work: Promise<Answer>): Promise<Answer> =>
  within(clock, patienceMs, work, () => {
    throw new Error(`no answer within ${patienceMs / 1000} s`);
  });

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
