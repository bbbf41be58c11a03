import { PincerError } from "@pincer/sdk";

/** Whether taking in transcripts cannot go on: told to stop, or the database takes nothing. Any other failure is one file's own. */
export const stopsTheWork = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof PincerError && error.domain === "storage");
