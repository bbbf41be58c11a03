import { createHandClock } from "@pincer/sdk/testing";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { defaultConfig } from "../../config/default-config.ts";
import { metricsText } from "../http/metrics-text.ts";
import { failure } from "../../infra/failure.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { draft, queue } from "../../storage/testing/message-samples.ts";
import { createGauges, type GaugesParts } from "./create-gauges.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-gauges-"));
  writeFileSync(join(home, "core.db"), "x".repeat(100));
});
afterEach(() => rmSync(home, { recursive: true }));

const say = createSay("en");

function open(more: Partial<GaugesParts> = {}) {
  const clock = createHandClock();
  const storage = createMemoryStores({ clock, ids: createIds(clock.now) });
  const stores = storage.tenant("acme");
  const accounts: AccountState[] = [
    {
      channel: "telegram",
      accountId: "bot",
      state: "connected",
      reason: undefined,
      since: "2026-01-01T12:00:00.000Z",
    },
  ];
  const changes: string[] = [];
  const gauges = createGauges({
    clock,
    stores,
    storage,
    databaseFile: join(home, "core.db"),
    homeRoot: home,
    config: () => defaultConfig,
    say,
    redactor: createRedactor(),
    stage: () => "running",
    lanes: () => ({ running: 2, waiting: 1 }),
    accounts: () => accounts,
    connection: () => ({ send: async () => ({}), close: async () => {}, heartbeatSeconds: 20 }),
    connections: () => ({ socket: 1, websocket: 3 }),
    workdirs: () => [],
    httpTrouble: () => undefined,
    tellOwner() {},
    onChange: (status) => changes.push(status),
    onError: (error) => {
      throw error;
    },
    ...more,
  });
  for (const account of accounts) gauges.channelHealth.onState(account);
  const lines = async () => metricsText(await gauges.metrics()).split("\n");
  return { clock, stores, storage, gauges, lines, changes };
}

describe("the gauges of a gateway", () => {
  it("OBS-01 count requests by route, method and status, with those that were too many", async () => {
    const { gauges, lines } = open();
    gauges.answered({ route: "/v1/models", method: "GET", status: 200, ms: 12 });
    gauges.answered({ route: "/v1/models", method: "GET", status: 500, ms: 40 });
    const limits = gauges.countLimits({
      take: (kind) => (kind === "user" ? { ok: false, retryAfterSeconds: 1 } : { ok: true }),
    });
    limits.take("address", "::1");
    limits.take("user", "token:1");
    gauges.turnedAway();
    gauges.called({ method: "agent.run", outcome: "ok" });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'pincer_http_requests_total{route="/v1/models",method="GET",status="200"} 1',
        'pincer_http_requests_total{route="/v1/models",method="GET",status="500"} 1',
        'pincer_http_request_seconds_count{route="/v1/models"} 2',
        'pincer_rpc_requests_total{method="agent.run",outcome="ok"} 1',
        'pincer_rate_limited_total{kind="user"} 1',
        'pincer_rate_limited_total{kind="connection"} 1',
        'pincer_connections{kind="websocket"} 3',
      ]),
    );
    const { requests, connections } = await gauges.view();
    expect(requests).toMatchObject({ failed: 1, limited: 2 });
    expect(requests.p99Ms).toBeGreaterThan(25);
    expect(requests.perSecond).toBeGreaterThan(0);
    expect(connections).toBe(4);
  });

  it("OBS-01 what was long ago is not told as if it were now", async () => {
    const { gauges, clock } = open();
    const stop = new AbortController();
    const watching = gauges.watch(stop.signal);
    gauges.answered({ route: "/x", method: "GET", status: 500, ms: 12 });
    await clock.advance(120_000);
    expect((await gauges.view()).requests.failed).toBe(0);
    stop.abort();
    await watching;
  });

  it("OBS-02 what waits, and since when, is the same in the status, the health and the metrics", async () => {
    const { gauges, clock, stores, lines } = open();
    await queue(stores, "m1");
    await stores.outbox.enqueue([draft("one"), draft("two")]);
    await clock.advance(10 * 60_000);
    const view = await gauges.view();
    expect(view).toMatchObject({
      queue: { running: 2, waiting: 1, oldestSeconds: 600 },
      outbox: { waiting: 2, oldestSeconds: 600 },
      databaseBytes: 100,
      deadLetters: 0,
    });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'pincer_waiting{what="turns"} 1',
        'pincer_oldest_seconds{what="turns"} 600',
        'pincer_waiting{what="outbox"} 2',
        'pincer_channel_backlog{channel="telegram",account="bot"} 2',
        "pincer_database_bytes 100",
      ]),
    );
    const { checks } = await gauges.health(say);
    expect(checks.find(({ name }) => name === "queue")?.figures).toEqual({ waiting: 1, oldestSeconds: 600 });
    expect(await gauges.channels()).toMatchObject([{ channel: "telegram", backlog: 2 }]);
  });

  it("OBS-04 strangers, refusals, sign-ins and denials are counted", async () => {
    const { gauges, lines } = open();
    const message = { channel: "telegram" } as Parameters<ReturnType<typeof gauges.countDoor>["admit"]>[0];
    const asked = { isAdmitted: async () => false, isAdmittedByConfig: () => false };
    const offering = (isNew: boolean) =>
      gauges.countDoor({
        ...asked,
        admit: async () => ({ type: "pairing", code: "X", isNew, isToBeTold: true }),
      });
    await offering(true).admit(message);
    await offering(false).admit(message);
    const refusing = {
      ...asked,
      admit: async () => ({ type: "refused" as const, reason: "disabled" as const }),
    };
    await gauges.countDoor(refusing).admit(message);
    const doors = { admit: async () => ({ type: "refused" as const }), isStillIn: async () => true };
    await gauges.countDoors(doors).admit({}, { address: "::1" });
    gauges.decided("deny");
    gauges.decided("ask");
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'pincer_pairing_requests_total{channel="telegram"} 1',
        'pincer_door_refusals_total{reason="disabled"} 1',
        'pincer_sign_ins_total{outcome="refused"} 1',
        "pincer_denials_total 1",
      ]),
    );
  });

  it("OBS-01 a deaf channel is red everywhere within the bound, with its false alarms beside it", async () => {
    const { gauges, clock, lines, changes } = open();
    const stop = new AbortController();
    const watching = gauges.watch(stop.signal);
    gauges.channelHealth.onSign({ channel: "telegram", accountId: "bot" }, { type: "alive" });
    gauges.delivered({ type: "sent", channel: "telegram", accountId: "bot" });
    expect(await gauges.channels()).toMatchObject([{ health: "green", lastInboundAt: null }]);
    for (let passed = 0; passed < 60; passed += 5) await clock.advance(5000);
    gauges.delivered({ type: "sent", channel: "telegram", accountId: "bot" });
    const [view] = await gauges.channels();
    expect(view).toMatchObject({
      health: "red",
      state: "connected",
      reason: expect.stringMatching(/receives nothing/),
    });
    expect((await gauges.health(say)).checks.find(({ name }) => name === "channels")?.status).toBe("failing");
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'pincer_channel_health{channel="telegram",account="bot"} 0',
        'pincer_channel_proof_age_seconds{channel="telegram",account="bot"} 60',
        'pincer_channel_deaf_alarms{channel="telegram",account="bot",kind="all"} 1',
        'pincer_channel_deaf_alarms{channel="telegram",account="bot",kind="false"} 0',
        "pincer_health 0",
      ]),
    );
    expect(changes.at(-1)).toBe("failing");
    stop.abort();
    await watching;
  });

  it("PROTO-07 a database that takes no writes makes it not ready, and says why", async () => {
    const { storage } = open();
    const error = failure("storage/full", "failure.disk-full", { reason: "no space", file: "core.db" });
    const refusing = { ...storage.condition(), refusing: { since: 0, error } };
    const { gauges } = open({ storage: { ...storage, condition: () => refusing } });
    expect(await gauges.notReady()).toEqual(["database"]);
    expect((await gauges.health(say)).status).toBe("failing");
  });

  it("PROTO-07 a damaged database makes it not ready, and says what to do", async () => {
    const { storage } = open();
    const error = failure("storage/corrupt", "failure.damage", { finding: "page 7 is torn" });
    const damaged = { ...storage.condition(), damage: [error] };
    const { gauges } = open({ storage: { ...storage, condition: () => damaged } });
    expect(await gauges.notReady()).toEqual(["database"]);
    const { checks } = await gauges.health(say);
    const told = checks.find(({ name }) => name === "database");
    expect(told).toMatchObject({ status: "failing" });
    expect(told?.reason).toMatch(/page 7 is torn.*pincer doctor/);
  });

  it("PROTO-07 a database that hangs is told as one that does not answer", async () => {
    const { stores } = open();
    const hanging = { ...stores, backlogs: { ...stores.backlogs, read: () => new Promise<never>(() => {}) } };
    const { gauges, clock } = open({ stores: hanging });
    const asking = gauges.notReady();
    await clock.advance(5000);
    expect(await asking).toEqual(["database"]);
  });
});
