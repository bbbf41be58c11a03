import { fdatasync as fdatasyncWithCallback } from "node:fs";
import { promisify } from "node:util";
import { asPincerError, type PincerError } from "@pincer/sdk";
import { deferred } from "../../infra/deferred.ts";

/** A sync that fails may have lost what was written before it: nothing may be acknowledged any more, so the process has to end. */
export function watchDisk(
  fdatasync: (descriptor: number) => Promise<void> = promisify(fdatasyncWithCallback),
): {
  fdatasync: (descriptor: number) => Promise<void>;
  failed: Promise<PincerError>;
} {
  const lost = deferred<PincerError>();
  return {
    failed: lost.promise,
    async fdatasync(descriptor) {
      try {
        await fdatasync(descriptor);
      } catch (error) {
        lost.resolve(asPincerError(error));
        throw error;
      }
    },
  };
}
