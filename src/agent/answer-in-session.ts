/**
 * Answers one message in its session: takes the session's lease, so that turns of one session follow one
 * another, opens the session, runs the turn, and brings the readable copy of the transcript up to date.
 */
import type { Entry, Message } from "@pincer/sdk";
import { sessionLeaseName, type SessionLeases } from "../storage/session-lease.ts";
import type {
  Fence,
  HeldLease,
  OpenSession,
  SessionRecord,
  TenantStores,
  TokenCounters,
} from "../storage/stores.ts";
import { runTurn, type TurnOutcome, type TurnParts, type TurnRequest } from "./run-turn.ts";

export interface SessionAnswerParts {
  stores: Pick<TenantStores, "sessions" | "entries">;
  leases: SessionLeases;
  /** Writes the JSONL copy. Must not fail the turn: the database is the truth. */
  mirror: (session: SessionRecord) => Promise<void>;
  /** Takes secrets out of what is about to be stored. */
  redact: <Data>(data: Data) => Data;
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

export function answerInSession(
  { stores, leases, mirror, redact }: SessionAnswerParts,
  request: SessionAnswerRequest,
): Promise<{ session: SessionRecord; outcome: TurnOutcome }> {
  const { sessions, entries } = stores;
  const { open, turn } = request;

  const begin = async () => {
    const { session, ended } = await sessions.openNew(open);
    if (ended) await mirror(ended);
    return session;
  };

  const answer = async (fence: Fence) => {
    let session = request.fresh ? await begin() : (await sessions.open(open)).session;
    if (request.memory !== undefined) {
      session = await sessions.switchMemory(session.sessionId, request.memory);
    }
    request.onSession?.(session);

    const transcript = {
      async append(messages: Message[]) {
        const bodies = messages.map((message) => ({
          type: "message" as const,
          runId: request.runId,
          message: redact(message),
        }));
        await entries.append(session.sessionId, bodies, fence);
      },
      recent: (limit: number): Promise<Entry[]> => entries.recent(session.sessionId, limit),
    };
    try {
      const outcome = await runTurn({ ...request.parts, transcript }, turn);
      await sessions.addTokens(session.sessionId, tokensOf(outcome));
      return { session, outcome };
    } finally {
      const latest = await sessions.get(session.sessionId);
      if (latest) await mirror(latest);
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
