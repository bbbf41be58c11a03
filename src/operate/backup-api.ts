/** Backups: creating, verifying, listing and restoring them. */
import { resolve } from "node:path";
import { locateHome } from "../config/home.ts";
import { systemClock } from "../infra/clock.ts";
import {
  connectToGateway,
  type ConnectToGateway,
  type GatewayDoorParts,
} from "../gateway/connect-to-gateway.ts";
import { examineHome, type ExaminedHomeParts } from "../storage/home/examine-home.ts";
import { createBackup, type CreatedBackup } from "../storage/backups/create-backup.ts";
import { listBackups, type ListedBackup } from "../storage/backups/list-backups.ts";
import { restoreBackup, type Restored, type RestoreRequest } from "../storage/backups/restore-backup.ts";
import { verifyBackup, type Verification } from "../storage/backups/verify-backup.ts";

export interface BackupApiParts extends ExaminedHomeParts, Pick<GatewayDoorParts, "version"> {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface BackupApi {
  /**
   * Made by the running gateway where there is one. Directories are taken as the user wrote them, relative to where they are.
   * Throws PincerError `backup/…`, `storage/…`, `gateway/…`.
   */
  create(request: { directory: string | undefined; withKey: boolean }): Promise<CreatedBackup>;
  /** Never throws for what is wrong with the backup. */
  verify(directory: string): Promise<Verification>;
  /** Undefined when not confirmed. Throws PincerError; `gateway/running` while a gateway runs. */
  restore(directory: string, confirm: RestoreRequest["confirm"]): Promise<Restored | undefined>;
  /** Those of the home, newest first. */
  list(): Promise<ListedBackup[]>;
}

export function createBackupApi(
  parts: BackupApiParts,
  connect: ConnectToGateway = connectToGateway,
): BackupApi {
  const { cwd, environment, say, version, signal, onProgress } = parts;

  async function createHere(place: {
    directory: string | undefined;
    withKey: boolean;
  }): Promise<CreatedBackup> {
    const examined = examineHome(parts);
    try {
      const { home, clock } = examined;
      const { stores } = await examined.makeDatabase();
      return await createBackup({ ...place, home, clock, version, stores, onProgress, signal });
    } finally {
      await examined.closeDatabase();
    }
  }

  return {
    async create({ directory, withKey }) {
      const place = directory === undefined ? undefined : resolve(cwd, directory);
      const client = await connect(parts);
      if (!client) return createHere({ directory: place, withKey });
      try {
        const made = await client.request(
          "backup.create",
          { withKey, ...(place === undefined ? {} : { directory: place }) },
          {
            signal,
            onEvent(event, payload) {
              const { done, total } = payload as { done: number; total: number };
              if (event === "backup.progress") onProgress?.(done, total);
            },
          },
        );
        return made as CreatedBackup;
      } finally {
        client.close();
      }
    },
    verify: (directory) =>
      verifyBackup(resolve(cwd, directory), { say, signal, ...(onProgress ? { onProgress } : {}) }),
    async restore(directory, confirm) {
      const { withoutGateway } = await import("../gateway/gateway-lock.ts");
      const request = { directory: resolve(cwd, directory), version, confirm, signal, onProgress };
      return withoutGateway({ home: locateHome(environment), clock: systemClock }, () =>
        restoreBackup(parts, request),
      );
    },
    list: () => listBackups(examineHome(parts).home.backupsDir, say),
  };
}
