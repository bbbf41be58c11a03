import { noUsage, toolFailure, type ApprovalView } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createMeters } from "../../infra/meters.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { declareMeters } from "./gauge-meters.ts";
import { measureTurns } from "./watch-turns.ts";

const turnAt = (more: Partial<TurnRecord> = {}) =>
  ({
    turnId: "r_1",
    claims: 1,
    queuedAt: "2026-01-01T12:00:00.000Z",
    startedAt: "2026-01-01T12:00:03.000Z",
    endedAt: "2026-01-01T12:00:10.000Z",
    ending: { type: "answered" },
    ...more,
  }) as TurnRecord;

const session = {} as SessionRecord;
const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
const approval = { id: "a1" } as ApprovalView;

function watch() {
  const meters = createMeters();
  const clock = createHandClock(Date.parse("2026-01-01T12:00:03.000Z"));
  const gauges = measureTurns(declareMeters(meters), clock);
  const total = (name: string) => {
    const family = meters.read().find((one) => one.name === name);
    if (!family) throw new Error(`no meter ${name}`);
    return family.type === "histogram"
      ? family.series.map(({ counts, sum }) => [counts.reduce((all, count) => all + count, 0), sum])
      : family.series.map(({ values, value }) => [...values, value]);
  };
  return { ...gauges, total };
}

describe("what is measured of turns", () => {
  it("OBS-02 how long a turn waited and ran, how it ended, and how many tools it called", () => {
    const { watch: turns, total } = watch();
    turns.begun(turnAt(), session);
    turns.event(turnAt(), { type: "tool-call-start", call });
    turns.event(turnAt(), {
      type: "tool-call-end",
      call,
      result: { ok: true, content: [], usage: { durationMs: 1 } },
    });
    turns.event(turnAt(), { type: "tool-call-start", call });
    turns.event(turnAt(), { type: "tool-call-end", call, result: toolFailure("execution_error", "no") });
    turns.ended(turnAt(), []);
    expect(total("pincer_turn_queue_seconds")).toEqual([[1, 3]]);
    expect(total("pincer_turn_seconds")).toEqual([[1, 7]]);
    expect(total("pincer_turn_tool_calls")).toEqual([[1, 2]]);
    expect(total("pincer_turns_total")).toEqual([["answered", 1]]);
    expect(total("pincer_tool_calls_total")).toEqual([
      ["read", "ok", 1],
      ["read", "execution_error", 1],
    ]);
  });

  it("OBS-02 a turn that goes on after a crash did not wait in the queue again", () => {
    const { watch: turns, total } = watch();
    turns.begun(turnAt({ claims: 2 }), session);
    expect(total("pincer_turn_queue_seconds")).toEqual([[0, 0]]);
  });

  it("OBS-02 answers that broke off are counted, what was merely taken back is not", () => {
    const { watch: turns, total } = watch();
    turns.event(turnAt(), { type: "start-over", reason: "the connection broke" });
    turns.event(turnAt(), { type: "start-over", reason: "it was reasoning" });
    const message = {
      role: "assistant" as const,
      content: [],
      provider: "p",
      model: "m",
      usage: noUsage(),
      stopReason: "error" as const,
    };
    turns.event(turnAt(), { type: "end", message });
    expect(total("pincer_stream_interruptions_total")).toEqual([[2]]);
  });

  it("OBS-04 a question to the owner counts once however often it is told, and how it ended", () => {
    const { watch: turns, total } = watch();
    turns.event(turnAt(), { type: "approval-asked", approval });
    turns.event(turnAt(), { type: "approval-asked", approval });
    turns.event(turnAt(), { type: "approval-answered", id: "a1", state: "denied" });
    expect(total("pincer_approval_requests_total")).toEqual([[1]]);
    expect(total("pincer_approval_answers_total")).toEqual([["denied", 1]]);
  });
});
