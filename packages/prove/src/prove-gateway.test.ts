import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PincerError, type ChannelConnection, type ReceivedMessage } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/infra/clock.ts";
import type { TenantStores } from "../../../src/storage/storage.ts";
import { createChildLink, type ChildLink } from "./child-link.ts";
import { startFakeNetwork, type FakeNetwork } from "./fake-network.ts";
import type { LifePlan } from "./network-frames.ts";
import { runProveGateway, type ProveExtras, type ProvenGateway } from "./prove-gateway.ts";
import { attempt, outbound, personMessage } from "./testing/network-stage.ts";

let directory: string;
let network: FakeNetwork;
let linked: Promise<ChildLink>;
let deaths: number;
let exits: number[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-prove-"));
  deaths = 0;
  exits = [];
  const link = Promise.withResolvers<ChildLink>();
  linked = link.promise;
  network = await startFakeNetwork({
    socketPath: join(directory, "net.sock"),
    onControl(socket, { pid }) {
      const made = createChildLink(socket, pid);
      link.resolve(made.link);
      return made.onFrame;
    },
  });
});
afterEach(async () => {
  await network.close();
  await rm(directory, { recursive: true, force: true });
});

const plan = (more: Partial<LifePlan> = {}): LifePlan => ({
  directory,
  clock: { origin: Date.now(), speed: 10 },
  pauseMs: 1,
  fullForMs: 10,
  ...more,
});

/** A gateway that answers each message of the plain channel at once, keeping nothing. */
async function openToy({ channels }: ProveExtras, failed: ProvenGateway["failed"]): Promise<ProvenGateway> {
  const channel = channels.find(({ id }) => id === "plain");
  let connection: ChannelConnection | undefined;
  const receive = async ({ message, peer }: ReceivedMessage) => {
    const text = `re ${"text" in message ? message.text.split(" ")[0] : ""}.`;
    setImmediate(() => void connection?.send(outbound("plain", text, peer.id), attempt(message.id)));
    return { type: "stored" } as const;
  };
  connection = await channel?.connect(
    {},
    {
      accountId: "default",
      receive,
      alive: () => {},
      media: {
        store: () => Promise.reject(new Error("none")),
        read: () => Promise.reject(new Error("none")),
      },
      fetch: globalThis.fetch,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      clock: systemClock,
      cursor: { load: async () => undefined, save: async () => {} },
      lost: () => {},
      signal: new AbortController().signal,
    },
  );
  return { failed, idle: async () => {}, stop: async () => connection?.close() };
}

/** Runs the child's side in this process. */
function run(
  openGateway: (extras: ProveExtras) => Promise<ProvenGateway> = (extras) =>
    openToy(extras, new Promise(() => {})),
): Promise<number> {
  return runProveGateway({
    socketPath: join(directory, "net.sock"),
    life: 1,
    openGateway,
    die: () => deaths++,
    exit: (status) => void exits.push(status),
    signal: new AbortController().signal,
  });
}

describe("the child's side of the proof", () => {
  it("waits to be told to go, answers over the network, and stops when asked to", async () => {
    const running = run();
    const link = await linked;
    network.write([personMessage("plain")]);
    await link.go(plan());
    await network.settled();
    await link.idle();
    const { counts } = await link.counts();
    expect(counts).toMatchObject({ "channel.plain.receive:after": 1, "channel.plain.send:after": 1 });
    link.stop();
    expect(await running).toBe(0);
    expect(exits).toEqual([]);
  });

  it("has as long to stop as anybody has, however fast its clock runs", async () => {
    const given: Array<number | undefined> = [];
    const running = run(async () => ({
      failed: new Promise(() => {}),
      idle: async () => {},
      stop: async (withinMs) => void given.push(withinMs),
    }));
    const link = await linked;
    await link.go(plan({ clock: { origin: 0, speed: 20 } }));
    link.stop();
    expect(await running).toBe(0);
    expect(given).toEqual([20 * 10_000]);
  });

  it("dies where it was told to from the first moment on, or later", async () => {
    const running = run();
    const link = await linked;
    const cut = { type: "failpoint", action: "kill", hit: 1, early: true } as const;
    network.write([personMessage("plain")]);
    await link.go(plan({ cut: { ...cut, point: "channel.plain.receive:before" } }));
    await network.settled();
    expect(deaths).toBe(1);
    link.arm({ ...cut, point: "channel.plain.send:taken", early: false });
    network.write([personMessage("plain")]);
    await network.settled();
    expect(await link.counts()).toMatchObject({ reached: true });
    expect(deaths).toBe(2);
    link.stop();
    await running;
  });

  it("says why and ends when the disk is lost", async () => {
    const lost = Promise.withResolvers<PincerError>();
    const running = run((extras) => openToy(extras, lost.promise));
    const link = await linked;
    await link.go(plan());
    lost.resolve(new PincerError("storage/failed", "gone"));
    while (exits.length === 0 || !link.failure()) await new Promise((resolve) => setImmediate(resolve));
    expect([exits, link.failure()]).toEqual([[3], "storage/failed"]);
    link.stop();
    await running;
  });

  it("lets go of its prover when the gateway cannot start", async () => {
    const running = run(() => Promise.reject(new PincerError("storage/full", "no room")));
    const link = await linked;
    void link.go(plan());
    await expect(running).rejects.toMatchObject({ code: "storage/full" });
    expect(exits).toEqual([]);
  });

  it("ends with its prover", async () => {
    void run();
    await linked;
    await network.close();
    while (exits.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(exits).toEqual([0]);
  });

  it("hands in tools that leave traces, a sync that is passed, and the planted bug", async () => {
    const opened = Promise.withResolvers<ProveExtras>();
    const running = run((extras) => {
      opened.resolve(extras);
      return openToy(extras, new Promise(() => {}));
    });
    const link = await linked;
    await link.go(plan({ plant: "no-dedupe" }));
    const { tools, fdatasync, wrapStores } = await opened.promise;
    const call = { callId: "call_m1_a", sessionKey: "s", signal: new AbortController().signal };
    await tools[0]?.run({ message: "m1", step: "a" }, call);
    expect(JSON.parse(await readFile(join(directory, "effects.jsonl"), "utf8"))).toEqual({
      callId: "call_m1_a",
      message: "m1",
      step: "a",
    });
    await expect(fdatasync(-1)).rejects.toThrow("fd");
    const accepted: string[] = [];
    const inbox = {
      accept: async (message: { message: { id: string } }) => accepted.push(message.message.id),
    };
    const stores = wrapStores({ inbox } as unknown as TenantStores);
    const message = { message: { id: "p1" } } as never;
    await stores.inbox.accept(message);
    await stores.inbox.accept(message);
    expect(new Set(accepted).size).toBe(2);
    expect((await link.counts()).counts).toMatchObject({ "inbox.accept:before": 2, "sync:before": 1 });
    link.stop();
    await running;
  });
});
