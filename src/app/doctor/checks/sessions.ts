import { join } from "node:path";
import { rebuildFromTranscripts } from "../../../storage/transcript/rebuild.ts";
import { personalTenant } from "../../open-ground.ts";
import type { Check, Finding, Progress } from "../check.ts";
import type { ExaminedHome } from "../examined-home.ts";
import { listTranscriptFiles, listUnknownTranscripts } from "../transcript-files.ts";

/** Whether every session that has a transcript is in the database; those that are not can be brought back from it. */
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

  return {
    id: "sessions",
    title,
    async check() {
      const state = await examined.database();
      if (state.type !== "open") {
        const count = (await listTranscriptFiles(home.agentsDir)).length;
        if (count === 0) return [{ level: "ok", message: say("doctor.sessions.none") }];
        const level =
          state.type === "absent" || state.error.code === "storage/corrupt" ? "problem" : "warning";
        return [
          { level, message: say("doctor.sessions.restorable", { count }), next: say("doctor.next.fix") },
        ];
      }
      const unknown = await listUnknownTranscripts(home.agentsDir, state.tenant.sessions);
      if (unknown.length === 0) return [{ level: "ok", message: say("doctor.sessions.ok") }];
      const refused = unknown.filter(({ path }) => leftOut.has(path));
      const count = unknown.length - refused.length;
      const findings = refused.map(({ path }) => unusable(path, leftOut.get(path) ?? ""));
      if (count > 0) {
        const message = say("doctor.sessions.restorable", { count });
        findings.unshift({ level: "warning", message, next: say("doctor.next.fix") });
      }
      return findings;
    },
    async fix() {
      const state = await examined.database();
      if (state.type !== "open") return [];
      if ((await listUnknownTranscripts(home.agentsDir, state.tenant.sessions)).length === 0) return [];
      const { tenantId, workspaceId } = personalTenant;
      await state.tenant.directory.ensure({
        tenant: { name: "default", plan: (await examined.config()).config.edition },
        workspace: { id: workspaceId, name: "default" },
        agent: { id: "main", name: "main" },
      });
      const reports = await rebuildFromTranscripts({
        directory: home.agentsDir,
        tenantId,
        workspaceId,
        sessions: state.tenant.sessions,
        signal,
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
    },
  };
}
