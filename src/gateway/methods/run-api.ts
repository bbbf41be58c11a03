/** Runs, and what happened in each: its steps, its entries and its outgoing messages, in one order. */
import type { RunCallView, RunEventView, RunQuestionView, RunSumView, RunView } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { ApprovalRecord, ApprovalState } from "../../storage/approvals/approvals.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { TurnSum, UsageRow } from "../../storage/usage/usage.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { Api } from "./api.ts";
import { mergeRunEvents } from "./merge-run-events.ts";
import { viewOutbox } from "./outbox-api.ts";

export interface RunApiParts extends Pick<TenantStores, "turns" | "outbox" | "usage" | "approvals"> {
  clock: Clock;
  ids: Ids;
}

/** More than any run makes, by the limits that every config has. */
const mostCalls = 1000;
const everyState: ApprovalState[] = ["pending", "approved", "spent", "denied", "expired", "withdrawn"];

export function createRunApi(parts: RunApiParts): Api<"runs"> {
  const { turns, outbox, usage, approvals, clock, ids } = parts;
  const requireTurn = async (runId: string): Promise<TurnRecord> => {
    const turn = await turns.get(runId);
    if (!turn) throw failure("message/not-found", "runs.none", { id: runId }, { hint: "runs.none.hint" });
    return turn;
  };
  return {
    async list({ limit = 50, ...query }) {
      const found = await turns.list({ limit, ...query });
      const sums = await usage.ofTurns(found.map(({ turnId }) => turnId));
      const byTurn = new Map(sums.map(({ turnId, ...sum }) => [turnId, sum]));
      return { runs: found.map((turn) => view(turn, byTurn.get(turn.turnId) ?? null)) };
    },
    async events({ runId }) {
      const turn = await requireTurn(runId);
      const steps = await turns.journal(runId);
      const entries = await turns.entries(runId);
      const sent = await outbox.list({ limit: 1000, turnId: runId });
      const messages = sent.toReversed().map((row): RunEventView => {
        return { type: "message", time: row.createdAt, message: viewOutbox(row) };
      });
      const [sum] = await usage.ofTurns([runId]);
      const calls = await usage.list({ limit: mostCalls, turnId: runId });
      const questions = await approvals.list({ limit: mostCalls, turnId: runId, states: everyState });
      return {
        run: view(turn, sum ? withoutTurn(sum) : null),
        events: mergeRunEvents(steps, entries, messages),
        calls: calls.toReversed().map(viewCall),
        questions: questions.toReversed().map(viewQuestion),
      };
    },
    async replay({ runId }) {
      const turn = await requireTurn(runId);
      const { replayRun } = await import("../../agent/replay/replay-run.ts");
      return replayRun({ turns, clock, ids }, turn);
    },
  };
}

const withoutTurn = ({ turnId: _turn, ...sum }: TurnSum): RunSumView => sum;

function viewCall(row: UsageRow): RunCallView {
  const { provider, model, credential, outcome, startedAt, durationMs, firstByteMs, usage, unpriced } = row;
  const { estimated: _estimated, ...amounts } = usage;
  return {
    provider,
    model,
    credential,
    outcome,
    startedAt,
    durationMs,
    firstByteMs,
    ...amounts,
    ...(unpriced ? { unpriced } : {}),
  };
}

/** Only callers who may answer a request see its exact content. */
const viewQuestion = (record: ApprovalRecord): RunQuestionView => ({
  id: record.id,
  tool: record.subject.tool,
  callId: record.callId,
  state: record.state,
  askedAt: record.askedAt,
  answeredAt: record.answeredAt,
  answeredBy: record.answeredBy,
});

const view = (turn: TurnRecord, sum: RunSumView | null): RunView => ({
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
  sum,
});
