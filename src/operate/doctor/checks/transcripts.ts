import { createReadStream } from "node:fs";
import { sessionLeaseName } from "../../../storage/sessions/session-lease.ts";
import type { Say } from "../../../infra/texts.ts";
import type { SessionRecord } from "../../../storage/stores.ts";
import { readTranscript } from "../../../storage/transcript/read-transcript.ts";
import { byRepair, type Check, type Finding, type Progress } from "../check.ts";
import { isThere } from "../../../infra/is-there.ts";
import type { ExaminedHome, OpenDatabase } from "../../../storage/home/examine-home.ts";
import { eachSession } from "../../../storage/sessions/each-session.ts";
import { setAsideTranscript } from "../../../storage/transcript/set-aside-transcript.ts";

type Copy =
  | { type: "whole" }
  | { type: "behind" }
  | { type: "longer"; last: number }
  | { type: "broken"; reason: string };

/** Whether the readable copy of every session is whole and as long as the session. */
export function checkTranscripts(examined: ExaminedHome, progress: Progress, signal: AbortSignal): Check {
  const { say } = examined;
  const title = say("doctor.transcripts");
  const pathOf = ({ agentId, sessionId }: SessionRecord) => examined.transcriptFile(agentId, sessionId);

  async function* eachFlaw({
    stores,
    tenant,
  }: OpenDatabase): AsyncIterable<{ session: SessionRecord; copy: Copy }> {
    const total = (await stores.health("quick")).sessions;
    let done = 0;
    for await (const session of eachSession(tenant.sessions)) {
      signal.throwIfAborted();
      const copy = await lookAt(pathOf(session), session.lastSeq, say);
      if (copy.type !== "whole") yield { session, copy };
      progress(title, ++done, total);
    }
  }

  const longer = (session: SessionRecord, last: number): Finding => ({
    level: "warning",
    message: say("doctor.transcripts.longer", { path: pathOf(session), last, lastSeq: session.lastSeq }),
    ...byRepair(say),
  });

  return {
    id: "transcripts",
    title,
    async check() {
      const state = await examined.database();
      if (state.type !== "open") return [{ level: "ok", message: say("doctor.transcripts.unknown") }];
      let behind = 0;
      const findings: Finding[] = [];
      for await (const { session, copy } of eachFlaw(state)) {
        if (copy.type === "behind") behind++;
        if (copy.type === "longer") findings.push(longer(session, copy.last));
        if (copy.type !== "broken") continue;
        const message = say("doctor.transcripts.broken", { path: pathOf(session), reason: copy.reason });
        findings.push({ level: "warning", message, ...byRepair(say) });
      }
      if (behind > 0) {
        const message = say("doctor.transcripts.behind", { count: behind });
        findings.unshift({ level: "warning", message, ...byRepair(say) });
      }
      return findings.length > 0 ? findings : [{ level: "ok", message: say("doctor.transcripts.ok") }];
    },
    async fix() {
      const state = await examined.database();
      if (state.type !== "open") return [];
      let count = 0;
      for await (const { session } of eachFlaw(state)) {
        // A running turn is writing the file: wait, then check again.
        const repaired = await state.leases.hold(sessionLeaseName(session), () => repair(state, session), {
          signal,
        });
        if (repaired) count++;
      }
      await completeNotes(state);
      return count > 0 ? [say("doctor.transcripts.completed", { count })] : [];
    },
  };

  async function repair(
    { tenant, transcripts }: OpenDatabase,
    { sessionId }: SessionRecord,
  ): Promise<boolean> {
    const session = await tenant.sessions.get(sessionId);
    if (!session) return false;
    const path = pathOf(session);
    const copy = await lookAt(path, session.lastSeq, say);
    if (copy.type === "whole") return false;
    if (copy.type === "broken") await setAsideTranscript(path);
    await transcripts.complete(session);
    return true;
  }

  /** Copies that are whole but not yet noted as such, as after a rebuild. */
  async function completeNotes({ tenant, transcripts, leases }: OpenDatabase): Promise<void> {
    await transcripts.completeAll({
      sessions: tenant.sessions,
      signal,
      exclusively: (session, work) => leases.hold(sessionLeaseName(session), work, { signal }),
    });
  }
}

async function lookAt(path: string, lastSeq: number, say: Say): Promise<Copy> {
  if (!(await isThere(path))) return { type: "behind" };
  const { entries, problems } = await readTranscript(createReadStream(path), { say });
  const [problem] = problems;
  const last = entries.at(-1)?.seq ?? 0;
  // A piece of a line at the end is what a crash leaves: the mirror goes on from there.
  if (problem?.type === "torn-end" && problems.length === 1 && last <= lastSeq) return { type: "behind" };
  if (problem && problem.type !== "header-missing") return { type: "broken", reason: describe(problem, say) };
  if (problem)
    return entries.length === 0 ? { type: "behind" } : { type: "broken", reason: describe(problem, say) };
  if (last > lastSeq) return { type: "longer", last };
  return last < lastSeq ? { type: "behind" } : { type: "whole" };
}

const describe = ({ line, reason }: { line?: number; reason: string }, say: Say) =>
  line === undefined ? reason : say("doctor.transcripts.line", { line, reason });
