/** A runner over stores in memory, with a scripted model and tools that record what they did. */
import type { Message } from "@pincer/sdk";
import { createHandClock, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import type { OutboxDraft } from "../../storage/outbox/outbox.ts";
import { createProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import { createSessionLeases } from "../../storage/sessions/session-lease.ts";
import type { EnqueueTurn, TurnRecord } from "../../storage/turns/turns.ts";
import type { TurnRunnerParts, TurnSetup } from "../turn-runner.ts";
import { admitting } from "./admitting.ts";
import { plainContext } from "./plain-context.ts";

export const session = {
  sessionKey: "agent:main:main",
  workspaceId: "w",
  agentId: "main",
  origin: { channel: "fake" },
  cwd: "/",
};
export const destination = {
  channel: "fake",
  accountId: "default",
  target: { peerKind: "user" as const, peerId: "42" },
};

export function createRunnerStage(steps: ScriptedStep[] = [{ text: "hi" }]) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t");
  const liveness = createProcessLiveness();
  const leases = createSessionLeases({
    leases: stores.leases,
    clock,
    holder: liveness.self("me"),
    isAlive: liveness.isAlive,
  });
  const mirrored: string[] = [];
  const redactor = createRedactor();
  const model = createScriptedModel(steps);
  const effects: string[] = [];
  const setup: TurnSetup = {
    model,
    context: plainContext(),
    maxSteps: 3,
    maxRepeatedCalls: 3,
    voice: { reasoning: "off", blockBreak: "text_end" },
    tools: {
      descriptions: [],
      isIdempotent: ({ name }) => name === "look",
      acts: ({ name }) => name !== "look",
      admit: admitting(async ({ name }) => {
        effects.push(name);
        return { ok: true, content: [], usage: { durationMs: 0 } };
      }),
    },
  };
  const parts: TurnRunnerParts = {
    turns: stores.turns,
    entries: stores.entries,
    leases,
    clock,
    redactor,
    mirror: async ({ sessionId, lastSeq }) => void mirrored.push(`${sessionId}:${lastSeq}`),
    setUp: () => setup,
    isStale: () => false,
    deadlineMs: () => 60_000,
    drafts: (turn, text): OutboxDraft[] =>
      turn.destination
        ? [
            {
              destination: turn.destination,
              kind: "reply",
              turnId: turn.turnId,
              text,
              attachments: [],
              replyTo: null,
              notAfter: "2027-01-01T00:00:00.000Z",
              dedupeKey: null,
            },
          ]
        : [],
    noticeOf: () => undefined,
    textsFor: () => ({
      stepLimit: String,
      repeatedCalls: (tool, times) => `${tool} ${times} times`,
      cut: () => "cut off",
      modelFailed: (reason) => reason,
      overBudget: (reason) => reason,
      broken: (reason) => `broken: ${reason}`,
      outOfTime: () => "too long",
      answeredNothing: () => "nothing",
      brokeOff: () => "broke off",
      aborted: (by) => `stopped: ${by}`,
      thenContinue: () => "then go on",
      compacted: ({ messages }) => `summed up ${messages}`,
      nothingToCompact: () => "nothing to sum up",
      compactionFailed: (reason) => `not summed up: ${reason}`,
      failed: (error) => `failed: ${error.message}`,
    }),
  };
  let count = 0;
  const receive = async (text: string) => {
    const { row } = await stores.inbox.accept({
      tenantId: "t",
      workspaceId: "w",
      channel: "fake",
      accountId: "default",
      peer: { kind: "user", id: "42" },
      sender: { id: "42" },
      message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
      timestamp: clock.now(),
    });
    return row.id;
  };
  const person = { role: "owner", id: "fake:42" } as const;
  /** Goes on with the last turn. */
  const resume = async (text = "/continue"): Promise<TurnRecord> => {
    const outcome = await stores.turns.resume({ input: await receive(text), session, destination, person });
    if (outcome.type !== "resumed") throw new Error(outcome.type);
    return outcome.turn;
  };
  const queue = async (text: string, change: Partial<EnqueueTurn> = {}): Promise<TurnRecord> => {
    const outcome = await stores.turns.enqueue({
      inputs: [await receive(text)],
      session,
      destination,
      person,
      rule: "default",
      options: {},
      mode: "followup",
      cap: 20,
      ...change,
    });
    if (outcome.type !== "queued" && outcome.type !== "joined") throw new Error(outcome.type);
    return outcome.turn;
  };
  const said = async (turnId: string): Promise<Message[]> =>
    (await stores.turns.entries(turnId)).flatMap((entry) =>
      entry.type === "message" ? [entry.message] : [],
    );
  const never = new AbortController().signal;
  return { clock, stores, parts, setup, model, mirrored, redactor, effects, queue, resume, said, never };
}
