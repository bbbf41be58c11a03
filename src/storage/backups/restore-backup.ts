/**
 * Brings a backup back. It is verified first, and the present state is kept as a backup of its own. The database
 * comes back as one transaction into the live file; then the transcripts follow it, then config and secrets.
 */
import { asPincerError } from "@pincer/sdk";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "../../config/home.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { refuseNewer } from "../schema/migrations.ts";
import { sessionLeaseName } from "../sessions/session-lease.ts";
import { forgetPolicyCopy } from "../policy-copy/keep-policy.ts";
import { restoreSqlite } from "../sqlite/sqlite-restore.ts";
import {
  examineHome,
  type ExaminedHome,
  type ExaminedHomeParts,
  type OpenDatabase,
} from "../home/examine-home.ts";
import { setAsideDatabase } from "../home/set-aside-database.ts";
import type { HeldWork } from "../inbox/backlogs.ts";
import { eachSession } from "../sessions/each-session.ts";
import { listUnknownTranscripts } from "../transcript/list-transcripts.ts";
import { createTranscriptMirror } from "../transcript/transcript-mirror.ts";
import { setAsideTranscript } from "../transcript/set-aside-transcript.ts";
import { createAuditAnchors } from "../audit/audit-anchors.ts";
import { openAuditSeal } from "../audit/open-audit-seal.ts";
import { setAsideAnchors } from "../audit/set-aside-anchors.ts";
import { openRecovery } from "../home/recovery.ts";
import { personalTenant } from "../home/open-home.ts";
import { comparePolicy, type PolicyDifference } from "./compare-policy.ts";
import { createBackup } from "./create-backup.ts";
import { fileStamp } from "../home/file-stamp.ts";
import type { Manifest } from "./manifest.ts";
import {
  restoreConfig,
  restoreMemory,
  restoreSecrets,
  type ConfigOutcome,
  type SecretsOutcome,
} from "./restore-files.ts";
import { removeDatabaseFiles } from "../sqlite/sqlite-files.ts";
import { verifyBackup } from "./verify-backup.ts";

export interface RestoreRequest {
  directory: string;
  version: string;
  /** Asked after the backup was found whole and before anything is changed. */
  confirm(manifest: Manifest): Promise<boolean>;
  signal: AbortSignal;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Restored {
  directory: string;
  manifest: Manifest;
  /** The backup of the state before. */
  before: string;
  /** Where a damaged database was put. */
  setAside: string | null;
  config: ConfigOutcome;
  secrets: SecretsOutcome;
  /** Transcripts that belonged to what was undone, kept under another name. */
  transcriptsSetAside: number;
  /** Transcripts that could not be brought in step; `pincer doctor --fix` does it later. */
  transcriptsBehind: number;
  /** What was waiting then and might be done twice: the owner runs or drops it. */
  held: HeldWork;
  /** What differs from the policy of before. Null where that is not known, and where the backup has no database. */
  policy: PolicyDifference | null;
}

/** Undefined when not confirmed. Throws `backup/invalid`, `storage/…`; until the database is back nothing has changed. */
export async function restoreBackup(
  parts: ExaminedHomeParts,
  request: RestoreRequest,
): Promise<Restored | undefined> {
  const { directory, signal, onProgress } = request;
  const manifest = await requireWhole(directory, parts.say, signal);
  if (!(await request.confirm(manifest))) return undefined;
  signal.throwIfAborted();

  const examined = examineHome(parts);
  const { home, clock } = examined;
  try {
    const { before, isDamaged } = await keepPresent(examined, request, manifest);
    await examined.closeDatabase();
    const setAside = manifest.database && isDamaged ? await setAsideDatabase(home.coreDb, clock) : undefined;
    let transcripts = { setAside: 0, behind: 0 };
    let held: HeldWork | undefined;
    let policy: PolicyDifference | undefined;
    if (manifest.database) {
      await restoreSqlite({ from: join(directory, "core.db"), into: home.coreDb, clock, onProgress, signal });
      // The policy is that of the backup now, as its owner wants it; the copy of the later one is kept under another name.
      const later = `${home.policyCopyFile}.${fileStamp(clock)}`;
      await rename(home.policyCopyFile, later).catch(() => undefined);
      forgetPolicyCopy(home.coreDb);
      // It knows what was said since: it is made again of what is there now.
      removeDatabaseFiles(home.indexDb);
      const opened = await examined.makeDatabase();
      // The files of the agents stay as they are, and it does not know what was written since.
      await opened.tenant.gate.noteLoss(clock.now());
      policy = comparedPolicy(home, later, clock);
      // What was lost before does not matter any more: its owner has chosen this state.
      openRecovery(home.recoveryFile).confirm();
      // At once, so that nobody who starts now repeats anything; a key that is about to change seals it below.
      if (!manifest.withKey) held = await holdAll(opened, manifest);
      transcripts = await followDatabase(examined, opened);
    }
    await restoreMemory(examined, directory, manifest);
    const config = await restoreConfig(examined, directory, manifest);
    const secrets = await restoreSecrets(examined, directory, manifest);
    const late = manifest.database ? await recordRestore(examined, manifest) : undefined;
    held ??= late;
    if (manifest.database) await tellPolicy(await examined.makeDatabase(), manifest, policy);
    return {
      directory,
      manifest,
      before,
      setAside: setAside ?? null,
      config,
      secrets,
      transcriptsSetAside: transcripts.setAside,
      transcriptsBehind: transcripts.behind,
      held: held ?? { turns: 0, sends: 0 },
      policy: policy ?? null,
    };
  } finally {
    await examined.closeDatabase();
  }
}

/** It is only told: nothing that goes wrong here keeps the backup from coming back. */
function comparedPolicy(home: Home, before: string, clock: Clock): PolicyDifference | undefined {
  try {
    const { policyCopyFile: after, coreDb } = home;
    return comparePolicy({ before, after, coreDb, now: clock.now() });
  } catch {
    return undefined;
  }
}

/** Whoever reads the notice need not have been at the terminal. */
async function tellPolicy(
  { tenant }: OpenDatabase,
  { createdAt }: Manifest,
  policy: PolicyDifference | undefined,
): Promise<void> {
  if (policy && Object.values(policy).every((count) => count === 0)) return;
  const since = createdAt.slice(0, 16).replace("T", " ");
  const text = policy
    ? { key: "notice.policy-restored", parameters: { since, ...policy } }
    : { key: "notice.policy-restored-unknown", parameters: { since } };
  await tenant.notices.add({
    kind: "restore",
    subject: `policy-restored:${createdAt}`,
    text,
    replaces: true,
  });
}

/** From here on the audit log is the one that came back, under the key that came back with it; the anchors of the other one are kept. */
async function recordRestore(examined: ExaminedHome, manifest: Manifest): Promise<HeldWork> {
  const { createdAt } = manifest;
  const { home, clock, secrets } = examined;
  await examined.closeDatabase();
  await setAsideAnchors(home, clock);
  const seal = await openAuditSeal(secrets, "make");
  const opened = await examined.makeDatabase();
  const { audit } = opened.tenant;
  const held = await holdAll(opened, manifest);
  await audit.record({
    actor: "owner",
    action: "backup-restore",
    resourceType: "backup",
    resourceId: createdAt,
    metadata: {},
  });
  const { tenantId } = personalTenant;
  await createAuditAnchors({ file: home.auditAnchorsFile, tenantId, audit, seal, clock }).write("now");
  return held;
}

/** Finds nothing more when it is called again. */
const holdAll = ({ tenant }: OpenDatabase, { createdAt }: Manifest): Promise<HeldWork> =>
  tenant.backlogs.hold({ which: "all", since: createdAt, notice: "notice.held-restore" });

async function requireWhole(directory: string, say: Say, signal: AbortSignal): Promise<Manifest> {
  const { ok, manifest, problems } = await verifyBackup(directory, { say, signal });
  if (!ok || !manifest) {
    const hint = "failure.backup-unusable.hint";
    throw failure("backup/invalid", "failure.backup-unusable", { problems: problems.join(" ") }, { hint });
  }
  if (manifest.database) refuseNewer(manifest.database.schemaVersion, "copy");
  return manifest;
}

/** A damaged database cannot be copied; the caller sets it aside instead. */
async function keepPresent(
  examined: ExaminedHome,
  { version, signal }: RestoreRequest,
  manifest: Manifest,
): Promise<{ before: string; isDamaged: boolean }> {
  const { home, clock } = examined;
  const backup = async (database: OpenDatabase | undefined) => {
    const { directory } = await createBackup({
      home,
      clock,
      version,
      stores: database?.stores,
      directory: join(home.backupsDir, `before-restore-${fileStamp(clock)}`),
      // Where the key is about to be replaced, the present one has to be kept.
      withKey: manifest.withKey,
      signal,
    });
    return directory;
  };
  const state = await examined.database();
  if (state.type === "absent") return { before: await backup(undefined), isDamaged: false };
  try {
    if (state.type === "failed") throw state.error;
    return { before: await backup(state), isDamaged: false };
  } catch (error) {
    if (!["storage/corrupt", "backup/invalid"].includes(asPincerError(error).code)) throw error;
    return { before: await backup(undefined), isDamaged: true };
  }
}

/** The copies for people show what the database holds now; what does not belong to it is kept under another name. */
async function followDatabase(
  { home, transcriptFile }: ExaminedHome,
  { tenant, leases }: OpenDatabase,
): Promise<{ setAside: number; behind: number }> {
  // What a longer transcript says is undone on purpose: it does not go back to the database.
  const transcripts = createTranscriptMirror({
    sessionFile: transcriptFile,
    entries: tenant.entries,
    markMirrored: tenant.sessions.markMirrored,
  });
  const unknown = await listUnknownTranscripts(home.agentsDir, tenant.sessions);
  for (const { path } of unknown) await setAsideTranscript(path);
  let behind = 0;
  for await (const session of eachSession(tenant.sessions)) {
    try {
      await leases.hold(sessionLeaseName(session), () => transcripts.complete(session));
    } catch {
      // The database is back, which is what counts; the report says how many copies are not.
      behind++;
    }
  }
  return { setAside: unknown.length, behind };
}
