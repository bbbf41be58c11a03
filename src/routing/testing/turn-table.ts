/** Turns in a map: the few store methods that the lanes use, for tests of the lanes. */
import { conversationOf } from "@pincer/sdk";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";

export interface TurnTable extends Pick<TurnStore, "get" | "pending" | "list" | "cancelQueued" | "cancel"> {
  /** A queued turn of a session, but for what is given. */
  queue(sessionKey: string, given?: Partial<TurnRecord>): TurnRecord;
  change(turnId: string, change: Partial<TurnRecord>): void;
  /** How often a verb throws from now on. */
  failNext(times: number, error: Error): void;
}

export function createTurnTable(): TurnTable {
  const turns = new Map<string, TurnRecord>();
  let failures = { left: 0, error: new Error("none") };
  const read = async (turn: TurnRecord | undefined) => {
    if (failures.left-- > 0) throw failures.error;
    return turn && { ...turn };
  };
  const copies = (found: TurnRecord[]) => found.map((turn) => ({ ...turn }));
  return {
    queue(sessionKey, given = {}) {
      const position = turns.size + 1;
      const turn: TurnRecord = { ...blank, turnId: `turn_${position}`, position, sessionKey, ...given };
      turns.set(turn.turnId, turn);
      return { ...turn };
    },
    change(turnId, change) {
      const turn = turns.get(turnId);
      if (turn) Object.assign(turn, change);
    },
    failNext(times, error) {
      failures = { left: times, error };
    },
    get: (turnId) => read(turns.get(turnId)),
    async pending({ limit, after = 0 }) {
      const found = [...turns.values()].filter(
        (turn) => isPending(turn) && !turn.direct && turn.position > after,
      );
      return copies(found.slice(0, limit));
    },
    async list({ limit, sessionKey, states = [] }) {
      const found = [...turns.values()].filter(
        (turn) => turn.sessionKey === sessionKey && states.includes(turn.state),
      );
      return copies(found.reverse().slice(0, limit));
    },
    async cancelQueued({ workspaceId, sessionKey, ending, conversation }) {
      const found = [...turns.values()].filter(
        (turn) =>
          turn.workspaceId === workspaceId &&
          turn.sessionKey === sessionKey &&
          (turn.state === "queued" || turn.state === "waiting") &&
          (conversation === undefined ||
            (turn.destination && conversationOf(turn.destination)) === conversation),
      );
      for (const turn of found) Object.assign(turn, { state: "failed", ending });
      return { turnIds: found.map(({ turnId }) => turnId), outbox: [] };
    },
    async cancel(turnId, { ending }) {
      const turn = turns.get(turnId);
      const hasNotBegun = turn?.state === "queued" && turn.claims === 0;
      if (!turn || !(hasNotBegun || turn.state === "waiting")) return undefined;
      Object.assign(turn, { state: "done", ending });
      return [];
    },
  };
}

const isPending = ({ state }: TurnRecord) => state === "queued" || state === "running";

const blank: Omit<TurnRecord, "turnId" | "position" | "sessionKey"> = {
  state: "queued",
  workspaceId: "w_default",
  agentId: "main",
  sessionId: null,
  firstSeq: null,
  origin: { channel: "telegram" },
  cwd: "/",
  destination: null,
  replyTo: null,
  person: { role: "owner", id: "telegram:42" },
  rule: "default",
  options: {},
  direct: false,
  claims: 0,
  deadlineAt: null,
  queuedAt: "2026-01-01T12:00:00.000Z",
  startedAt: null,
  endedAt: null,
  ending: null,
};
