import { describe, expect, it } from "vitest";
import type { AccountHealth } from "../../channels/channel-health.ts";
import type { AccountVerdict } from "../../channels/judge-account.ts";
import { failure } from "../../infra/failure.ts";
import { createSay } from "../../infra/texts.ts";
import { judgeHealth, notReady, type Measured } from "./judge-health.ts";

const now = Date.parse("2026-01-01T12:00:00.000Z");
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const trouble = (reason: string) => failure("storage/full", "failure.disk-full", { reason, file: "core.db" });
const nothing = { count: 0, oldestAt: null };

const well: Measured = {
  now,
  stage: "running",
  figures: {
    backlogs: { inbox: nothing, turns: nothing, outbox: [], deadLetters: 0, approvals: 0, notices: 0 },
    databaseTrouble: undefined,
    damage: [],
    isRecovering: false,
    logTrouble: undefined,
    databaseBytes: 4096,
    freeBytes: 50 * 1024 ** 3,
  },
  loop: { p50Ms: 0, p99Ms: 1, maxMs: 3 },
  isStuck: false,
  rssBytes: 100 * 1024 ** 2,
  accounts: [],
  workdirTrouble: undefined,
  httpTrouble: undefined,
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

describe("the health of the gateway", () => {
  it("CLI-23 is ok where everything is, with figures for programs", () => {
    expect(unwell(well)).toEqual([]);
    expect(notReady(well)).toEqual([]);
    expect(judgeHealth(well, say).map(({ name }) => name)).toEqual([
      "gateway",
      "database",
      "disk",
      "workdirs",
      "http",
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
    [
      "a port that is taken",
      { ...well, httpTrouble: failure("gateway/running", "gateway.port-taken", { host: "::1", port: 80 }) },
      "http",
      "failing",
      /Port 80 of ::1 is in use/,
    ],
    [
      "a workdir on a drive that is not mounted",
      { ...well, workdirTrouble: { workdir: "/mnt/usb/work", reason: "no such file" } },
      "workdirs",
      "failing",
      /\/mnt\/usb\/work cannot be used: no such file/,
    ],
    ["stopping", { ...well, stage: "stopping" }, "gateway", "failing", /stopping/],
    [
      "a database that takes no writes",
      { ...well, figures: { ...well.figures, databaseTrouble: trouble("disk full") } },
      "database",
      "failing",
      /disk full/,
    ],
    [
      "a database that cannot be read everywhere",
      { ...well, figures: { ...well.figures, damage: [trouble("page 7 is torn")] } },
      "database",
      "failing",
      /page 7 is torn.*--repair/,
    ],
    [
      "a database that was lost, which nobody has confirmed",
      { ...well, figures: { ...well.figures, isRecovering: true } },
      "database",
      "failing",
      /tools are off.*doctor --confirm/,
    ],
    [
      "a log that cannot be emptied",
      { ...well, figures: { ...well.figures, logTrouble: trouble("no space") } },
      "database",
      "degraded",
      /no space/,
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
    expect(notReady({ ...well, figures: { ...well.figures, databaseTrouble: trouble("no") } })).toEqual([
      "database",
    ]);
    expect(notReady({ ...well, isStuck: true })).toEqual(["event-loop"]);
    expect(notReady(backlogs({ turns: { count: 1, oldestAt: ago(31) } }))).toEqual(["queue"]);
    // What is merely not well is no reason to send nothing.
    expect(notReady({ ...well, accounts: [account({ health: "red", because: "deaf" })] })).toEqual([]);
  });
});
