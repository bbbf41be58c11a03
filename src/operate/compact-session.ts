/** Summarises a session on request: a separate turn, queued like any question. */
import { toResult } from "../agent/compaction/compact.ts";
import type { CompactResult } from "../agent/compaction/compaction.ts";
import { failure } from "../infra/failure.ts";
import type { TurnEvent } from "../agent/turn-voice.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";
import type { SessionApi } from "./session-api.ts";

/** What the caller of a turn is told while waiting, and how to stop it. */
interface Following {
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
  onWait?: (message: string) => void;
}

export interface CompactRequest extends Following {
  /** Id or key, in any spelling. */
  session: string;
  instructions?: string | undefined;
}

export interface CompactParts {
  /** Who runs the turn; closed afterwards. */
  openApp(): Promise<{ ask(request: CompactAsk): Promise<AskAnswer>; close(): Promise<void> }>;
  openSessions(): Promise<Pick<SessionApi, "find" | "recent" | "close">>;
}

export interface CompactAsk extends Following {
  typed: boolean;
  sessionKey: string;
  input: string;
  wishes: TurnWishes;
}

/**
 * Nothing is written unless it comes to its end. Throws `session/not-found`, `usage/bad-argument` for a session that is over, and what
 * opening the home throws.
 */
export async function compactSession(
  { openApp, openSessions }: CompactParts,
  { session, instructions, ...asking }: CompactRequest,
): Promise<{ answer: AskAnswer; result: CompactResult }> {
  const before = await closing(openSessions(), (api) => api.find(session));
  const { sessionId, sessionKey } = before;
  if (before.state === "ended") {
    throw failure("usage/bad-argument", "tape.ended", { sessionId }, { hint: "tape.ended.hint" });
  }
  const input = ["/compact", instructions].filter(Boolean).join(" ");
  const wishes = { compact: instructions ? { instructions } : {} };
  const answer = await closing(openApp(), (app) =>
    app.ask({ ...asking, sessionKey, input, wishes, typed: false }),
  );
  if (answer.error) return { answer, result: { ok: false, compacted: false, reason: answer.error.message } };
  // The session may have been begun anew since it was looked at.
  const since = answer.sessionId === sessionId ? before.lastSeq : 0;
  const result = await closing(openSessions(), (api) => resultOf(api, answer, since));
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
