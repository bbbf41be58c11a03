/**
 * The home as the doctor sees it. Nothing is made by looking: a database that is not there is not created. The
 * database is opened once, through the stores, and shared by all checks; nobody opens its files in another way.
 */
import { asPincerError, type PincerError } from "@pincer/sdk";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { locateHome, type Home } from "../../config/home.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { LoadedConfig } from "../../config/loaded-config.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets, type Secrets } from "../../config/secrets.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { openSqliteStores } from "../../storage/open-sqlite-stores.ts";
import { createProcessLiveness } from "../../storage/process-liveness.ts";
import { createSessionLeases, type SessionLeases } from "../../storage/session-lease.ts";
import type { Stores, TenantStores } from "../../storage/stores.ts";
import { createTranscriptMirror, type TranscriptMirror } from "../../storage/transcript/transcript-mirror.ts";
import { locateWorkdir } from "../locate-workdir.ts";
import { personalTenant } from "../open-ground.ts";

export interface ExaminedHomeParts {
  environment: Record<string, string | undefined>;
  redactor: Redactor;
  say: Say;
  /** Told which language the config wants. */
  speak?: (language: Config["language"]) => void;
  cwd: string;
  clock?: Clock;
}

export interface OpenDatabase {
  type: "open";
  stores: Stores;
  tenant: TenantStores;
  leases: SessionLeases;
  transcripts: TranscriptMirror;
}

export type DatabaseState = OpenDatabase | { type: "absent" } | { type: "failed"; error: PincerError };

export interface ExaminedHome {
  home: Home;
  environment: Record<string, string | undefined>;
  say: Say;
  clock: Clock;
  secrets: Secrets;
  /** Tells the redactor what must not be shown. Never throws: what cannot be opened cannot be shown either. */
  hideSecrets(): Promise<void>;
  /** As it is now; read anew each time, because fixes change it. */
  config(): Promise<LoadedConfig>;
  workdir(): Promise<string>;
  transcriptFile(agentId: string, sessionId: string): string;
  /** Opens it where it is there and not yet open; never throws. */
  database(): Promise<DatabaseState>;
  /** Opens it, making it where there is none. Throws PincerError `storage/…`. */
  makeDatabase(): Promise<OpenDatabase>;
  /** Closes the database; `database` opens it again. Safe to call twice. */
  closeDatabase(): Promise<void>;
}

export function examineHome(parts: ExaminedHomeParts): ExaminedHome {
  const { environment, redactor, say, cwd, clock = systemClock } = parts;
  const home = locateHome(environment);
  const config = async () => {
    const loaded = await loadConfig({ home, environment });
    parts.speak?.(loaded.config.language);
    return loaded;
  };
  const transcriptFile = (agentId: string, sessionId: string) =>
    join(home.sessionsDir(agentId), `${sessionId}.jsonl`);
  const secrets = openSecrets({ home, environment, clock });
  let opened: OpenDatabase | undefined;

  async function makeDatabase(): Promise<OpenDatabase> {
    opened ??= await openDatabase(home.coreDb, clock, transcriptFile);
    return opened;
  }

  return {
    home,
    environment,
    say,
    clock,
    secrets,
    async hideSecrets() {
      try {
        for (const { name, value } of await secrets.values()) redactor.add(name, value);
      } catch {
        // Nobody can leak what nobody can open; whoever looks at the secrets says why they cannot.
      }
    },
    config,
    async workdir() {
      const loaded = await config();
      const configured = loaded.config.agents.defaults.workspace;
      return locateWorkdir({ flag: undefined, configured, cwd, environment, homeRoot: home.root });
    },
    transcriptFile,
    async database() {
      try {
        if (!opened && !(await isThere(home.coreDb))) return { type: "absent" };
        return await makeDatabase();
      } catch (error) {
        return { type: "failed", error: asPincerError(error) };
      }
    },
    makeDatabase,
    async closeDatabase() {
      const closing = opened;
      opened = undefined;
      await closing?.stores.close();
    },
  };
}

async function openDatabase(
  file: string,
  clock: Clock,
  transcriptFile: ExaminedHome["transcriptFile"],
): Promise<OpenDatabase> {
  const ids = createIds(clock.now);
  const stores = await openSqliteStores({ file, clock, ids });
  const tenant = stores.tenant(personalTenant.tenantId);
  const liveness = createProcessLiveness();
  return {
    type: "open",
    stores,
    tenant,
    leases: createSessionLeases({
      leases: tenant.leases,
      clock,
      holder: liveness.self(ids.make("h")),
      isAlive: liveness.isAlive,
    }),
    transcripts: createTranscriptMirror({
      sessionFile: transcriptFile,
      entries: tenant.entries,
      markMirrored: tenant.sessions.markMirrored,
    }),
  };
}

/** By name only: a descriptor of the database that is closed again would drop the locks of this process. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}
