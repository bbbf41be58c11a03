/** Workdirs, ready for use. */
import { constants, realpathSync, statSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ensureDir } from "../config/home.ts";
import { failure } from "../infra/failure.ts";
import type { WorkdirRegistry } from "./workdir-registry.ts";
import { locateWorkdir } from "../config/locate-workdir.ts";

export type WorkdirPlace = Parameters<typeof locateWorkdir>[0];

/**
 * Creates the configured workdir if it is missing. One given as a flag must exist, because a typo would create a
 * directory. Throws PincerError `usage/bad-argument` or `storage/unavailable`.
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

/** Why a workdir cannot be used now; undefined where it is there or could be made. Makes nothing, never throws. */
export async function workdirTrouble(workdir: string): Promise<string | undefined> {
  for (let at = workdir; ; at = dirname(at)) {
    try {
      if (!(await stat(at)).isDirectory()) return `${at} is no directory`;
      if (at !== workdir) await access(at, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || at === dirname(at)) return message;
    }
  }
}

/**
 * Registers workdirs before anybody works in one: from inside a workdir, a nested one could be replaced. Never
 * throws; a missing one is registered at its first use.
 */
export function noteWorkdirs(places: readonly WorkdirPlace[], registry: WorkdirRegistry): void {
  for (const place of places) {
    const workdir = locateWorkdir(place);
    try {
      registry.same(workdir, realpathSync.native(workdir));
    } catch {
      // Missing or moved: its user gets the error.
    }
  }
}
