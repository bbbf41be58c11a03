/**
 * The write-ahead log, as a file to sync. SQLite keeps the log until the last connection closes, so the
 * name means the same file for as long as ours is open; should someone have moved, replaced or removed the log
 * or the database all the same, a sync would prove nothing and fails instead.
 */
import { closeSync, fstatSync, openSync, statSync } from "node:fs";

export type Fdatasync = (descriptor: number) => Promise<void>;

export interface WalFile {
  /** Resolves when everything written to the log before the call is on the disk. */
  sync(): Promise<void>;
  /** Safe to call twice. Call it before the database closes: some systems cannot delete an open file. */
  close(): void;
}

/** The database must be open and have been read from: then the log exists. */
export function openWalFile({ file, fdatasync }: { file: string; fdatasync: Fdatasync }): WalFile {
  const descriptor = openSync(`${file}-wal`, "r+");
  const opened = [
    { path: `${file}-wal`, stats: fstatSync(descriptor, { bigint: true }) },
    // A log without its database is worth nothing.
    { path: file, stats: statSync(file, { bigint: true }) },
  ];
  let open = true;
  return {
    async sync() {
      // On this thread: it takes microseconds, and a way to another one and back takes more.
      for (const { path, stats } of opened) {
        const present = statSync(path, { bigint: true });
        if (present.ino !== stats.ino || present.dev !== stats.dev)
          throw new Error(`${path} was replaced while in use`);
      }
      await fdatasync(descriptor);
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
