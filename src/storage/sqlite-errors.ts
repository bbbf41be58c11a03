/** What SQLite and the file system say went wrong, in the product's codes. */
import { PincerError, type ErrorCode } from "@pincer/sdk";

interface SqliteError extends Error {
  code: "ERR_SQLITE_ERROR";
  /** SQLite's extended result code; its low byte is the primary one. */
  errcode: number;
}

const meanings = new Map<number, { code: ErrorCode; says: string; hint: string }>();
const mean = (primaries: number[], code: ErrorCode, says: string, hint: string) => {
  for (const primary of primaries) meanings.set(primary, { code, says, hint });
};
const damage = [11, 26];
const checkDisk = "Check that the home directory exists, is writable, and that its disk is healthy.";
mean([5, 6, 15], "storage/busy", "The database is busy", "Another process holds it. Try again in a moment.");
mean(damage, "storage/corrupt", "The database file is damaged", "Run `pincer doctor --fix`.");
mean([13], "storage/full", "The disk is full", "Free some space; nothing that was confirmed is lost.");
mean([3, 8, 10, 14, 23], "storage/unavailable", "The database cannot be reached", checkDisk);

const noSpace = new Set(["ENOSPC", "EDQUOT"]);

/** One of ours where it is the world's doing; anything else is returned as it came, because it is a bug. */
export function asStorageError(thrown: unknown, file: string): unknown {
  if (thrown instanceof PincerError) return thrown;
  if (isSqliteError(thrown)) {
    const meaning = meanings.get(primaryCode(thrown));
    if (!meaning) return thrown;
    const { code, says, hint } = meaning;
    return new PincerError(code, `${says}: ${thrown.message} (${file})`, { hint, cause: thrown });
  }
  if (isSystemError(thrown)) {
    const code = noSpace.has(thrown.code) ? "storage/full" : "storage/unavailable";
    return new PincerError(code, `The database cannot be reached: ${thrown.message}`, {
      hint: checkDisk,
      cause: thrown,
    });
  }
  return thrown;
}

/** Others are at it at this very moment: opening again a little later may well succeed. */
export function isPassing(thrown: unknown): boolean {
  return isSqliteError(thrown) && [5, 6, 15].includes(primaryCode(thrown));
}

/** What the file holds is not what SQLite wrote. */
export function isDamage(thrown: unknown): boolean {
  return isSqliteError(thrown) && damage.includes(primaryCode(thrown));
}

function primaryCode(error: SqliteError): number {
  return error.errcode & 0xff;
}

function isSqliteError(thrown: unknown): thrown is SqliteError {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number";
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException & { code: string } {
  return thrown instanceof Error && "syscall" in thrown && "code" in thrown;
}
