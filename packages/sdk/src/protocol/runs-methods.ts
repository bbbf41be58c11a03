/** Runs: starting one, waiting for it, stopping it, and the history of runs. */
import { Type } from "typebox";
import type { Entry, EntryBody } from "../entry.ts";
import type { Destination } from "../outbound-message.ts";
import type { OutboxView } from "./outbox-methods.ts";
import type { RunCallView, RunQuestionView, RunSumView } from "./run-views.ts";
import {
  answer,
  before,
  idempotencyKey,
  language,
  limit,
  method,
  name,
  pasted,
  strict,
  typed,
} from "./method.ts";

const turnWishes = {
  provider: Type.Optional(name),
  model: Type.Optional(name),
  credential: Type.Optional(name),
  tools: Type.Optional(
    Type.Object(
      {
        enabled: Type.Optional(Type.Boolean()),
        allow: Type.Optional(Type.Array(name, { maxItems: 1000 })),
        maxSteps: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      strict,
    ),
  ),
  /** How much the model thinks before it answers; see the config key `agents.*.thinkingDefault`. */
  thinking: Type.Optional(Type.Enum(["off", "minimal", "low", "medium", "high", "xhigh"])),
  /** How much the prompt contains; see the config key `agents.*.context.strategy`. */
  context: Type.Optional(Type.Enum(["full", "minimal", "none", "lite", "custom"])),
  /**
   * Somebody can answer approval requests. wait: the run waits in place for a while, and is then parked. once: without
   * an answer the request counts as denied.
   */
  attended: Type.Optional(Type.Enum(["wait", "once"])),
};

export const runsMethods = {
  /**
   * Queues a turn and answers when it is on disk. A key is stored with it: a repeated request returns the same run. With
   * `stream` the events of the run follow on this connection, as with `agent.wait`, until agent.completed or agent.failed.
   */
  "agent.run": method({
    params: {
      input: Type.String({ minLength: 1 }),
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      ...turnWishes,
      newSession: Type.Optional(Type.Boolean()),
      memory: Type.Optional(Type.Boolean()),
      /** Effects are listed at the end and not done; files are changed in a copy of the workdir. */
      dryRun: Type.Optional(Type.Boolean()),
      /** The run summarises the session, and does nothing else. */
      compact: Type.Optional(
        Type.Object({ instructions: Type.Optional(Type.String({ maxLength: 10_000 })) }, strict),
      ),
      workdir: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      typed,
      pasted,
      language,
      stream: Type.Optional(Type.Boolean()),
      idempotencyKey,
    },
    /** `command`: the name of the command that answered it; `agent.wait` has its words. */
    result: answer<{ runId: string; duplicate: boolean; command?: string }>(),
    effect: "own",
    permission: "agent.run",
    scope: "agent",
  }),
  /**
   * Continues the last run of the session, or `runId`, after it stopped at a limit or because no model answered;
   * `input` is the next message. It keeps its original parameters, except for those given here. The key is stored as
   * with `agent.run`.
   */
  "agent.continue": method({
    params: {
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      runId: Type.Optional(name),
      input: Type.Optional(Type.String({ minLength: 1 })),
      typed,
      pasted,
      ...turnWishes,
      idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
    },
    result: answer<{ runId: string; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "agent",
  }),
  /**
   * Answers when the run has ended. With `after`, stored entries come first: each entry with a higher number as
   * agent.step, then the current text as agent.snapshot; so a client that was disconnected can continue where it was.
   * With `stream` it also sends events: agent.delta, agent.start_over (discard the deltas so far), agent.tool_call,
   * agent.tool_result, agent.approval, agent.approval_answered.
   */
  "agent.wait": method({
    params: {
      runId: name,
      stream: Type.Optional(Type.Boolean()),
      after: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    result: answer<unknown>(),
    effect: "read",
    permission: "agent.run",
    scope: "run",
  }),
  "agent.abort": method({
    params: { runId: name },
    result: answer<{ aborted: boolean }>(),
    effect: "change",
    permission: "agent.run",
    scope: "run",
  }),

  /** Newest first; filtered by `states` and `agentId`. */
  "runs.list": method({
    params: {
      limit,
      before,
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      states: Type.Optional(
        Type.Array(Type.Enum(["queued", "running", "waiting", "done", "failed", "dead"]), {
          minItems: 1,
          maxItems: 6,
        }),
      ),
    },
    result: answer<{ runs: RunView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** What happened in a run, in order. */
  "runs.events": method({
    params: { runId: name },
    /** `calls`: every request to a model, including failed ones, in order. `questions`: the approval requests. */
    result: answer<{
      run: RunView;
      events: RunEventView[];
      calls: RunCallView[];
      questions: RunQuestionView[];
    }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "run",
  }),
  /**
   * Replays the run with the recorded answers and results, in a temporary database: no model is asked, nothing runs
   * and nothing is sent.
   */
  "runs.replay": method({
    params: { runId: name },
    result: answer<ReplayView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "run",
  }),
};

export interface RunView {
  runId: string;
  /** Pass that of the last one as `before` for the next page. */
  position: number;
  state: string;
  agentId: string;
  sessionKey: string;
  sessionId: string | null;
  person: { role: string; id: string; name?: string };
  destination: Destination | null;
  rule: string;
  claims: number;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** How it ended: its `type` and details. */
  ending: ({ type: string } & Record<string, unknown>) | null;
  /** The sum over its requests; null if none of them is in the ledger any more. */
  sum: RunSumView | null;
}

export type RunEventView =
  | { type: "entry"; time: string; entry: Entry }
  | { type: "step"; time: string; step: { type: string } & Record<string, unknown> }
  | { type: "message"; time: string; message: OutboxView };

/** The result of a replay. */
export interface ReplayView {
  runId: string;
  /** Whether every entry and the ending match what is stored. */
  same: boolean;
  /** Stored entries, and replayed ones. */
  stored: number;
  replayed: number;
  /** How the run ended, as stored and as replayed; null if it has not. */
  ending: { stored: string | null; replayed: string | null };
  /** The first entry that differs; missing if only the ending differs. */
  difference?: { at: number; stored: EntryBody | null; replayed: EntryBody | null };
}
