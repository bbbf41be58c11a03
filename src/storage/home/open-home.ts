/** The home with its database open: what every command that touches sessions stands on. */
import { asPincerError } from "@pincer/sdk";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { sayError } from "../../infra/failure.ts";
import { createIds, type Ids } from "../../infra/ids.ts";
import { createAuditAnchors, type AuditAnchors } from "../audit/audit-anchors.ts";
import type { AuditSeal } from "../audit/audit-seal.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import type { SessionLeases } from "../sessions/session-lease.ts";
import { agentPolicies } from "./agent-policies.ts";
import { createSessionMemory, type SessionMemory } from "../sessions/session-memory.ts";
import type { LeaseHolder, SessionRecord } from "../stores.ts";
import type { Stores, TenantStores } from "../storage.ts";
import type { Fdatasync } from "../sqlite/wal-file.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import { openAuditSeal } from "../audit/open-audit-seal.ts";
import { openFoundation, type Foundation, type FoundationParts } from "./foundation.ts";
import { openSessions, transcriptFile } from "./open-sessions.ts";
import { openMended } from "./mend-database.ts";
import { mendSessions } from "./mend-sessions.ts";
import { noticeLoss } from "./notice-loss.ts";
import { openRecovery, withoutDoubtful, withRecovery, type RecoveryRecord, type Repair } from "./recovery.ts";
import { repairWords, sayBack, sayRepair } from "./say-back.ts";

export interface OpenHomeParts extends FoundationParts {
  cwd: string;
}

export interface OpenHomeOptions {
  workdir?: string;
  configProfile?: string;
  /** Values by config path, over everything that the config says, for as long as it is open. */
  flags?: Record<string, unknown>;
  /** A start has met damage in the database that opening it did not. */
  isSuspect?: boolean;
}

/** Overrides for tests. */
export interface OpenHomeOverrides {
  wrapStores?: (stores: TenantStores) => TenantStores;
  /** The sync of the database's log. */
  fdatasync?: Fdatasync;
  clock?: Clock;
}

export interface OpenHome {
  foundation: Foundation;
  home: Home;
  config: Config;
  clock: Clock;
  ids: Ids;
  tenantId: string;
  workspaceId: string;
  defaultAgentId: string;
  /** The whole database; use `stores` for one tenant. */
  database: Stores;
  stores: TenantStores;
  leases: SessionLeases;
  transcripts: TranscriptMirror;
  /** The one of this process: what is written to a file waits for each other there. */
  sessionMemory: SessionMemory;
  /** What the audit log is sealed with; undefined where the key cannot be had. */
  auditSeal: AuditSeal | undefined;
  auditAnchors: AuditAnchors;
  /** This opening, as others see it. */
  holder: LeaseHolder;
  /** Whether the holder of a lease still runs. */
  isAlive(holder: LeaseHolder): boolean;
  /** What came back after a loss, while the owner has not confirmed it. */
  recovery: RecoveryRecord;
  /** Updates the JSONL copy; a failure is reported, never thrown: the database is authoritative. */
  mirror(session: SessionRecord): Promise<void>;
  close(): Promise<void>;
}

const recoverySubject = "recovery";
const noticeOf = {
  database: "notice.recovery",
  damage: "notice.recovery-damage",
  changes: "notice.recovery",
  log: "notice.recovery-log",
} as const;

export const personalTenant = { tenantId: "t_default", workspaceId: "w_default" } as const;

/** Throws PincerError `storage/…`; nothing stays open then. */
export async function openHome(
  parts: OpenHomeParts,
  options: OpenHomeOptions,
  overrides: OpenHomeOverrides = {},
): Promise<OpenHome> {
  const { configProfile, flags } = options;
  const foundation = await openFoundation({ ...parts, configProfile, flags });
  const { home, loaded } = foundation;
  const { config } = loaded;
  const clock = overrides.clock ?? systemClock;
  const ids = createIds(clock.now);
  const { tenantId, workspaceId } = personalTenant;
  const { fdatasync, wrapStores = (own: TenantStores) => own } = overrides;
  const recovery = openRecovery(home.recoveryFile);
  const auditSeal = await openAuditSeal(foundation.secrets, "make");
  const defaultAgentId = defaultAgentOf(config);
  const isSuspect = options.isSuspect;
  const { database, stores, auditAnchors } = await openMended({ home, clock, isSuspect }, openDatabase);

  /** And reads what everything else stands on: a database in which that is damaged cannot be used. */
  async function openDatabase() {
    const loss = noticeLoss(home, clock);
    const database = await openSqliteStores({
      file: home.coreDb,
      clock,
      ids,
      seal: async () => auditSeal,
      policyCopy: home.policyCopyFile,
      onNew: loss.onNew,
      onLogLost: loss.onLogLost,
      onPolicyBack: loss.onPolicyBack,
      ...(fdatasync ? { fdatasync } : {}),
    });
    const own = database.tenant(tenantId);
    const rules = withRecovery(own.rules, recovery, () => parts.say("recovery.rule"));
    const stores = wrapStores({ ...own, rules, ...withoutDoubtful(own, recovery) });
    const auditAnchors = createAuditAnchors({
      file: home.auditAnchorsFile,
      tenantId,
      audit: stores.audit,
      seal: auditSeal,
      clock,
    });
    try {
      await stores.directory.ensure({
        tenant: { name: "default", plan: config.edition },
        workspace: { id: workspaceId, name: "default" },
        agent: { id: defaultAgentId, name: defaultAgentId },
      });
      await stores.directory.keepAgents(workspaceId, agentPolicies(config));
      await loss.compare(stores, auditAnchors);
      if (loss.isNew()) await takeInTranscripts(stores);
      if (recovery.read()?.isToComplete) await complete(stores);
      await hideStoredCredentials(stores);
      await tellRecovery(stores);
      return { database, stores, auditAnchors };
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Sessions that are damaged or gone get back what their transcripts say. */
  async function complete(stores: TenantStores): Promise<void> {
    await mendSessions(stores.sessions, (agentId, sessionId) => transcriptFile(home, agentId, sessionId));
    await takeInTranscripts(stores);
    recovery.done("isToComplete");
  }

  async function tellRepair(stores: TenantStores, repair: Repair): Promise<void> {
    parts.notify(sayRepair(repair, parts.say));
    const text = { key: "notice.mended", parameters: repairWords(repair, parts.say) };
    await stores.notices.add({ kind: "storage", subject: `mended:${repair.aside}`, text });
  }

  async function tellRecovery(stores: TenantStores): Promise<void> {
    const open = recovery.read();
    if (!open) {
      if ((await stores.notices.list({ limit: 100 })).some(({ subject }) => subject === recoverySubject))
        await stores.notices.dismiss(recoverySubject);
      return;
    }
    if (open.repair) await tellRepair(stores, open.repair);
    const parameters = { back: sayBack(open, parts.say) };
    const key = open.isInDoubt ? "notice.recovery-doubt" : noticeOf[open.lost];
    parts.notify(parts.say(key, parameters));
    const text = { key, parameters };
    await stores.notices.add({ kind: "recovery", subject: recoverySubject, text });
  }

  /** A lost database is restored from its copies before anything new is written. */
  async function takeInTranscripts({ sessions, audit }: TenantStores): Promise<void> {
    const { rebuildFromTranscripts } = await import("../transcript/rebuild.ts");
    const files = await rebuildFromTranscripts({
      directory: home.agentsDir,
      tenantId,
      workspaceId,
      sessions,
      audit,
    });
    const count = files.filter(({ outcome }) => outcome.type === "restored").length;
    if (count > 0) parts.notify(parts.say("home.rebuilt", { count }));
  }

  /**
   * Before anything is printed or stored. A credential that cannot be opened cannot be hidden either; its user gets
   * the error.
   */
  async function hideStoredCredentials(stores: TenantStores): Promise<void> {
    if ((await stores.credentials.list()).length === 0) return;
    const { hideCredentials } = await import("../credentials/credential-secret.ts");
    const { box } = foundation.secrets;
    await hideCredentials({ store: stores.credentials, box, redactor: parts.redactor, tenantId });
  }

  const { leases, transcripts, holder, isAlive } = openSessions({ stores, home, clock, ids });

  return {
    foundation,
    home,
    config,
    clock,
    ids,
    tenantId,
    workspaceId,
    defaultAgentId,
    database,
    stores,
    leases,
    transcripts,
    sessionMemory: createSessionMemory({ directory: home.memoryDir }),
    auditSeal,
    auditAnchors,
    holder,
    isAlive,
    recovery,
    async mirror(session) {
      try {
        await transcripts.complete(session);
      } catch (error) {
        const { sessionId } = session;
        parts.notify(
          parts.say("turn.not-mirrored", {
            sessionId,
            reason: sayError(asPincerError(error), parts.say).message,
          }),
        );
      }
    },
    async close() {
      // A failed write is retried when the home is next opened.
      await auditAnchors.write("due").catch(() => {});
      await database.close();
    },
  };
}
