/**
 * Answers one message in its session: takes the session's lease, so that turns of one session follow one
 * another, opens the session, runs the turn, and brings the readable copy of the transcript up to date.
 */
import { asPincerError, type Entry, type Message } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import { sessionLeaseName, type SessionLeases } from "../storage/session-lease.ts";
import type {
  Fence,
  HeldLease,
  OpenSession,
  SessionRecord,
  TenantStores,
  TokenCounters,
} from "../storage/stores.ts";
import { redactMessage } from "./redact-message.ts";
import { runTurn, type TurnOutcome, type TurnParts, type TurnRequest } from "./run-turn.ts";

export interface SessionAnswerParts {
  stores: Pick<TenantStores, "sessions" | "entries">;
  leases: SessionLeases;
  /** Writes the JSONL copy. Must not fail the turn: the database is the truth. */
  mirror: (session: SessionRecord) => Promise<void>;
  redactor: Redactor;
}

export interface SessionAnswerRequest {
  open: OpenSession;
  fresh: boolean;
  /** Undefined leaves the switch as it is. */
  memory: boolean | undefined;
  runId: string;
  turn: TurnRequest;
  parts: Omit<TurnParts, "transcript">;
  onSession?: (session: SessionRecord) => void;
  /** Called when another turn of the session is in the way. */
  onWait?: (lease: HeldLease) => void;
}

/** Throws PincerError: `session/busy`, `session/lost-lease` (another has taken over; nothing more is written), `storage/…`. */
export function answerInSession(
  { stores, leases, mirror, redactor }: SessionAnswerParts,
  request: SessionAnswerRequest,
): Promise<{ session: SessionRecord; outcome: TurnOutcome }> {
  const { sessions, entries } = stores;
  const { open, turn } = request;

  const begin = async () => {
    const { session, ended } = await sessions.openNew(open);
    if (ended) await mirror(ended);
    return session;
  };

  const mirrorLatest = async (sessionId: string) => {
    const latest = await sessions.get(sessionId);
    if (latest) await mirror(latest);
  };

  const answer = async (fence: Fence) => {
    let session = request.fresh ? await begin() : (await sessions.open(open)).session;
    const { sessionId } = session;
    if (request.memory !== undefined) session = await sessions.switchMemory(sessionId, request.memory);
    request.onSession?.(session);

    const transcript = {
      async append(messages: Message[]) {
        const stored = messages.map((message) => redactMessage(message, redactor));
        const bodies = stored.map((message) => ({ type: "message" as const, runId: request.runId, message }));
        await entries.append(sessionId, bodies, fence);
        return stored;
      },
      recent: (limit: number): Promise<Entry[]> => entries.recent(sessionId, limit),
    };
    try {
      const outcome = await runTurn({ ...request.parts, transcript }, turn);
      await sessions.addTokens(sessionId, tokensOf(outcome));
      await mirrorLatest(sessionId);
      return { session, outcome };
    } catch (error) {
      // Whoever holds the lease now writes the copy; two at once would break it.
      if (asPincerError(error).code !== "session/lost-lease") await mirrorLatest(sessionId);
      throw error;
    }
  };

  const waiting = request.onWait ? { onWait: request.onWait } : {};
  return leases.hold(sessionLeaseName(open), answer, { signal: turn.signal, ...waiting });
}

/** Counted as a rebuild from the transcript counts them. */
function tokensOf({ messages }: TurnOutcome): TokenCounters {
  const tokens: TokenCounters = { input: 0, output: 0, context: 0, total: 0 };
  for (const { usage } of messages) {
    tokens.input += usage.input;
    tokens.output += usage.output;
    tokens.total += usage.total;
    tokens.context = usage.input + usage.cacheRead + usage.cacheWrite;
  }
  return tokens;
}
