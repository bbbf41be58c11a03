import { describe, expect, it } from "vitest";
import type { AccountHealth } from "../../channels/channel-health.ts";
import type { AccountVerdict } from "../../channels/judge-account.ts";
import { createSay } from "../../infra/texts.ts";
import { judgeHealth, notReady, type Measured } from "./judge-health.ts";

const now = Date.parse("2026-01-01T12:00:00.000Z");
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const nothing = { count: 0, oldestAt: null };

const well: Measured = {
  now,
  stage: "running",
  figures: {
    backlogs: { inbox: nothing, turns: nothing, outbox: [], deadLetters: 0, approvals: 0, notices: 0 },
    databaseTrouble: undefined,
    databaseBytes: 4096,
    freeBytes: 50 * 1024 ** 3,
  },
  loop: { p50Ms: 0, p99Ms: 1, maxMs: 3 },
  isStuck: false,
  rssBytes: 100 * 1024 ** 2,
  accounts: [],
  isModelConfigured: true,
  modelTrouble: undefined,
  turnDeadlineMs: 30 * 60_000,
};

const account = (verdict: AccountVerdict): AccountHealth => ({
  channel: "pigeon",
  accountId: "default",
  verdict,
  lastInboundAt: undefined,
  lastProofAt: undefined,
  lastDeliveryAt: undefined,
  lastFailureAt: undefined,
  probeDetail: undefined,
  alarms: { alarms: 0, trueAlarms: 0, falseAlarms: 0 },
});

const say = createSay("en");
const unwell = (measured: Measured) => judgeHealth(measured, say).filter(({ status }) => status !== "ok");

const backlogs = (more: object) => ({
  ...well,
  figures: {
    ...well.figures,
    backlogs: { ...well.figures.backlogs, ...more } as typeof well.figures.backlogs,
  },
});

describe("how the house is", () => {
  it("CLI-23 is ok where everything is, with figures for programs", () => {
    expect(unwell(well)).toEqual([]);
    expect(notReady(well)).toEqual([]);
    expect(judgeHealth(well, say).map(({ name }) => name)).toEqual([
      "gateway",
      "database",
      "disk",
      "channels",
      "models",
      "queue",
      "event-loop",
      "memory",
      "outbox",
      "deadletters",
    ]);
  });

  it.each<[string, Measured, string, "degraded" | "failing", RegExp]>([
    ["starting", { ...well, stage: "starting" }, "gateway", "failing", /starting/],
    ["stopping", { ...well, stage: "stopping" }, "gateway", "failing", /stopping/],
    [
      "a database that takes no writes",
      { ...well, figures: { ...well.figures, databaseTrouble: "disk full" } },
      "database",
      "failing",
      /disk full/,
    ],
    [
      "a nearly full disk",
      { ...well, figures: { ...well.figures, freeBytes: 500 * 1024 ** 2 } },
      "disk",
      "degraded",
      /free/,
    ],
    ["a full disk", { ...well, figures: { ...well.figures, freeBytes: 5 } }, "disk", "failing", /free/],
    [
      "a deaf channel",
      { ...well, accounts: [account({ health: "red", because: "deaf" })] },
      "channels",
      "failing",
      /pigeon.*receives nothing/,
    ],
    [
      "a silent channel",
      { ...well, accounts: [account({ health: "yellow", because: "quiet" })] },
      "channels",
      "degraded",
      /pigeon.*silent/,
    ],
    ["no model", { ...well, isModelConfigured: false }, "models", "degraded", /no model/],
    [
      "a model that fails",
      { ...well, modelTrouble: { model: "acme/big", code: "auth", times: 3 } },
      "models",
      "degraded",
      /acme\/big.*auth/,
    ],
    [
      "a long queue",
      backlogs({ turns: { count: 3, oldestAt: ago(8) } }),
      "queue",
      "degraded",
      /3 turns.*8 minutes/,
    ],
    [
      "an overdue queue",
      backlogs({ turns: { count: 3, oldestAt: ago(31) } }),
      "queue",
      "failing",
      /31 minutes/,
    ],
    ["a loop that stood still", { ...well, isStuck: true }, "event-loop", "failing", /blocked/],
    [
      "a late loop",
      { ...well, loop: { p50Ms: 1, p99Ms: 800, maxMs: 900 } },
      "event-loop",
      "degraded",
      /800 ms/,
    ],
    ["much memory", { ...well, rssBytes: 600 * 1024 ** 2 }, "memory", "degraded", /600 MB/],
    [
      "messages that do not go out",
      backlogs({ outbox: [{ channel: "a", accountId: "b", count: 2, oldestAt: ago(6) }] }),
      "outbox",
      "degraded",
      /2 messages.*6 minutes/,
    ],
    ["dead letters", backlogs({ deadLetters: 1 }), "deadletters", "degraded", /./],
  ])("CLI-23 %s is found and said", (_case, measured, name, status, words) => {
    expect(unwell(measured)).toEqual([
      expect.objectContaining({ name, status, reason: expect.stringMatching(words) }),
    ]);
  });

  it("CLI-23 a connector that cannot say whether it hears is no trouble", () => {
    expect(unwell({ ...well, accounts: [account({ health: "yellow", because: "unprovable" })] })).toEqual([]);
  });

  it("PROTO-07 no work is to be sent while it starts, stops, cannot write, stands still or is behind", () => {
    expect(notReady({ ...well, stage: "starting" })).toEqual(["starting"]);
    expect(notReady({ ...well, stage: "stopping" })).toEqual(["stopping"]);
    expect(notReady({ ...well, figures: { ...well.figures, databaseTrouble: "no" } })).toEqual(["database"]);
    expect(notReady({ ...well, isStuck: true })).toEqual(["event-loop"]);
    expect(notReady(backlogs({ turns: { count: 1, oldestAt: ago(31) } }))).toEqual(["queue"]);
    // What is merely not well is no reason to send nothing.
    expect(notReady({ ...well, accounts: [account({ health: "red", because: "deaf" })] })).toEqual([]);
  });
});
