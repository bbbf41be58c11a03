/**
 * Keeps it known whether writes reach the disk and whether the database can be read. Where nobody writes, it writes a page itself; it has all
 * pages read after the start, daily, and when a read has failed. The owner is told of both as soon as a notice can be written.
 */
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { TextKey } from "../../infra/texts.ts";
import { within } from "../../infra/within.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";
import type { Stores } from "../../storage/storage.ts";
import type { StorageCondition } from "../../storage/sqlite/storage-condition.ts";

export interface StorageWatch {
  condition(): StorageCondition;
  /** Until the signal aborts. Never throws. */
  watch(signal: AbortSignal): Promise<void>;
}

/** How often it looks whether something is due, and how often a disk that refused is tried again. */
export const lookEveryMs = 10_000;
/** How old the last good write may get before one is made for the purpose. */
export const proveEveryMs = 60_000;
/** A disk that answers later than this is told as one that does not answer. */
const patienceMs = 4000;
const checkEveryMs = 24 * 60 * 60_000;
/** Callers that wait for the gateway are served first. */
const firstCheckMs = 3000;
/** Failed reads ask for a check no more often than this. */
const checkAgainMs = 60_000;

export function createStorageWatch({
  storage,
  notices,
  clock,
  told,
  onError,
}: {
  storage: Pick<Stores, "condition" | "tryWrite" | "lookForRoom" | "checkPages">;
  notices: Pick<NoticeStore, "add">;
  clock: Clock;
  /** The owner may be told now. */
  told(): void;
  onError(error: unknown): void;
}): StorageWatch {
  /** A write of ours that has no answer yet. */
  let trying: Promise<void> | undefined;
  let hangsSince: number | undefined;
  let checkedAt: number | undefined;
  /** Which times without writes the owner knows of: of the one that lasts its beginning, of the last one that ended its end. */
  let toldOf: number | undefined;
  let toldUntil: number | undefined;
  let isDamageTold = false;

  function condition(): StorageCondition {
    const known = storage.condition();
    if (known.refusing || hangsSince === undefined) return known;
    const error = failure("storage/unavailable", "failure.no-answer", { seconds: patienceMs / 1000 });
    return { ...known, refusing: { since: hangsSince, error } };
  }

  async function prove(): Promise<void> {
    const { refusing, writtenAt } = storage.condition();
    const isDue = refusing || writtenAt === undefined || clock.now() - writtenAt >= proveEveryMs;
    if (!isDue && hangsSince === undefined) return;
    const began = clock.now();
    trying ??= storage
      .tryWrite()
      .then(() => void (hangsSince = undefined), onError)
      .finally(() => (trying = undefined));
    await within(clock, patienceMs, trying, () => void (hangsSince ??= began));
  }

  async function check(signal: AbortSignal): Promise<void> {
    const { failedReads, damage } = storage.condition();
    const age = checkedAt === undefined ? Infinity : clock.now() - checkedAt;
    const isAsked = (failedReads > 0 || damage.length > 0) && age >= checkAgainMs;
    if (age < checkEveryMs && !isAsked) return;
    checkedAt = clock.now();
    await storage.checkPages(signal).catch((error: unknown) => signal.aborted || onError(error));
    if (storage.condition().damage.length > 0) await tell().catch(onError);
  }

  async function add(subject: string, key: TextKey, parameters: Record<string, string>): Promise<void> {
    await notices.add({ kind: "storage", subject, text: { key, parameters }, replaces: true });
    told();
  }

  async function tell(): Promise<void> {
    const { refusing, refused, damage } = condition();
    // While the disk refuses, writing the notice may fail as well, and is tried again.
    if (refusing && toldOf !== refusing.since) {
      const parameters = { since: timeOf(refusing.since), reason: refusing.error.message };
      await add("storage:writes", "notice.writes-fail", parameters);
      toldOf = refusing.since;
    }
    if (refused && toldUntil !== refused.until) {
      const { since, until, error } = refused;
      const parameters = { since: timeOf(since), until: timeOf(until), reason: error.message };
      await add("storage:writes", "notice.writes-failed", parameters);
      toldUntil = until;
    }
    const [first] = damage;
    if (first && !isDamageTold) {
      isDamageTold = true;
      await add("storage:damage", "notice.damage", { reason: first.message });
    }
    isDamageTold = first !== undefined;
  }

  async function checkOften(signal: AbortSignal): Promise<void> {
    await clock.sleep(firstCheckMs, signal);
    for (;;) {
      await check(signal);
      await clock.sleep(lookEveryMs, signal);
    }
  }

  async function proveOften(signal: AbortSignal): Promise<void> {
    for (;;) {
      await prove();
      await tell().catch(onError);
      await clock.sleep(lookEveryMs, signal);
    }
  }

  // A look at a disk that does not answer holds up no other work.
  async function lookOften(signal: AbortSignal): Promise<void> {
    for (;;) {
      await storage.lookForRoom();
      await clock.sleep(lookEveryMs, signal);
    }
  }

  return {
    condition,
    async watch(signal) {
      // Stopped: that is how all of them end.
      const stopped = () => undefined;
      await Promise.all([checkOften, lookOften, proveOften].map((often) => often(signal).catch(stopped)));
    },
  };
}

/** To the second, as people read it. */
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
