/** A disk error, as an error that says what to do. */
import { PincerError } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import { notRegular } from "./read-regular-file.ts";

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const refusals = new Set([
  "EACCES",
  "EBUSY",
  "EEXIST",
  "EIO",
  "EISDIR",
  "ELOOP",
  "EMFILE",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "ENXIO",
  "EPERM",
  "EROFS",
  notRegular,
]);
/** SQLite's own numbers, of the lock. */
const sqliteFull = 13;
const sqliteRefusals = new Map([
  [3, "no permission"],
  [8, "read-only"],
  [10, "read or write failed"],
  [14, "cannot be opened"],
  [23, "no permission"],
  [26, "not a lock file"],
]);

/** `path` is named where the error itself names none. What is no refusal of the disk comes back as it is. */
export function diskFailure(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof PincerError) return thrown;
  const { code = "", errcode, path: named } = thrown as NodeJS.ErrnoException & { errcode?: number };
  const primary = code === "ERR_SQLITE_ERROR" && errcode !== undefined ? errcode & 0xff : undefined;
  const parameters = { path: named ?? path };
  if (full.has(code) || primary === sqliteFull)
    return failure("storage/full", "home.disk-full", parameters, {
      hint: "home.disk-full.hint",
      cause: thrown,
    });
  const reason = refusals.has(code) ? code : primary && sqliteRefusals.get(primary);
  if (reason === undefined) return thrown;
  return failure(
    "storage/unavailable",
    "home.disk-refuses",
    { ...parameters, reason: reason === notRegular ? "not a regular file" : reason },
    { hint: "home.disk-refuses.hint", cause: thrown },
  );
}
