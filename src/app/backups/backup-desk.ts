/** Backups for people: making, checking, listing them and bringing one back. */
import { resolve } from "node:path";
import { examineHome, type ExaminedHomeParts } from "../home/examine-home.ts";
import { createBackup, type CreatedBackup } from "./create-backup.ts";
import { listBackups, type ListedBackup } from "./list-backups.ts";
import { restoreBackup, type Restored, type RestoreRequest } from "./restore-backup.ts";
import { verifyBackup, type Verification } from "./verify-backup.ts";

export interface BackupDeskParts extends ExaminedHomeParts {
  version: string;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface BackupDesk {
  /** Directories are taken as the user wrote them, relative to where they are. Throws PincerError `backup/…`, `storage/…`. */
  create(request: { directory: string | undefined; withKey: boolean }): Promise<CreatedBackup>;
  /** Never throws for what is wrong with the backup. */
  verify(directory: string): Promise<Verification>;
  /** Undefined when not confirmed. Throws PincerError. */
  restore(directory: string, confirm: RestoreRequest["confirm"]): Promise<Restored | undefined>;
  /** Those of the home, newest first. */
  list(): Promise<ListedBackup[]>;
}

export function createBackupDesk(parts: BackupDeskParts): BackupDesk {
  const { cwd, say, version, signal, onProgress } = parts;
  return {
    async create({ directory, withKey }) {
      const examined = examineHome(parts);
      try {
        const { home, clock } = examined;
        const { stores } = await examined.makeDatabase();
        const place = directory === undefined ? undefined : resolve(cwd, directory);
        return await createBackup({
          home,
          clock,
          version,
          stores,
          directory: place,
          withKey,
          onProgress,
          signal,
        });
      } finally {
        await examined.closeDatabase();
      }
    },
    verify: (directory) =>
      verifyBackup(resolve(cwd, directory), { say, signal, ...(onProgress ? { onProgress } : {}) }),
    restore: (directory, confirm) =>
      restoreBackup(parts, { directory: resolve(cwd, directory), version, confirm, signal, onProgress }),
    list: () => listBackups(examineHome(parts).home.backupsDir, say),
  };
}
