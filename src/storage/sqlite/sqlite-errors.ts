/** What SQLite and the file system say went wrong, in the product's codes. */
import { PincerError, type ErrorCode } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { TextKey } from "../../infra/texts.ts";

interface SqliteError extends Error {
  code: "ERR_SQLITE_ERROR";
  /** SQLite's extended result code; its low byte is the primary one. */
  errcode: number;
}

const meanings = new Map<number, { code: ErrorCode; key: TextKey; hint: TextKey }>();
const mean = (primaries: number[], code: ErrorCode, key: TextKey, hint: TextKey) => {
  for (const primary of primaries) meanings.set(primary, { code, key, hint });
};
const damage = [11, 26];
mean([5, 6, 15], "storage/busy", "failure.database-busy", "failure.database-busy.hint");
mean(damage, "storage/corrupt", "failure.database-damaged", "failure.database-damaged.hint");
mean([13], "storage/full", "failure.disk-full", "failure.disk-full.hint");
mean([3, 8, 10, 14, 23], "storage/unavailable", "failure.database-away", "failure.database-away.hint");

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const failedSyncs = [1034, 1290];
const noSpace = new Set(["ENOSPC", "EDQUOT"]);

/** One of ours where it is the world's doing; anything else is returned as it came, because it is a bug. */
export function asStorageError(thrown: unknown, file: string): unknown {
  if (thrown instanceof PincerError) return thrown;
  if (isSqliteError(thrown)) {
    const meaning = meanings.get(primaryCode(thrown));
    if (!meaning) return thrown;
    const { code, key, hint } = meaning;
    return failure(code, key, { reason: thrown.message, file }, { hint, cause: thrown });
  }
  if (isSystemError(thrown)) {
    const code = noSpace.has(thrown.code) ? "storage/full" : "storage/unavailable";
    const hint = "failure.database-away.hint";
    return failure(code, "failure.database-files", { reason: thrown.message }, { hint, cause: thrown });
  }
  return thrown;
}

/** Others are at it at this very moment: opening again a little later may well succeed. */
export function isPassing(thrown: unknown): boolean {
  return isSqliteError(thrown) && [5, 6, 15].includes(primaryCode(thrown));
}

/** The disk did not confirm a sync: what was written before it may be lost, and a later sync would not tell. */
export function isFailedSync(thrown: unknown): boolean {
  return isSqliteError(thrown) && failedSyncs.includes(thrown.errcode);
}

/** What the file holds is not what SQLite wrote. */
export function isDamage(thrown: unknown): boolean {
  return isSqliteError(thrown) && damage.includes(primaryCode(thrown));
}

/** What SQLite's checks answered, as problems; empty when all is well. */
export function damageFound({
  integrity,
  orphans,
}: {
  /** The lines of `integrity_check`. */
  integrity: string[];
  /** The tables of the rows that `foreign_key_check` found. */
  orphans: string[];
}): PincerError[] {
  const lines = integrity.filter((line) => line !== "ok");
  return [
    ...lines.map((finding) => failure("storage/corrupt", "failure.damage", { finding })),
    ...orphans.map((table) => failure("storage/corrupt", "failure.orphan-row", { table })),
  ];
}

function primaryCode(error: SqliteError): number {
  return error.errcode & 0xff;
}

/** SQLite said it, whatever it is about. */
export function isSqliteError(thrown: unknown): thrown is SqliteError {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number";
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException & { code: string } {
  return thrown instanceof Error && "syscall" in thrown && "code" in thrown;
}
