import { SendError, defineChannel, type Channel, type ChannelHost } from "@pincer/sdk";
import { createHandClock, createRecordingChannel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import type { AccountState } from "./account-supervisor.ts";
import { createChannelHost, type ChannelHostParts } from "./channel-host.ts";
import { createInbox } from "./inbox.ts";

const account = (accountId: string, config: object = {}, channel = "recording") => ({
  channel,
  accountId,
  enabled: true,
  config,
});

function makeHost(
  channels: Channel[],
  accounts: ChannelHostParts["accounts"],
  more: Partial<ChannelHostParts> = {},
) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme");
  const seen: AccountState[] = [];
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logs = { debug: log, info: log, warn: log, error: log };
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId: "acme",
    workspaceId: "w",
    log: logs,
    redactor: createRedactor(),
    onStored() {},
  });
  const host = createChannelHost({
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    accounts,
    inbox,
    cursors: stores.cursors,
    media: {
      store: () => Promise.reject(new Error("no media")),
      read: () => Promise.reject(new Error("no media")),
    },
    clock,
    log: logs,
    redactor: createRedactor(),
    random: () => 1,
    say: createSay("en"),
    onState: (state) => void seen.push(state),
    ...more,
  });
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { host, clock, stores, settle, logged, history: () => seen.map(({ state }) => state) };
}

const hello = (id: string) => ({
  peer: { kind: "user" as const, id: "ann" },
  sender: { id: "ann" },
  message: { type: "text" as const, id, text: "hello", attachments: [], mentioned: true },
  timestamp: 1,
});

describe("the channel host", () => {
  it("ROUTE-11 connects each account, stores what comes in, and hands out the connection for what goes out", async () => {
    const network = createRecordingChannel();
    const { host, stores, settle } = makeHost([network.channel], [account("a"), account("b")]);
    await host.start();
    await settle();
    expect(host.states().map(({ accountId, state }) => [accountId, state])).toEqual([
      ["a", "connected"],
      ["b", "connected"],
    ]);
    expect(await network.say(hello("m1"))).toEqual([
      { accountId: "a", type: "stored" },
      { accountId: "b", type: "stored" },
    ]);
    expect((await stores.inbox.listNew(5)).map((row) => row.message.accountId)).toEqual(["a", "b"]);
    expect(host.connection("recording", "a")).toBeDefined();
    expect(host.connection("recording", "c")).toBeUndefined();
    await host.stop(1000);
    expect(host.states().map(({ state }) => state)).toEqual(["stopped", "stopped"]);
    expect(network.connected()).toEqual([]);
  });

  it("PLUG-06 connects again after a loss, later each time it fails, and soon again once it held", async () => {
    const network = createRecordingChannel();
    const { host, clock, settle, history } = makeHost([network.channel], [account("a")]);
    network.faults.inject({ type: "fail-connect", times: 2 });
    await host.start();
    await settle();
    expect(history()).toEqual(["connecting", "waiting"]);
    await clock.advance(1000);
    await settle();
    expect(history().slice(2)).toEqual(["connecting", "waiting"]);
    await clock.advance(1999);
    expect(history()).toHaveLength(4);
    await clock.advance(1);
    await settle();
    expect(history().slice(4)).toEqual(["connecting", "connected"]);
    await clock.advance(60_000);
    network.faults.inject({ type: "lose-connection", reason: "the cable" });
    await settle();
    expect(host.states()[0]).toMatchObject({ state: "waiting", reason: "the cable" });
    expect(host.connection("recording", "a")).toBeUndefined();
    await clock.advance(1000);
    await settle();
    expect(host.states()[0]?.state).toBe("connected");
    await host.stop(1000);
  });

  it("PROTO-11 gets again after a reconnect what could not be stored before", async () => {
    const network = createRecordingChannel();
    const { host, clock, stores, settle } = makeHost([network.channel], [account("a")]);
    const { accept } = stores.inbox;
    stores.inbox.accept = () => Promise.reject(new Error("the disk is full"));
    await host.start();
    await settle();
    expect(await network.say(hello("m1"))).toMatchObject([{ type: "failed" }]);
    stores.inbox.accept = accept;
    network.faults.inject({ type: "lose-connection" });
    await settle();
    await clock.advance(1000);
    await settle();
    expect(await stores.inbox.listNew(5)).toHaveLength(1);
    await host.stop(1000);
  });

  it("PROTO-11 stores each message once when the network delivers everything twice and out of order", async () => {
    const network = createRecordingChannel();
    const { host, stores, settle } = makeHost([network.channel], [account("a")]);
    await host.start();
    await settle();
    network.faults.inject({ type: "deliver-twice" });
    network.faults.inject({ type: "reorder" });
    await Promise.all([network.say(hello("m1")), network.say(hello("m2"))]);
    expect((await stores.inbox.listNew(5)).map((row) => row.message.message.id)).toEqual(["m2", "m1"]);
    await host.stop(1000);
  });

  it("PLUG-06 keeps the others going when one account cannot be used, and says why without its secrets", async () => {
    const network = createRecordingChannel();
    const { host, settle } = makeHost(
      [network.channel],
      [
        account("bad", { token: { nested: "s3cret" } }),
        account("off"),
        account("good", { token: "t", unknown: 1 }),
        account("x", {}, "nowhere"),
        { ...account("odd"), problem: "dmPolicy must be one of them" },
      ].map((each) => ({ ...each, enabled: each.accountId !== "off" })),
    );
    await host.start();
    await settle();
    const states = Object.fromEntries(host.states().map((each) => [each.accountId, each]));
    expect(states["bad"]).toMatchObject({ state: "broken", reason: expect.stringMatching(/token/) });
    expect(states["bad"]?.reason).not.toMatch(/s3cret/);
    expect(states["off"]).toMatchObject({ state: "stopped", reason: "disabled in the config" });
    expect(states["x"]).toMatchObject({ state: "broken", reason: expect.stringMatching(/no connector/) });
    expect(states["odd"]).toMatchObject({ state: "broken", reason: expect.stringMatching(/dmPolicy/) });
    expect(states["good"]?.state).toBe("connected");
    await host.stop(1000);
  });

  it("PLUG-06 calls an account broken that the network refuses, and tries it again now and then", async () => {
    const network = createRecordingChannel();
    const { host, clock, settle } = makeHost([network.channel], [account("a")]);
    network.faults.inject({ type: "fail-connect", code: "rejected", message: "bad token" });
    await host.start();
    await settle();
    expect(host.states()[0]).toMatchObject({ state: "broken", reason: "bad token" });
    await clock.advance(300_000);
    await settle();
    expect(host.states()[0]?.state).toBe("connected");
    await host.stop(1000);
  });

  it("PLUG-06 does not wait for ever for a connection that hangs, and closes one that comes too late", async () => {
    const closed: string[] = [];
    let connect: ((accountId: string) => void) | undefined;
    const slow = defineChannel({
      id: "slow",
      config: Type.Object({}),
      traits: { textLimit: 100, idempotentSend: false },
      connect: (_config, { accountId }) =>
        new Promise((resolve) => {
          connect = () =>
            resolve({
              send: () => Promise.reject(new Error("unused")),
              close: async () => void closed.push(accountId),
            });
        }),
    });
    const { host, clock, settle } = makeHost([slow], [account("a", {}, "slow")], { connectTimeoutMs: 5000 });
    await host.start();
    await settle();
    const late = connect;
    await clock.advance(5000);
    await settle();
    expect(host.states()[0]).toMatchObject({ state: "waiting", reason: expect.stringMatching(/within 5 s/) });
    late?.("a");
    await settle();
    expect(closed).toEqual(["a"]);
    await host.stop(1000);
  });

  it("PLUG-06 connects again after a loss although the account does not close, and says so at once", async () => {
    let lose: ((reason: string) => void) | undefined;
    let connects = 0;
    const stubborn = defineChannel({
      id: "stubborn",
      config: Type.Object({}),
      traits: { textLimit: 100, idempotentSend: false },
      async connect(_config, host) {
        connects += 1;
        lose = host.lost;
        const send = () => Promise.reject(new Error("unused"));
        return { send, close: () => new Promise<void>(() => undefined) };
      },
    });
    const { host, clock, settle, logged } = makeHost([stubborn], [account("a", {}, "stubborn")]);
    await host.start();
    await settle();
    lose?.("the cable");
    await settle();
    expect(host.states()[0]).toMatchObject({ state: "waiting", reason: "the cable" });
    expect(host.connection("stubborn", "a")).toBeUndefined();
    await clock.advance(3000);
    await settle();
    await clock.advance(1000);
    await settle();
    expect(connects).toBe(2);
    expect(host.states()[0]?.state).toBe("connected");
    expect(logged.join()).toMatch(/closing failed/);
    await Promise.all([host.stop(1000), clock.advance(1000)]);
  });

  /** Knows how often each account was connected and closed; one with the token "bad" is refused. */
  function createCountingChannel() {
    const counts: Record<string, { connects: number; closes: number }> = {};
    const channel = defineChannel({
      id: "counting",
      config: Type.Object({ token: Type.Optional(Type.String()) }),
      traits: { textLimit: 100, idempotentSend: false },
      async connect({ token }, { accountId }) {
        const count = (counts[accountId] ??= { connects: 0, closes: 0 });
        if (token === "bad") throw new SendError("rejected", "bad token");
        count.connects += 1;
        return {
          send: () => Promise.reject(new Error("unused")),
          close: async () => void (count.closes += 1),
        };
      },
    });
    return { channel, counts };
  }
  const counted = (accountId: string, config: object = {}) => account(accountId, config, "counting");

  it("PLUG-06 takes up changed accounts while it runs, and leaves the others alone", async () => {
    const { channel, counts } = createCountingChannel();
    const before = [counted("broken", { token: "bad" }), counted("gone"), counted("odd", { token: 5 })];
    const off = { ...counted("off"), enabled: false };
    const { host, settle } = makeHost([channel], [...before, counted("same", { dmPolicy: "open" }), off]);
    await host.start();
    await settle();
    expect(host.states().map(({ state }) => state)).toEqual([
      "broken",
      "connected",
      "broken",
      "connected",
      "stopped",
    ]);
    const kept = host.connection("counting", "same");
    await host.update([
      counted("new"),
      counted("same", { dmPolicy: "disabled" }),
      counted("broken", { token: "good" }),
      counted("odd", { token: "5" }),
      counted("off"),
    ]);
    await settle();
    expect(host.states().map(({ accountId, state }) => [accountId, state])).toEqual(
      ["new", "same", "broken", "odd", "off"].map((accountId) => [accountId, "connected"]),
    );
    expect(host.connection("counting", "same")).toBe(kept);
    expect(host.connection("counting", "gone")).toBeUndefined();
    expect(counts).toMatchObject({
      same: { connects: 1, closes: 0 },
      gone: { connects: 1, closes: 1 },
      broken: { connects: 1 },
    });
    await host.update([{ ...counted("same"), enabled: false }]);
    expect(host.states()).toMatchObject([{ state: "stopped", reason: "disabled in the config" }]);
    expect(counts["same"]).toEqual({ connects: 1, closes: 1 });
    await host.stop(1000);
  });

  it("PLUG-06 takes changes one after the other, and ends with the last", async () => {
    const { channel, counts } = createCountingChannel();
    const { host, settle } = makeHost([channel], [counted("a", { token: "0" })]);
    await host.start();
    await Promise.all(["1", "bad", "3"].map((token) => host.update([counted("a", { token })])));
    await settle();
    expect(host.states()).toMatchObject([{ state: "connected" }]);
    const { connects = 0, closes = 0 } = counts["a"] ?? {};
    expect(connects - closes).toBe(1);
    await host.stop(1000);
    expect(counts["a"]?.closes).toBe(connects);
  });

  it("PLUG-06 begins nothing any more for a change that comes while it stops", async () => {
    const { channel, counts } = createCountingChannel();
    const { host, settle } = makeHost([channel], [counted("a")]);
    await host.start();
    await settle();
    const changing = host.update([counted("a", { token: "other" }), counted("b")]);
    await host.stop(1000);
    await changing;
    await settle();
    expect(counts).toEqual({ a: { connects: 1, closes: 1 } });
  });

  it("PLUG-06 waits only a limited time for an account that does not close, and keeps no other waiting", async () => {
    const stuck = defineChannel({
      id: "stuck",
      config: Type.Object({ token: Type.Optional(Type.String()) }),
      traits: { textLimit: 100, idempotentSend: false },
      connect: async () => ({
        send: () => Promise.reject(new Error("unused")),
        close: () => new Promise<void>(() => undefined),
      }),
    });
    const { channel } = createCountingChannel();
    const { host, clock, settle } = makeHost([stuck, channel], [account("a", {}, "stuck")]);
    await host.start();
    await settle();
    const changing = host.update([account("a", { token: "new" }, "stuck"), counted("b")]);
    await settle();
    expect(host.states().map(({ state }) => state)).toEqual(["stopped", "connected"]);
    await clock.advance(3000);
    await changing;
    await settle();
    expect(host.states().map(({ state }) => state)).toEqual(["connected", "connected"]);
    await Promise.all([host.stop(1000), clock.advance(1000)]);
  });

  it("SEC-01 gives the reason of a connector without the secrets in it", async () => {
    const network = createRecordingChannel();
    const redactor = createRedactor();
    redactor.add("bot", "123:abcdef");
    const { host, clock, settle } = makeHost([network.channel], [account("a")], { redactor });
    network.faults.inject({ type: "fail-connect", message: "GET /bot123:abcdef/me failed" });
    await host.start();
    await settle();
    expect(host.states()[0]?.reason).toBe("GET /bot[secret:bot]/me failed");
    await Promise.all([host.stop(1000), clock.advance(1000)]);
  });

  it("PLUG-06 asks for what came in between after each connect, and gives the connector its own keys and cursor", async () => {
    const calls: string[] = [];
    let given: unknown;
    let inside: ChannelHost | undefined;
    const channel = defineChannel({
      id: "own",
      config: Type.Object({ token: Type.String(), poll: Type.Number({ default: 5 }) }),
      traits: { textLimit: 100, idempotentSend: false },
      async connect(config, host) {
        [given, inside] = [config, host];
        calls.push(`connect at ${(await host.cursor.load()) ?? "the start"}`);
        return {
          send: () => Promise.reject(new Error("unused")),
          backfill: async () => void calls.push("backfill"),
          close: async () => undefined,
        };
      },
    });
    const { host, clock, settle } = makeHost(
      [channel],
      [account("a", { token: "t", dmPolicy: "open" }, "own")],
    );
    await host.start();
    await settle();
    expect(given).toEqual({ token: "t", poll: 5 });
    await inside?.cursor.save("17");
    inside?.lost("gone");
    await settle();
    expect(inside?.signal.aborted).toBe(true);
    await clock.advance(1000);
    await settle();
    expect(calls).toEqual(["connect at the start", "backfill", "connect at 17", "backfill"]);
    await host.stop(1000);
  });

  it("OBS-01 tells what comes in over the connection in use, and nothing that one before it still says", async () => {
    const hosts: ChannelHost[] = [];
    const channel = defineChannel({
      id: "recording",
      config: Type.Object({}),
      traits: { textLimit: 100, idempotentSend: false },
      async connect(_config, given) {
        hosts.push(given);
        return { send: async () => ({}), close: async () => {} };
      },
    });
    const signs: string[] = [];
    const { host, clock, settle } = makeHost([channel], [account("a")], {
      onSign: ({ accountId }, { type }) => void signs.push(`${accountId} ${type}`),
    });
    await host.start();
    await settle();
    const [first] = hosts;
    first?.alive();
    await first?.receive(hello("m1"));
    expect(signs).toEqual(["a alive", "a message"]);
    first?.lost("gone");
    await settle();
    first?.alive();
    await first?.receive(hello("m2"));
    expect(signs).toHaveLength(2);
    await clock.advance(10_000);
    await settle();
    hosts[1]?.alive();
    expect(signs).toEqual(["a alive", "a message", "a alive"]);
    await host.stop(1000);
  });
});
