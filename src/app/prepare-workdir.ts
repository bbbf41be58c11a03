/** The workdir, ready for use. */
import { statSync } from "node:fs";
import { ensureDir } from "../config/home.ts";
import { failure } from "../infra/failure.ts";
import { locateWorkdir } from "./locate-workdir.ts";

/**
 * The configured one is made where it is missing. One given as a flag must be there: a slip of the finger would otherwise
 * make a directory somewhere. Throws PincerError `usage/bad-argument` or `storage/unavailable`.
 */
export function prepareWorkdir(place: Parameters<typeof locateWorkdir>[0]): string {
  const workdir = locateWorkdir(place);
  if (place.flag) {
    if (statSync(workdir, { throwIfNoEntry: false })?.isDirectory()) return workdir;
    throw failure(
      "usage/bad-argument",
      "failure.no-workdir",
      { workdir },
      { hint: "failure.no-workdir.hint" },
    );
  }
  try {
    ensureDir(workdir);
  } catch (error) {
    const reason = (error as Error).message;
    throw failure(
      "storage/unavailable",
      "failure.workdir-not-made",
      { workdir, reason },
      { hint: "failure.workdir-not-made.hint", cause: error },
    );
  }
  return workdir;
}
