import { SendError, defineChannel, type ChannelHost, type ReceivedMessage } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createChannelHealth } from "./channel-health.ts";
import { createChannelHost } from "./channel-host.ts";
import { createInbox } from "./inbox.ts";

/** refuse: nobody can connect. hang: connecting takes for ever. deaf: connections stay open and bring nothing. lose: they end. failing: they say that asking fails. */
type Trouble = "refuse" | "hang" | "deaf" | "lose" | "failing";

const deafMs = 60_000;

/** A network that keeps what people write, and brings it to connections that were not opened or open while it was in trouble. */
function createTroubledNetwork() {
  const written: ReceivedMessage[] = [];
  let trouble: Trouble | undefined;
  const open = new Set<{ host: ChannelHost; isDead: boolean; deliver(): Promise<void> }>();
  const sessions: Array<ChannelHost["session"]> = [];
  let backfills = 0;
  let failBackfills = 0;

  const channel = defineChannel({
    id: "pigeon",
    config: Type.Object({}),
    traits: { textLimit: 1000, idempotentSend: true },
    async connect(_config, host) {
      sessions.push(host.session);
      if (trouble === "refuse" || trouble === "lose") throw new SendError("unavailable", "nobody answers");
      if (trouble === "hang")
        await new Promise((_resolve, reject) => host.signal.addEventListener("abort", reject));
      let work = Promise.resolve();
      const own = {
        host,
        isDead: trouble === "deaf",
        deliver: () => (work = work.then(deliverAll)),
      };
      async function deliverAll(): Promise<void> {
        let at = Number((await host.cursor.load()) ?? 0);
        for (; at < written.length && !own.isDead && open.has(own); at++) {
          const message = written[at];
          if (message) await host.receive(message);
          await host.cursor.save(String(at + 1));
        }
      }
      open.add(own);
      host.signal.addEventListener("abort", () => open.delete(own));
      return {
        heartbeatSeconds: 10,
        send: async () => ({}),
        async backfill() {
          backfills++;
          if (failBackfills-- > 0) throw new Error("not now");
          await own.deliver();
        },
        async close() {
          open.delete(own);
        },
      };
    },
  });

  return {
    channel,
    written,
    sessions,
    backfills: () => backfills,
    failBackfills: (times: number) => void (failBackfills = times),
    begin(kind: Trouble) {
      trouble = kind;
      for (const one of open) {
        if (kind !== "refuse" && kind !== "failing") one.isDead = true;
        if (kind === "lose") one.host.lost("the cable");
      }
    },
    end: () => void (trouble = undefined),
    write(peer: string) {
      const id = `m${written.length + 1}`;
      written.push({
        peer: { kind: "user", id: peer },
        sender: { id: peer },
        message: { type: "text", id, text: id, attachments: [], mentioned: true },
        timestamp: 1,
      });
      for (const one of open) void one.deliver();
    },
    beat() {
      for (const { host, isDead } of open) {
        if (trouble === "failing") host.trouble?.("502");
        else if (!isDead) host.alive();
      }
    },
  };
}

function stage(networks = [createTroubledNetwork()]) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme");
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const redactor = createRedactor();
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId: "acme",
    workspaceId: "w",
    log,
    redactor,
    onStored() {},
  });
  const heardAt = new Map<string, number>();
  const health = createChannelHealth({
    clock,
    deafMs: () => deafMs,
    connection: (channel, accountId) => host.connection(channel, accountId),
    onDeaf: ({ channel, accountId }) => host.renew(channel, accountId),
  });
  const accounts = networks.map((_, index) => ({
    channel: `pigeon${index}`,
    accountId: "default",
    enabled: true,
    config: {},
  }));
  const host = createChannelHost({
    channels: new Map(
      networks.map(({ channel }, index) => [`pigeon${index}`, { ...channel, id: `pigeon${index}` }]),
    ),
    accounts,
    inbox,
    cursors: stores.cursors,
    media: {
      store: () => Promise.reject(new Error("no media")),
      read: () => Promise.reject(new Error("no media")),
    },
    clock,
    log,
    redactor,
    random: () => 1,
    say: createSay("en"),
    onState: (state) => health.onState(state),
    onSign(account, sign) {
      heardAt.set(account.channel, clock.now());
      health.onSign(account, sign);
    },
  });
  const stop = new AbortController();
  void health.watch(stop.signal);
  let seconds = 0;
  return {
    clock,
    stores,
    host,
    heardAt,
    health: (index = 0) => health.read(accounts.slice(index, index + 1))[0]?.verdict.health,
    async second() {
      seconds += 1;
      if (seconds % 10 === 0) for (const network of networks) network.beat();
      await clock.advance(1000);
    },
    async close() {
      stop.abort();
      await Promise.all([host.stop(0), clock.advance(0)]);
    },
  };
}

describe("an account on a network in trouble", () => {
  it("CHAN-19 is connected anew when it is deaf, and hears again", async () => {
    const network = createTroubledNetwork();
    const { host, second, health, close } = stage([network]);
    await host.start();
    for (let at = 0; at < 20; at++) await second();
    expect(health()).toBe("green");
    network.begin("deaf");
    network.end();
    // The connection of before stays open and dead: without another one nothing would ever come.
    for (let at = 0; at < 90; at++) await second();
    expect(health()).toBe("green");
    expect(network.sessions).toEqual(["resume", "anew"]);
    await close();
  });

  it("CHAN-19 keeps its connection for sending while asking for messages fails, and is red until it hears", async () => {
    const network = createTroubledNetwork();
    const { host, second, health, close } = stage([network]);
    network.begin("failing");
    await host.start();
    for (let at = 0; at < 5; at++) await second();
    const connection = host.connection("pigeon0", "default");
    expect(connection).toBeDefined();
    for (let at = 5; at < 300; at++) {
      expect(health()).toBe(at < deafMs / 1000 ? "yellow" : "red");
      await second();
      expect(host.connection("pigeon0", "default")).toBe(connection);
    }
    network.end();
    for (let at = 0; at < 10; at++) await second();
    expect(health()).toBe("green");
    expect(network.sessions).toHaveLength(1);
    await close();
  });

  it("CHAN-19 asks again for what it missed where the first time failed", async () => {
    const network = createTroubledNetwork();
    const { host, second, stores, close } = stage([network]);
    network.failBackfills(2);
    network.write("ann");
    await host.start();
    for (let at = 0; at < 8; at++) await second();
    expect(network.backfills()).toBe(3);
    expect(await stores.inbox.listNew(5)).toHaveLength(1);
    await close();
  });

  it("CHAN-19 goes on undisturbed when another account is in trouble", async () => {
    const [sick, well] = [createTroubledNetwork(), createTroubledNetwork()];
    const { host, second, health, close } = stage([sick, well]);
    await host.start();
    sick.begin("hang");
    for (let at = 0; at < 11; at++) await second();
    for (let at = 0; at < 110; at++) {
      await second();
      expect(health(1)).toBe("green");
    }
    expect(health(0)).toBe("red");
    expect(well.sessions).toHaveLength(1);
    await close();
  });

  it("CHAN-19 is never green while deaf, hears again within 30 s of the end of a fault, and loses, doubles and reorders nothing", async () => {
    const fault = fc.record({
      kind: fc.constantFrom<Trouble>("refuse", "hang", "deaf", "lose"),
      lasts: fc.integer({ min: 1, max: 150 }),
      pause: fc.integer({ min: 31, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 3, max: 9 }),
        async (faults, everySeconds) => {
          const network = createTroubledNetwork();
          const { host, clock, stores, second, health, heardAt, close } = stage([network]);
          await host.start();
          let at = 0;
          const pass = async (seconds: number) => {
            for (let passed = 0; passed < seconds; passed++) {
              if (at++ % everySeconds === 0) network.write(at % 2 === 0 ? "ann" : "bob");
              await second();
              const isDeaf = clock.now() - (heardAt.get("pigeon0") ?? clock.now()) >= deafMs;
              expect(isDeaf && health() === "green").toBe(false);
            }
          };
          await pass(15);
          for (const { kind, lasts, pause } of faults) {
            network.begin(kind);
            await pass(lasts);
            network.end();
            const endedAt = clock.now();
            // A half-open connection is noticed by its silence, and that takes as long as silence is allowed.
            const noticed = kind === "deaf" || kind === "hang" ? Math.max(0, deafMs / 1000 + 5 - lasts) : 0;
            await pass(30 + noticed);
            expect(heardAt.get("pigeon0")).toBeGreaterThan(endedAt);
            await pass(pause);
          }
          const stored = (await stores.inbox.listNew(1000)).map(({ message }) => message.message.id);
          expect(stored).toEqual(network.written.map(({ message }) => message.id));
          await close();
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});
