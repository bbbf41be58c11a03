import { join } from "node:path";
import { wasDeleted } from "../../../storage/sessions/deletion-record.ts";
import { rebuildFromTranscripts } from "../../../storage/transcript/rebuild.ts";
import { personalTenant } from "../../../storage/home/open-home.ts";
import { byRepair, type Check, type Finding, type Progress } from "../check.ts";
import type { ExaminedHome, OpenDatabase } from "../../../storage/home/examine-home.ts";
import {
  listTranscripts,
  listUnknownTranscripts,
  type TranscriptFile,
} from "../../../storage/transcript/list-transcripts.ts";

/**
 * Whether every session that has a transcript is in the database; those that are not can be brought back from it. One that was
 * deleted does not come back: what is left of it is removed.
 */
export function checkSessions(examined: ExaminedHome, progress: Progress, signal: AbortSignal): Check {
  const { home, say } = examined;
  const title = say("doctor.sessions");
  /** Why the last fix left a file out, by path. */
  const leftOut = new Map<string, string>();

  const unusable = (file: string, reason: string): Finding => ({
    level: "warning",
    message: say("doctor.sessions.unusable", { file, reason }),
    next: say("doctor.sessions.unusable.next"),
  });

  /** Files whose session the database does not have: because it was deleted, or because it was lost. */
  async function findUnknown({ tenant }: OpenDatabase) {
    const leftovers: TranscriptFile[] = [];
    const lost: TranscriptFile[] = [];
    for (const file of await listUnknownTranscripts(home.agentsDir, tenant.sessions)) {
      ((await wasDeleted(tenant.audit, file.sessionId)) ? leftovers : lost).push(file);
    }
    return { leftovers, lost };
  }

  return {
    id: "sessions",
    title,
    async check() {
      const state = await examined.database();
      if (state.type !== "open") {
        const count = (await listTranscripts(home.agentsDir)).length;
        if (count === 0) return [{ level: "ok", message: say("doctor.sessions.none") }];
        const level =
          state.type === "absent" || state.error.code === "storage/corrupt" ? "problem" : "warning";
        return [{ level, message: say("doctor.sessions.restorable", { count }), ...byRepair(say) }];
      }
      const { leftovers, lost } = await findUnknown(state);
      const refused = lost.filter(({ path }) => leftOut.has(path));
      const restorable = lost.length - refused.length;
      const findings = refused.map(({ path }) => unusable(path, leftOut.get(path) ?? ""));
      const warn = (message: string) => findings.unshift({ level: "warning", message, ...byRepair(say) });
      if (leftovers.length > 0) warn(say("doctor.sessions.leftover", { count: leftovers.length }));
      if (restorable > 0) warn(say("doctor.sessions.restorable", { count: restorable }));
      return findings.length > 0 ? findings : [{ level: "ok", message: say("doctor.sessions.ok") }];
    },
    async fix() {
      const state = await examined.database();
      if (state.type !== "open") return [];
      const { leftovers, lost } = await findUnknown(state);
      for (const file of leftovers) await state.transcripts.remove(file);
      const removed =
        leftovers.length > 0 ? [say("doctor.sessions.removed", { count: leftovers.length })] : [];
      return lost.length > 0 ? [...removed, ...(await bringBack(state))] : removed;
    },
  };

  async function bringBack({ tenant }: OpenDatabase): Promise<string[]> {
    const { tenantId, workspaceId } = personalTenant;
    await tenant.directory.ensure({
      tenant: { name: "default", plan: (await examined.config()).config.edition },
      workspace: { id: workspaceId, name: "default" },
      agent: { id: "main", name: "main" },
    });
    const reports = await rebuildFromTranscripts({
      directory: home.agentsDir,
      tenantId,
      workspaceId,
      sessions: tenant.sessions,
      audit: tenant.audit,
      signal,
      say,
      onProgress: (_, done, total) => progress(title, done, total),
    });
    let sessions = 0;
    let entries = 0;
    for (const { file, outcome } of reports) {
      if (outcome.type === "skipped") leftOut.set(join(home.agentsDir, file), outcome.reason);
      if (outcome.type !== "restored") continue;
      sessions++;
      entries += outcome.entries;
    }
    return sessions > 0 ? [say("doctor.sessions.restored", { sessions, entries })] : [];
  }
}
