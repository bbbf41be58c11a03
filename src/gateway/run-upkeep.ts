/**
 * Deletes old finished rows, so that neither the database nor the media grow forever, and settles ledger rows that a
 * killed process left open. Transcripts stay: they are the owner's.
 */
import type { KeptMedia } from "../storage/media/media-store.ts";
import type { Clock } from "../infra/clock.ts";
import { goneCalls } from "../models/ledger/gone-calls.ts";
import { createProcessLiveness, type ProcessLiveness } from "../storage/sessions/process-liveness.ts";
import type { TenantStores } from "../storage/storage.ts";

/** A network that delivers a message again after this time would be answered again. */
export const keptForMs = 30 * 24 * 60 * 60_000;

/** The ledger is asked about longer: a year, and the month before it to compare with. */
export const usageKeptForMs = 400 * 24 * 60 * 60_000;

const everyMs = 24 * 60 * 60_000;
const firstAfterMs = 10 * 60_000;
const atOnce = 200;

/** Runs until the signal aborts; never throws. A day that fails is told, and the next one does its work too. */
export async function runUpkeep(parts: {
  stores: Pick<TenantStores, "turns" | "inbox" | "outbox" | "usage" | "approvals">;
  clock: Clock;
  signal: AbortSignal;
  onError(error: unknown): void;
  processes?: Pick<ProcessLiveness, "isAlive">;
  /** Files that came along with messages. */
  media?: Pick<KeptMedia, "clean">;
  /** Questions that nobody answered in time. */
  approvals?: { sweep(): Promise<void> };
  /** What turns changed, and programs said. */
  effects?: { tidy(): Promise<void> };
  /** Sessions of single requests that nobody has gone on with since. */
  single?: { clear(before: string, signal: AbortSignal): Promise<void> };
}): Promise<void> {
  const { stores, clock, signal, onError, processes = createProcessLiveness() } = parts;
  const isGone = goneCalls(processes, clock);
  const losing = stores.usage.loseGone(isGone).catch(onError);
  const sweeping = sweepOften(parts);
  try {
    for (let pause = firstAfterMs; ; pause = everyMs) {
      await clock.sleep(pause, signal);
      await clearAway(parts).catch(onError);
      await cleanMedia(parts).catch(onError);
      await parts.effects?.tidy().catch(onError);
      await parts.single?.clear(new Date(clock.now() - everyMs).toISOString(), signal).catch(onError);
      await stores.usage.loseGone(isGone).catch(onError);
    }
  } catch {
    // Stopped: the next start goes on.
  }
  await Promise.all([losing, sweeping]);
}

const sweepEveryMs = 60_000;

/** From the start: what ran out while nothing ran counts as denied now. */
async function sweepOften({
  approvals,
  clock,
  signal,
  onError,
}: Parameters<typeof runUpkeep>[0]): Promise<void> {
  if (!approvals) return;
  try {
    for (;;) {
      await approvals.sweep().catch(onError);
      await clock.sleep(sweepEveryMs, signal);
    }
  } catch {
    // Stopped: the next start goes on.
  }
}

async function cleanMedia({ media, clock, onError }: Parameters<typeof runUpkeep>[0]): Promise<void> {
  const cleaning = await media?.clean({ now: clock.now() });
  if (cleaning?.failed) onError(cleaning.firstError);
}

async function clearAway({ stores, clock, signal }: Parameters<typeof runUpkeep>[0]): Promise<void> {
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString();
  for (const { store, before } of [
    { store: stores.approvals, before: ago(keptForMs) },
    { store: stores.turns, before: ago(keptForMs) },
    { store: stores.outbox, before: ago(keptForMs) },
    { store: stores.inbox, before: ago(keptForMs) },
    { store: stores.usage, before: ago(usageKeptForMs) },
  ]) {
    // In small steps: others want to write too.
    while (!signal.aborted && (await store.prune(before, atOnce)) === atOnce) await clock.sleep(20, signal);
  }
}
