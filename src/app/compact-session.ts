/** Sums a session up because somebody asks for it: a turn of its own, by the same way as any question. */
import { toResult } from "../agent/compaction/compact.ts";
import type { CompactResult } from "../agent/compaction/compaction.ts";
import { failure } from "../infra/failure.ts";
import type { AskRequest } from "./ask.ts";
import type { App } from "./create-app.ts";
import { openApp, type AppParts } from "./open-app.ts";
import { openSessionApi, type SessionApi } from "./session-api.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";

export interface CompactRequest extends Pick<AskRequest, "signal" | "onEvent" | "onWait"> {
  /** Id or key, in any spelling. */
  session: string;
  instructions?: string | undefined;
}

/** The ways in; handed in by tests. */
export interface CompactDoors {
  openApp(parts: AppParts): Promise<Pick<App, "ask" | "close">>;
  openSessions(parts: AppParts): Promise<Pick<SessionApi, "find" | "recent" | "close">>;
}

const usualCalls: CompactDoors = { openApp: (parts) => openApp(parts, {}), openSessions: openSessionApi };

/**
 * Nothing is written unless it comes to its end. Throws `session/not-found`, `usage/bad-argument` for a session that is over, and what
 * opening the home throws.
 */
export async function compactSession(
  parts: AppParts,
  { session, instructions, ...asking }: CompactRequest,
  doors: CompactDoors = usualCalls,
): Promise<{ answer: AskAnswer; result: CompactResult }> {
  const before = await closing(doors.openSessions(parts), (api) => api.find(session));
  const { sessionId, sessionKey } = before;
  if (before.state === "ended") {
    throw failure("usage/bad-argument", "tape.ended", { sessionId }, { hint: "tape.ended.hint" });
  }
  const input = ["/compact", instructions].filter(Boolean).join(" ");
  const wishes = { compact: instructions ? { instructions } : {} };
  const answer = await closing(doors.openApp(parts), (app) =>
    app.ask({ ...asking, sessionKey, input, wishes }),
  );
  if (answer.error) return { answer, result: { ok: false, compacted: false, reason: answer.error.message } };
  // The session may have been begun anew since it was looked at.
  const since = answer.sessionId === sessionId ? before.lastSeq : 0;
  const result = await closing(doors.openSessions(parts), (api) => resultOf(api, answer, since));
  return { answer, result };
}

/** What the newest summary says, if this turn made one. */
async function resultOf(
  api: Pick<SessionApi, "find" | "recent">,
  { sessionId, result: told }: AskAnswer,
  since: number,
): Promise<CompactResult> {
  const session = await api.find(sessionId);
  const entries = await api.recent(session, session.lastSeq - since);
  const made = entries.findLast((entry) => entry.type === "compaction");
  if (!made) return { ok: true, compacted: false, reason: told };
  return toResult({ type: "compacted", body: made });
}

async function closing<Opened extends { close(): Promise<void> }, Result>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
