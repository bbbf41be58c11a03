import { defineChannel, type Channel, type ChannelHost } from "@pincer/sdk";
import { createHandClock, createRecordingChannel } from "@pincer/sdk/testing";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
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
    onStored() {},
  });
  const host = createChannelHost({
    channels,
    accounts,
    inbox,
    cursors: stores.cursors,
    media: {
      store: () => Promise.reject(new Error("no media")),
      read: () => Promise.reject(new Error("no media")),
    },
    clock,
    log: logs,
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
    expect(states["off"]).toMatchObject({ state: "stopped", reason: "switched off in the config" });
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
});
