/** Whether a file of the workdir could be written, without writing: checks it, or its nearest existing parent. */
import { constants } from "node:fs";
import { type access as systemAccess, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isThere } from "../infra/is-there.ts";
import type { WorkdirOpener } from "./workdir-opener.ts";

export interface IsWritableParts {
  opener: WorkdirOpener;
  access: typeof systemAccess;
}

export function createIsWritable({ opener, access }: IsWritableParts): (path: string) => Promise<boolean> {
  return async (path) => {
    try {
      const { realRoot, isOpen } = await opener.limits();
      const file = resolve(realRoot, path);
      let nearest = file;
      while (!(await isThere(nearest))) nearest = dirname(nearest);
      const real = await realpath(nearest);
      if (!isOpen(real)) return false;
      const found = await stat(real);
      if (nearest === file ? !found.isFile() : !found.isDirectory()) return false;
      await access(real, found.isFile() ? constants.W_OK : constants.W_OK | constants.X_OK);
      return true;
    } catch {
      // A read-only file system, missing permission, a link to nowhere, a workdir that cannot be made: all mean no.
      return false;
    }
  };
}
