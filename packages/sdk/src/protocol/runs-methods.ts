/** Runs: starting one, waiting for it, stopping it, and what became of those that there were. */
import { Type } from "typebox";
import type { Entry, EntryBody } from "../entry.ts";
import type { Destination } from "../outbound-message.ts";
import type { OutboxView } from "./outbox-methods.ts";
import type { RunCallView, RunQuestionView, RunSumView } from "./run-views.ts";
import { answer, before, limit, method, name, strict } from "./method.ts";

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
  /** How much it thinks before it answers; see the config key `agents.*.thinkingDefault`. */
  thinking: Type.Optional(Type.Enum(["off", "minimal", "low", "medium", "high", "xhigh"])),
  /** The very line, comma included, that the run is to hand to the shell: the input as its owner wrote it. */
  shellLine: Type.Optional(Type.String({ maxLength: 20_000 })),
  /** How much the prompt tells; see the config key `agents.*.context.strategy`. */
  context: Type.Optional(Type.Enum(["full", "minimal", "none", "lite", "custom"])),
  /** Somebody is there to answer questions. wait: for a while in place, then the run waits by itself. once: unanswered, it is a no. */
  attended: Type.Optional(Type.Enum(["wait", "once"])),
};

export const runsMethods = {
  /** Queues a turn and answers when it is on the disk. The key is kept with it: asked again, the same run is the answer. */
  "agent.run": method({
    params: {
      input: Type.String({ minLength: 1 }),
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      ...turnWishes,
      newSession: Type.Optional(Type.Boolean()),
      memory: Type.Optional(Type.Boolean()),
      /** The run sums the session up, and does nothing else. */
      compact: Type.Optional(
        Type.Object({ instructions: Type.Optional(Type.String({ maxLength: 10_000 })) }, strict),
      ),
      workdir: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
    },
    result: answer<{ runId: string; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "agent",
  }),
  /**
   * Goes on with the last run of the session, or with `runId`, where it stopped at a limit or because no model answered; with `input` as the
   * next words. It keeps the wishes that it was started with, but for those given here. The key is kept as with `agent.run`.
   */
  "agent.continue": method({
    params: {
      sessionKey: Type.Optional(Type.String({ maxLength: 1024 })),
      agentId: Type.Optional(name),
      runId: Type.Optional(name),
      input: Type.Optional(Type.String({ minLength: 1 })),
      ...turnWishes,
      idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
    },
    result: answer<{ runId: string; duplicate: boolean }>(),
    effect: "own",
    permission: "agent.run",
    scope: "agent",
  }),
  /**
   * Answers when the run has ended. With `after`, what is stored of it comes first: each entry with a number above it as agent.step, then what
   * is being said as agent.snapshot; so whoever was cut off goes on where they were. With `stream` its events come meanwhile: agent.delta, agent.start_over (forget the deltas so far), agent.tool_call, agent.tool_result, agent.approval, agent.approval_answered.
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

  /** Newest first; those of some states with `states`, those of one agent with `agentId`. */
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
    /** `calls`: every request to a model, those that failed included, in order. `questions`: what was asked of the owner. */
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
  /** Plays the run again, against the answers and results that were recorded, in a database of its own: nothing is asked, run or sent. */
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
  /** Hand the last one's back as `before` for the next page. */
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
  /** How it ended: its `type` and what belongs to it. */
  ending: ({ type: string } & Record<string, unknown>) | null;
  /** What its requests took; null where it made none that is still in the ledger. */
  sum: RunSumView | null;
}

export type RunEventView =
  | { type: "entry"; time: string; entry: Entry }
  | { type: "step"; time: string; step: { type: string } & Record<string, unknown> }
  | { type: "message"; time: string; message: OutboxView };

/** What came of playing a run again. */
export interface ReplayView {
  runId: string;
  /** Whether every entry and the ending came out as they are stored. */
  same: boolean;
  /** Entries that are stored, and that came out. */
  stored: number;
  replayed: number;
  /** How the run ended, as it is stored and as it came out; null where it has not. */
  ending: { stored: string | null; replayed: string | null };
  /** The first entry that is not the same; left out where only the ending differs. */
  difference?: { at: number; stored: EntryBody | null; replayed: EntryBody | null };
}
