/** Workdirs, ready for use. */
import { realpathSync, statSync } from "node:fs";
import { ensureDir } from "../config/home.ts";
import { failure } from "../infra/failure.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import { locateWorkdir } from "../config/locate-workdir.ts";

export type WorkdirPlace = Parameters<typeof locateWorkdir>[0];

/**
 * The configured one is made where it is missing. One given as a flag must be there: a slip of the finger would otherwise
 * make a directory somewhere. Throws PincerError `usage/bad-argument` or `storage/unavailable`.
 */
export function prepareWorkdir(place: WorkdirPlace): string {
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

/**
 * Has the keeper know where workdirs are before anybody works in one: from inside one, another that lies in it could be replaced. Never throws; one that is
 * not there yet is known from its first use.
 */
export function noteWorkdirs(places: readonly WorkdirPlace[], registry: WorkdirRegistry): void {
  for (const place of places) {
    const workdir = locateWorkdir(place);
    try {
      registry.same(workdir, realpathSync.native(workdir));
    } catch {
      // It is not there yet, or is another than before: then whoever wants to work in it is told.
    }
  }
}
