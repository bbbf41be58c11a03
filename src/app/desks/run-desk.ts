/** Runs, and what happened in each: its steps, its entries and what went out, in one order. */
import type { RunEventView, RunView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { Desk } from "./desk.ts";
import { mergeRunEvents } from "./merge-run-events.ts";
import { viewOutbox } from "./outbox-desk.ts";

export interface RunDeskParts extends Pick<TenantStores, "turns" | "outbox"> {
  clock: Clock;
  ids: Ids;
}

export function createRunDesk({ turns, outbox, clock, ids }: RunDeskParts): Desk<"runs"> {
  const requireTurn = async (runId: string): Promise<TurnRecord> => {
    const turn = await turns.get(runId);
    if (!turn) throw failure("message/not-found", "runs.none", { id: runId }, { hint: "runs.none.hint" });
    return turn;
  };
  return {
    async list({ limit = 50, before, sessionKey }) {
      const found = await turns.list({
        limit,
        ...(before === undefined ? {} : { before }),
        ...(sessionKey === undefined ? {} : { sessionKey }),
      });
      return { runs: found.map(view) };
    },
    async events({ runId }) {
      const turn = await requireTurn(runId);
      const steps = await turns.journal(runId);
      const entries = await turns.entries(runId);
      const sent = await outbox.list({ limit: 1000, turnId: runId });
      const messages = sent.toReversed().map((row): RunEventView => {
        return { type: "message", time: row.createdAt, message: viewOutbox(row) };
      });
      return { run: view(turn), events: mergeRunEvents(steps, entries, messages) };
    },
    async replay({ runId }) {
      const turn = await requireTurn(runId);
      const { replayRun } = await import("../replay/replay-run.ts");
      return replayRun({ turns, clock, ids }, turn);
    },
  };
}

const view = (turn: TurnRecord): RunView => ({
  runId: turn.turnId,
  position: turn.position,
  state: turn.state,
  agentId: turn.agentId,
  sessionKey: turn.sessionKey,
  sessionId: turn.sessionId,
  person: turn.person,
  destination: turn.destination,
  rule: turn.rule,
  claims: turn.claims,
  queuedAt: turn.queuedAt,
  startedAt: turn.startedAt,
  endedAt: turn.endedAt,
  ending: turn.ending,
});
