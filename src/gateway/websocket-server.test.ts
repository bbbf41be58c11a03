import { createHandClock } from "@pincer/sdk/testing";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createStrangerSeats } from "./limits/stranger-seats.ts";
import { hello, startTestServer, tokenOf, type FrameLine, type TestServer } from "./testing/test-server.ts";

const owners = { "owner.list": async () => ({ owners: [] }) };

/** Lets what is on its way arrive, by asking something of somebody else. */
async function settle(server: TestServer): Promise<void> {
  for (let round = 0; round < 3; round++) await server.ask("/nowhere");
}

describe("a WebSocket that is one too many of its address", () => {
  const one = () => createStrangerSeats({ most: () => 1, isExempt: () => false });

  it("TEN-06 is told so in words, and closed", async () => {
    const server = await startTestServer({ seats: one() });
    await server.open();
    const second = await server.open();
    expect(await second.closed).toEqual({
      code: 4029,
      reason: "There are too many connections from your address; try again later.",
    });
  });

  it("TEN-06 stays where it shows who it is, and one that has connected takes no seat", async () => {
    const server = await startTestServer({ methods: owners, seats: one() });
    await server.open();
    const headers = { cookie: "pincer_session=session" };
    const known = await server.open({ headers });
    expect(await known.ask("connect", hello)).toMatchObject({ ok: true });
    const other = await startTestServer({ methods: owners, seats: one() });
    for (let count = 0; count < 3; count++) {
      expect(await (await other.meet()).ask("owner.list")).toMatchObject({ ok: true });
    }
  });

  it("TEN-06 counts for the client behind a proxy", async () => {
    const seats = createStrangerSeats({ most: () => 1, isExempt: (address) => address === "127.0.0.1" });
    const server = await startTestServer({ seats, trustedProxies: ["127.0.0.1"] });
    const from = (address: string) => server.open({ headers: { "x-forwarded-for": address } });
    await from("203.0.113.9");
    expect((await from("203.0.113.10")).challenge).not.toBe("");
    expect(await (await from("203.0.113.9")).closed).toMatchObject({ code: 4029 });
  });
});

describe("a WebSocket", () => {
  it("PROTO-01 is told what to sign first, connects, and is answered under the ids of its requests", async () => {
    const server = await startTestServer({ methods: owners });
    const line = await server.open();
    expect(line.challenge).toMatch(/^[\w-]{32}$/);
    expect((await server.open()).challenge).not.toBe(line.challenge);
    expect(await line.ask("owner.list")).toMatchObject({ error: { code: "AUTH_REQUIRED" } });
    expect(await line.ask("connect", { ...hello, auth: { token: tokenOf("viewer") } })).toMatchObject({
      ok: true,
      payload: { protocol: 1, caller: { id: "token:viewer", role: "viewer" }, effects: {} },
    });
    expect(await line.ask("owner.list")).toMatchObject({ id: "owner.list", error: { code: "FORBIDDEN" } });
    const owner = await server.meet();
    expect(await owner.ask("owner.list")).toMatchObject({ ok: true, payload: { owners: [] } });
  });

  it("GW-11 shows who it is when it is opened, too, and need not say it again", async () => {
    const server = await startTestServer({ methods: owners });
    for (const headers of [
      { authorization: `Bearer ${tokenOf("owner")}` },
      { cookie: "pincer_session=session" },
    ]) {
      const line = await server.open({ headers });
      expect(await line.ask("connect", hello)).toMatchObject({
        ok: true,
        payload: { caller: { role: "owner" } },
      });
    }
  });

  it.each([
    ["nothing", undefined, "gateway.unauthorized"],
    ["a wrong token", { token: "wrong" }, "gateway.unauthorized"],
    [
      "a device that is not let in yet",
      { device: { publicKey: "k", signature: "s", name: "n", wants: "viewer" } },
      "gateway.device-pending",
    ],
    ["too many tries", { token: "too-often" }, "gateway.too-many-tries"],
  ])("GW-11 that shows %s is told why, and closed", async (_what, auth, key) => {
    const server = await startTestServer({ methods: owners });
    const line = await server.open();
    expect(await line.ask("connect", { ...hello, ...(auth ? { auth } : {}) })).toMatchObject({
      ok: false,
      error: { text: { key } },
    });
    expect(await line.closed).toMatchObject({ code: 4003 });
  });

  it("GW-11 that a page of another place opens does not open, whatever cookie the browser adds", async () => {
    const server = await startTestServer();
    const line = await server.open({
      origin: "http://evil.example",
      headers: { cookie: "pincer_session=session" },
    });
    expect(await line.closed).toEqual({ code: 1006, reason: "" });
    expect(server.webSockets()).toBe(0);
  });

  it("GW-11 that does not connect in time is closed", async () => {
    const clock = createHandClock();
    const server = await startTestServer({ clock, bounds: { lookEveryMs: 60_000 } });
    const [idle, met] = [await server.open(), await server.meet()];
    await clock.advance(5000);
    expect(await idle.next()).toMatchObject({ error: { code: "AUTH_REQUIRED" } });
    expect(await idle.closed).toMatchObject({ code: 4001 });
    expect(await met.ask("nope")).toMatchObject({ error: { code: "METHOD_NOT_FOUND" } });
  });

  it("GW-11 that says too much before it has connected is closed", async () => {
    const server = await startTestServer({ bounds: { strangerBytes: 1000 } });
    const line = await server.open();
    line.write("x".repeat(2000));
    expect(await line.closed).toMatchObject({ code: 1009 });
  });

  it("GW-11 beyond the number that there may be is told so and closed", async () => {
    const server = await startTestServer({ webSockets: 2 });
    await server.meet();
    await server.meet();
    const third = await server.open();
    expect(await third.closed).toMatchObject({ code: 4029, reason: "There are too many connections." });
    expect(server.said).toEqual(["too many connections over WebSocket"]);
  });

  it("that sends binary frames is told that frames are text, and closed", async () => {
    const server = await startTestServer();
    const line = await server.meet();
    line.webSocket.send(Buffer.from("{}"));
    expect(await line.next()).toMatchObject({ error: { message: "Frames are text." } });
    expect(await line.closed).toMatchObject({ code: 1003 });
  });

  it("GW-11 with a frame larger than there may be is closed", async () => {
    const server = await startTestServer();
    const line = await server.meet();
    line.write(`"${"x".repeat(1024 * 1024)}"`);
    expect(await line.closed).toMatchObject({ code: 1009 });
  });

  it("TEN-06 that asks too much is told when to go on, and stays", async () => {
    let seconds: number | undefined;
    const server = await startTestServer({ methods: owners, takeRate: () => seconds });
    const line = await server.meet();
    seconds = 9;
    expect(await line.ask("owner.list")).toMatchObject({
      error: { reason: "gateway/busy", message: expect.stringContaining("9 s") },
    });
    seconds = undefined;
    expect(await line.ask("owner.list")).toMatchObject({ ok: true });
  });

  describe("that does not read", () => {
    const big = { "owner.list": async () => ({ owners: ["x".repeat(100_000)] }) as never };
    const askMany = (line: FrameLine, count: number) => {
      for (let index = 0; index < count; index++) {
        line.write({ type: "req", id: `many${index}`, method: "owner.list", params: {} });
      }
    };

    it("GW-11 is told so each time, and loses nothing when it reads on", async () => {
      const server = await startTestServer({
        methods: big,
        bounds: { slowBytes: 100_000, unreadBytes: 1e9 },
      });
      const line = await server.meet();
      for (let round = 0; round < 2; round++) {
        line.webSocket.pause();
        askMany(line, 150);
        await settle(server);
        line.webSocket.resume();
        const frames = [];
        for (let index = 0; index < 151; index++) frames.push(await line.next());
        expect(frames.filter((frame) => frame?.type === "res")).toHaveLength(150);
        expect(frames).toContainEqual({
          type: "event",
          event: "gateway.slow",
          payload: { unreadBytes: expect.any(Number) },
          seq: 0,
        });
      }
    });

    it("GW-11 is cut off beyond a bound, and others are answered meanwhile", async () => {
      const clock = createHandClock();
      const server = await startTestServer({ methods: big, clock, bounds: { unreadBytes: 500_000 } });
      const [line, honest] = [await server.meet(), await server.meet()];
      line.webSocket.pause();
      askMany(line, 250);
      await settle(server);
      expect(await honest.ask("owner.list")).toMatchObject({ ok: true });
      await clock.advance(1000);
      await settle(server);
      expect(server.webSockets()).toBe(1);
      expect(await honest.ask("owner.list")).toMatchObject({ ok: true });
    });

    it("GW-11 is cut off, too, when it only wants to know whether we are there", async () => {
      const server = await startTestServer({ bounds: { unreadBytes: 10_000 } });
      const line = await server.meet();
      line.webSocket.pause();
      let pings = 0;
      while (server.webSockets() > 0 && pings < 2_000_000) {
        for (let index = 0; index < 10_000; index++) line.webSocket.ping("x".repeat(125));
        pings += 10_000;
        await settle(server);
      }
      expect(server.webSockets()).toBe(0);
    });
  });

  it("that has silently gone is noticed", async () => {
    const clock = createHandClock();
    const server = await startTestServer({ clock, bounds: { lookEveryMs: 1000 } });
    const [gone, there] = [await server.meet(), await server.meet()];
    gone.webSocket.pause();
    await clock.advance(1000);
    await settle(server);
    expect(server.webSockets()).toBe(2);
    await clock.advance(1000);
    await settle(server);
    expect(server.webSockets()).toBe(1);
    expect(await there.ask("nope")).toMatchObject({ error: { code: "METHOD_NOT_FOUND" } });
  });

  it("GW-11 whose access was taken back is closed at its next request, and within the time of a look without one", async () => {
    const clock = createHandClock();
    const server = await startTestServer({ methods: owners, clock, bounds: { lookEveryMs: 1000 } });
    const [asking, silent] = [await server.meet(tokenOf("admin")), await server.meet(tokenOf("admin"))];
    const other = await server.meet(tokenOf("owner"));
    server.revoke(tokenOf("admin"));
    expect(await asking.ask("owner.list")).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    expect(await asking.closed).toMatchObject({ code: 4003, reason: "You were signed out." });
    await clock.advance(1000);
    expect(await silent.closed).toMatchObject({ code: 4003 });
    expect(await other.ask("owner.list")).toMatchObject({ ok: true });
  });

  it("that closes aborts what runs for it", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const server = await startTestServer({
      methods: { "owner.list": (_params, { signal }) => (begun.resolve(signal), new Promise(() => {})) },
    });
    const line = await server.meet();
    line.write({ type: "req", id: "1", method: "owner.list", params: {} });
    const signal = await begun.promise;
    line.webSocket.close();
    if (!signal.aborted) await once(signal, "abort");
    expect(signal.aborted).toBe(true);
  });

  it("is answered what runs and told to come back when the gateway stops", async () => {
    const begun = Promise.withResolvers<() => void>();
    const server = await startTestServer({
      methods: {
        "owner.list": async () => {
          await new Promise<void>((resolve) => begun.resolve(resolve));
          return { owners: [] };
        },
      },
    });
    const line = await server.meet();
    const asked = line.ask("owner.list");
    const finish = await begun.promise;
    const closing = server.close(60_000);
    finish();
    expect(await asked).toMatchObject({ ok: true });
    expect(await line.closed).toMatchObject({ code: 1001 });
    await closing;
  });

  it("is ended within the time where what runs does not end", async () => {
    const begun = Promise.withResolvers<void>();
    const server = await startTestServer({
      methods: { "owner.list": () => (begun.resolve(), new Promise(() => {})) },
    });
    const line = await server.meet();
    line.write({ type: "req", id: "1", method: "owner.list", params: {} });
    await begun.promise;
    await server.close(0);
    expect([1001, 1006]).toContain((await line.closed).code);
  });
});

describe("events over a WebSocket", () => {
  const changed = { event: "config.changed", payload: { inForce: true } } as const;
  const ended = (agentId: string) =>
    ({ event: "run.ended", payload: { runId: "r", agentId, sessionKey: "main", state: "done" } }) as const;

  it("GW-11 come to those who subscribed to them, with rising numbers and the state's version", async () => {
    const server = await startTestServer();
    const line = await server.meet();
    server.bus.publish(changed);
    const answer = await line.ask("events.subscribe", { topics: ["config"] });
    const version = server.bus.stateVersion();
    expect(answer).toMatchObject({ payload: { stateVersion: version } });
    server.bus.publish(ended("main"), { agentId: "main" });
    server.bus.publish(changed);
    server.bus.publish(changed);
    expect(await line.next()).toEqual({ type: "event", ...changed, seq: 1, stateVersion: version + 2 });
    expect(await line.next()).toMatchObject({ seq: 2, stateVersion: version + 3 });
    await line.ask("events.unsubscribe");
    server.bus.publish(changed);
    expect(await line.ask("nope")).toMatchObject({ type: "res", id: "nope" });
  });

  it("TEN-02 of other agents do not come to those who are confined to one, nor those of no agent", async () => {
    const server = await startTestServer();
    const line = await server.meet(tokenOf("developer", "mine"));
    await line.ask("events.subscribe");
    server.bus.publish(ended("theirs"), { agentId: "theirs" });
    server.bus.publish(changed);
    server.bus.publish(ended("mine"), { agentId: "mine" });
    expect(await line.next()).toMatchObject({ event: "run.ended", payload: { agentId: "mine" }, seq: 1 });
    server.bus.publish({ event: "gateway.stopping", payload: { restarts: true } });
    expect(await line.next()).toMatchObject({ event: "gateway.stopping" });
  });

  it("TEN-02 come only of what the role may see", async () => {
    const server = await startTestServer();
    const viewer = await server.meet(tokenOf("viewer"));
    await viewer.ask("events.subscribe", { topics: ["approvals", "config"] });
    server.bus.publish({ event: "approval.asked", payload: { id: "a", runId: null, state: "open" } });
    server.bus.publish(changed);
    expect(await viewer.next()).toMatchObject({ event: "config.changed", seq: 1 });
    const node = await server.meet(tokenOf("node"));
    expect(await node.ask("events.subscribe")).toMatchObject({ error: { code: "FORBIDDEN" } });
  });
});
