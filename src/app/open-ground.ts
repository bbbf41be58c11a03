/** The home with its database open: what every command that touches sessions stands on. */
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import { createIds, type Ids } from "../infra/ids.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { Say } from "../infra/texts.ts";
import { openSqliteStores } from "../storage/open-sqlite-stores.ts";
import { createProcessLiveness } from "../storage/process-liveness.ts";
import { createSessionLeases, type SessionLeases } from "../storage/session-lease.ts";
import type { SessionRecord, Stores, TenantStores } from "../storage/stores.ts";
import { createTranscriptMirror, type TranscriptMirror } from "../storage/transcript/transcript-mirror.ts";
import { openFoundation, type Foundation, type FoundationParts } from "./foundation.ts";
import { locateWorkdir } from "./locate-workdir.ts";

export interface GroundParts {
  environment: Record<string, string | undefined>;
  redactor: Redactor;
  say: Say;
  speak?: FoundationParts["speak"];
  cwd: string;
}

export interface GroundOptions {
  workdir?: string;
  configProfile?: string;
}

export interface Ground {
  foundation: Foundation;
  config: Config;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  workspaceId: string;
  defaultAgentId: string;
  workdir: string;
  database: Stores;
  stores: TenantStores;
  leases: SessionLeases;
  transcripts: TranscriptMirror;
  /** Brings the JSONL copy up to date; a failure is a notice, never an error: the database is the truth. */
  mirror(session: SessionRecord): Promise<void>;
  notices: string[];
  close(): Promise<void>;
}

export const personalTenant = { tenantId: "t_default", workspaceId: "w_default" } as const;

export async function openGround(parts: GroundParts, options: GroundOptions): Promise<Ground> {
  const foundation = await openFoundation({
    environment: parts.environment,
    redactor: parts.redactor,
    ...(parts.speak ? { speak: parts.speak } : {}),
    ...(options.configProfile ? { configProfile: options.configProfile } : {}),
  });
  const { home, loaded, notices } = foundation;
  const { config } = loaded;
  const clock = systemClock;
  const ids = createIds(clock.now);
  const { tenantId, workspaceId } = personalTenant;
  const database = await openSqliteStores({ file: home.coreDb, clock, ids });
  const stores = database.tenant(tenantId);
  const defaultAgentId = config.agents.list.find((agent) => agent.default)?.id ?? "main";
  await stores.directory.ensure({
    tenant: { name: "default", plan: config.edition },
    workspace: { id: workspaceId, name: "default" },
    agent: { id: defaultAgentId, name: defaultAgentId },
  });

  const liveness = createProcessLiveness();
  const leases = createSessionLeases({
    leases: stores.leases,
    clock,
    holder: liveness.self(ids.make("h")),
    isAlive: liveness.isAlive,
  });
  const transcripts = createTranscriptMirror({
    sessionFile: (agentId, sessionId) => join(home.sessionsDir(agentId), `${sessionId}.jsonl`),
    entries: stores.entries,
    markMirrored: stores.sessions.markMirrored,
  });

  return {
    foundation,
    config,
    clock,
    ids,
    tenantId,
    workspaceId,
    defaultAgentId,
    workdir: locateWorkdir({
      flag: options.workdir,
      configured: config.agents.defaults.workspace,
      cwd: parts.cwd,
      environment: parts.environment,
      homeRoot: home.root,
    }),
    database,
    stores,
    leases,
    transcripts,
    async mirror(session) {
      try {
        await transcripts.complete(session);
      } catch (error) {
        notices.push(
          `The transcript file of ${session.sessionId} could not be written: ${(error as Error).message}`,
        );
      }
    },
    notices,
    close: () => database.close(),
  };
}
