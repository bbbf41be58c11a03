import { closingBody, noUsage, type MessageEntry } from "@pincer/sdk";
import { expect, it } from "vitest";
import { rowsOfEntry, type Remember } from "./entry-rows.ts";
import type { Row } from "./row.ts";

const remember: Remember = (key, _depends, make) => ({ key, ...make() }) as Row;

function rowOf(text: string, tokens: number, stopReason: "stop" | "aborted" = "stop"): Row | undefined {
  const entry: MessageEntry = {
    type: "message",
    seq: 2,
    time: "2026-07-01T12:00:00.000Z",
    runId: "r1",
    message: {
      role: "assistant",
      content: [{ type: "text", text }],
      provider: "fake",
      model: "small",
      usage: noUsage(),
      stopReason,
    },
  };
  const usage = new Map([["r1", { cost: 0, tokens, lastSeq: 2 }]]);
  const around = { results: new Map(), usage, open: new Set<string>(), waiting: new Set<string>() };
  return rowsOfEntry(entry, around, remember)[0];
}

it("names no model for an answer that none gave", () => {
  expect(rowOf("x", 0)).toMatchObject({ isByModel: false });
  expect(rowOf("x", 60)).toMatchObject({ isByModel: true });
});

it("shows a stop before the first word", () => {
  expect(rowOf("Stopped.", 0, "aborted")).toMatchObject({ text: "", isStopped: true });
});

it("shows what was granted where the turn ends", () => {
  const turn = { turnId: "r1", at: "", planner: "answered" as const, grants: [], worded: [] };
  const entry = { ...closingBody("granted", turn), seq: 3, time: "2026-07-01T12:00:00.000Z" };
  const around = {
    results: new Map(),
    usage: new Map(),
    open: new Set<string>(),
    waiting: new Set<string>(),
  };
  expect(rowsOfEntry(entry, around, remember)).toEqual([{ key: "entry:3", type: "granted", turn }]);
});
