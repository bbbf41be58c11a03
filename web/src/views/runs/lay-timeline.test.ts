import type { Entry, MethodResults } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { layTimeline, timeTicks } from "./lay-timeline.ts";

type Story = MethodResults["runs.events"];

const moment = (ms: number) => new Date(Date.parse("2026-01-01T12:00:00.000Z") + ms).toISOString();
const run = (more: Partial<Story["run"]> = {}): Story["run"] => ({
  runId: "r_1",
  position: 1,
  state: "done",
  agentId: "main",
  sessionKey: "agent:main:main",
  sessionId: "s_1",
  person: { role: "owner", id: "web:owner" },
  destination: null,
  rule: "default",
  claims: 1,
  queuedAt: moment(0),
  startedAt: moment(100),
  endedAt: moment(5000),
  ending: { type: "answered" },
  sum: null,
  ...more,
});
const call = (from: number, durationMs: number, outcome: string): Story["calls"][number] => ({
  provider: "p",
  model: "m",
  credential: null,
  outcome,
  startedAt: moment(from),
  durationMs,
  firstByteMs: 20,
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  total: 2,
  cost: 0,
});
const step = (ms: number, type: string, more: object = {}): Story["events"][number] => ({
  type: "step",
  time: moment(ms),
  step: { type, ...more },
});
const entry = (ms: number, message: object): Story["events"][number] => ({
  type: "entry",
  time: moment(ms),
  entry: { type: "message", message, seq: ms, time: moment(ms) } as unknown as Entry,
});
const asks = (ms: number, id: string, args: object) =>
  entry(ms, { role: "assistant", content: [{ type: "toolCall", id, name: "exec", arguments: args }] });
const result = (ms: number, toolCallId: string, isError: boolean) =>
  entry(ms, { role: "toolResult", toolCallId, content: [{ type: "text", text: "out" }], isError });
const story = (more: Partial<Story>): Story => ({
  run: run(),
  events: [],
  calls: [],
  questions: [],
  ...more,
});

describe("the timeline of a run", () => {
  it("UI-01 begins with the wait for its turn and shows each request and each call from when to when", () => {
    const { rows, length, isLive } = layTimeline(
      story({
        calls: [call(100, 900, "ok"), call(3000, 1000, "ok")],
        events: [
          step(100, "claimed", { claims: 1 }),
          asks(1000, "c1", { command: "ls" }),
          step(1010, "tool-begin", { callId: "c1", name: "exec" }),
          result(2500, "c1", false),
          step(5000, "ended", {}),
        ],
      }),
      Date.parse(moment(9000)),
    );
    expect(rows.map(({ kind, name, from, to, state }) => [kind, name, from, to, state])).toEqual([
      ["queue", "", 0, 100, "plain"],
      ["model", "p/m", 100, 1000, "good"],
      ["tool", "exec", 1010, 2500, "good"],
      ["model", "p/m", 3000, 4000, "good"],
      ["mark", "answered", 5000, 5000, "good"],
    ]);
    expect(rows[2]?.tool).toEqual({ arguments: { command: "ls" }, output: "out" });
    expect({ length, isLive }).toEqual({ length: 5000, isLive: false });
  });

  it("counts how often a request was made again", () => {
    const calls = [
      call(0, 10, "overloaded"),
      call(20, 10, "timeout"),
      call(40, 10, "ok"),
      call(60, 10, "ok"),
    ];
    const { rows } = layTimeline(story({ calls }), 0);
    const models = rows.filter(({ kind }) => kind === "model");
    expect(models.map(({ retry, detail, state }) => [retry, detail, state])).toEqual([
      [undefined, "overloaded", "bad"],
      [1, "timeout", "bad"],
      [2, undefined, "good"],
      [undefined, undefined, "good"],
    ]);
  });

  it("gives each call its own result, also where a model uses the same id again", () => {
    const { rows } = layTimeline(
      story({
        events: [
          asks(100, "c", { n: 1 }),
          step(110, "tool-begin", { callId: "c", name: "exec" }),
          result(200, "c", true),
          asks(300, "c", { n: 2 }),
          step(310, "tool-begin", { callId: "c", name: "exec" }),
          result(400, "c", false),
        ],
      }),
      0,
    );
    const tools = rows.filter(({ kind }) => kind === "tool");
    expect(tools.map(({ to, state, tool }) => [to, state, tool?.arguments])).toEqual([
      [200, "bad", { n: 1 }],
      [400, "good", { n: 2 }],
    ]);
  });

  it("goes on to now while the run does: what is open is not over", () => {
    const live = run({ state: "running", endedAt: null, ending: null });
    const question = {
      id: "A1",
      tool: "exec",
      callId: "c",
      state: "pending",
      askedAt: moment(1000),
      answeredAt: null,
      answeredBy: null,
    };
    const { rows, length, isLive } = layTimeline(
      story({
        run: live,
        calls: [call(200, 0, "open")],
        questions: [question],
        events: [step(500, "tool-begin", { callId: "c", name: "exec" })],
      }),
      Date.parse(moment(7000)),
    );
    expect(isLive).toBe(true);
    expect(length).toBe(7000);
    expect(rows.filter(({ state }) => state === "open").map(({ kind, to }) => [kind, to])).toEqual([
      ["model", 7000],
      ["tool", 7000],
      ["question", 7000],
    ]);
  });

  it("draws few lines, at round moments, within the run", () => {
    expect(timeTicks(5000)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
    expect(timeTicks(90)).toEqual([0, 20, 40, 60, 80]);
    for (const length of [1, 7, 123, 98_765, 7_200_000]) expect(timeTicks(length).length).toBeLessThan(9);
  });
});
