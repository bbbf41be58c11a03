import { fdatasync as fdatasyncWithCallback } from "node:fs";
import { promisify } from "node:util";
import { asPincerError, type PincerError } from "@pincer/sdk";

export interface DiskWatch {
  fdatasync: (descriptor: number) => Promise<void>;
  failed: Promise<PincerError>;
  /** Hears of errors elsewhere: a checkpoint's sync can fail too, and shows when the storage refuses to write. */
  suspect(error: unknown): void;
}

/** A sync that fails may have lost what was written before it: nothing may be acknowledged any more, so the process has to end. */
export function watchDisk(
  fdatasync: (descriptor: number) => Promise<void> = promisify(fdatasyncWithCallback),
): DiskWatch {
  const lost = Promise.withResolvers<PincerError>();
  return {
    failed: lost.promise,
    suspect(error) {
      const failure = asPincerError(error);
      if (failure.code === "storage/failed") lost.resolve(failure);
    },
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
