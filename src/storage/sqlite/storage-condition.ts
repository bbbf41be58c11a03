/**
 * What the last writes and reads said about the disk and the file. A write counts as good only when it changed a page and the disk confirmed
 * it; one that failed counts until a later one was good. A read that failed counts until a check has found the pages whole.
 */
import { asPincerError, type PincerError } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";

export interface StorageCondition {
  /** When a changed page was last seen to reach the disk, in milliseconds; undefined before the first. */
  writtenAt: number | undefined;
  /** Since when writes fail, and why the last one did; undefined while they work. */
  refusing: { since: number; error: PincerError } | undefined;
  /** The last time that writes failed, which is over. */
  refused: { since: number; until: number; error: PincerError } | undefined;
  /** Why the write-ahead log cannot be emptied; writes work as long as it can grow. */
  logProblem: PincerError | undefined;
  /** How many reads failed since the pages were last found whole. */
  failedReads: number;
  /** What is damaged, or cannot be read; empty while nothing is known to be. */
  damage: PincerError[];
}

export interface ConditionRecord {
  /** A changed page has reached the disk. */
  wrote(): void;
  /** Why there is too little room for a turn, or that there is enough: single pages may fit where a message does not. */
  looked(cramped: PincerError | undefined): void;
  /** Ignores what is no matter of the disk. */
  writeFailed(error: unknown): void;
  /** Ignores what is no matter of the disk or the file. */
  readFailed(error: unknown): void;
  /** What a check of all pages has found; reads that failed before are forgotten where it found nothing. */
  checked(found: readonly PincerError[]): void;
  read(): Omit<StorageCondition, "logProblem">;
}

const mostKept = 5;

export function createConditionRecord({ now }: Pick<Clock, "now">): ConditionRecord {
  let writtenAt: number | undefined;
  let refusing: StorageCondition["refusing"];
  let refused: StorageCondition["refused"];
  let isCramped = false;
  let failedReads = 0;
  let damage: PincerError[] = [];

  function readFailed(thrown: unknown): void {
    const error = asPincerError(thrown);
    if (error.code !== "storage/corrupt" && error.code !== "storage/unavailable") return;
    failedReads++;
    if (damage.length < mostKept && damage.every(({ message }) => message !== error.message))
      damage.push(error);
  }

  return {
    wrote() {
      writtenAt = now();
      if (isCramped) return;
      if (refusing) refused = { ...refusing, until: writtenAt };
      refusing = undefined;
    },
    looked(cramped) {
      isCramped = cramped !== undefined;
      if (cramped) refusing = { since: refusing?.since ?? now(), error: cramped };
    },
    writeFailed(thrown) {
      const error = asPincerError(thrown);
      if (error.domain !== "storage") return;
      if (error.code === "storage/corrupt") return readFailed(error);
      refusing = { since: refusing?.since ?? now(), error };
    },
    readFailed,
    checked(found) {
      damage = found.slice(0, mostKept);
      if (found.length === 0) failedReads = 0;
    },
    read: () => ({ writtenAt, refusing, refused, failedReads, damage: [...damage] }),
  };
}
