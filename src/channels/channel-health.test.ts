import type { ChannelConnection } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { AccountState } from "./account-supervisor.ts";
import { createChannelHealth } from "./channel-health.ts";

const account = { channel: "pigeon", accountId: "default" };
const stopping: AbortController[] = [];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop.abort();
});

/** An account of a network that a test can break, watched by a clock that it turns. */
function watchAccount(able: Partial<ChannelConnection> = {}) {
  const hand = createHandClock();
  let shiftMs = 0;
  const clock = { ...hand, now: () => hand.now() + shiftMs };
  let connection: ChannelConnection | undefined;
  const colours: string[] = [];
  const renewals: number[] = [];
  const health = createChannelHealth({
    clock,
    deafMs: () => 60_000,
    connection: () => connection,
    onChange: (_account, { health: colour }) => colours.push(colour),
    onDeaf: () => void renewals.push(hand.now()),
  });
  const stop = new AbortController();
  stopping.push(stop);
  void health.watch(stop.signal);
  const setState = (state: AccountState["state"]) => {
    connection =
      state === "connected" ? { send: async () => ({}), close: async () => {}, ...able } : undefined;
    health.onState({ ...account, state, reason: undefined, since: "" });
  };
  const alive = () => health.onSign(account, { type: "alive" });
  const fail = () => health.onSign(account, { type: "trouble", reason: "502" });
  const message = (ageMs = 0) => health.onSign(account, { type: "message", sentAt: clock.now() - ageMs });
  const read = () => {
    const [found] = health.read([account]);
    if (!found) throw new Error("nobody knows the account");
    return found;
  };
  /** Advances the clock, with a sign at intervals. */
  async function pass(ms: number, signEveryMs?: number): Promise<void> {
    for (let passed = 0; passed < ms;) {
      const step = Math.min(1000, ms - passed);
      await hand.advance(step);
      passed += step;
      if (signEveryMs !== undefined && passed % signEveryMs === 0) alive();
    }
  }
  const jump = (ms: number) => void (shiftMs += ms);
  return { health, hand, setState, alive, fail, message, read, pass, jump, colours, renewals };
}

const heartbeat = { heartbeatSeconds: 20 };

describe("the health of a channel", () => {
  it("OBS-01 an open connection alone is never green", async () => {
    const { setState, read, pass } = watchAccount(heartbeat);
    setState("connecting");
    expect(read().verdict).toEqual({ health: "yellow", because: "disconnected" });
    setState("connected");
    expect(read().verdict).toEqual({ health: "yellow", because: "unproven" });
    await pass(60_000);
    expect(read().verdict).toEqual({ health: "red", because: "deaf" });
  });

  it("OBS-01 a half-open connection is red within the bound after its last sign, though sending still works", async () => {
    const { setState, read, pass, health } = watchAccount(heartbeat);
    setState("connected");
    await pass(100_000, 20_000);
    expect(read().verdict).toEqual({ health: "green" });
    await pass(59_000);
    health.onDelivery(account, "sent");
    expect(read().verdict).toEqual({ health: "yellow", because: "quiet" });
    await pass(1000);
    health.onDelivery(account, "sent");
    expect(read()).toMatchObject({ verdict: { health: "red", because: "deaf" }, alarms: { alarms: 1 } });
  });

  it("OBS-01 a quiet channel that says so raises no alarm", async () => {
    const { setState, read, pass, colours } = watchAccount(heartbeat);
    setState("connected");
    await pass(600_000, 20_000);
    expect(read()).toMatchObject({ verdict: { health: "green" }, lastInboundAt: undefined });
    expect(read().alarms).toEqual({ alarms: 0, trueAlarms: 0, falseAlarms: 0 });
    expect(colours).toEqual(["yellow", "green"]);
  });

  it("OBS-01 an alarm was true when a message turns up that had been sent meanwhile", async () => {
    const { setState, read, pass, message } = watchAccount(heartbeat);
    setState("connected");
    await pass(40_000, 20_000);
    await pass(90_000);
    message(50_000);
    expect(read().alarms).toEqual({ alarms: 1, trueAlarms: 1, falseAlarms: 0 });
  });

  it("OBS-01 an alarm was false when the same connection goes on and nothing was missing", async () => {
    const { setState, read, pass, alive, message } = watchAccount(heartbeat);
    setState("connected");
    await pass(40_000, 20_000);
    await pass(90_000);
    alive();
    message(1000);
    expect(read().alarms).toEqual({ alarms: 1, trueAlarms: 0, falseAlarms: 0 });
    await pass(70_000, 10_000);
    expect(read().alarms).toEqual({ alarms: 1, trueAlarms: 0, falseAlarms: 1 });
  });

  it("OBS-01 an alarm was true when the connection had to be made anew", async () => {
    const { setState, read, pass, alive } = watchAccount(heartbeat);
    setState("connected");
    await pass(40_000, 20_000);
    await pass(90_000);
    setState("waiting");
    setState("connected");
    alive();
    await pass(70_000, 10_000);
    expect(read().alarms).toEqual({ alarms: 1, trueAlarms: 1, falseAlarms: 0 });
  });

  it("OBS-01 connecting again and again without a sign turns red and stays so", async () => {
    const { setState, read, pass } = watchAccount(heartbeat);
    setState("connected");
    await pass(20_000, 10_000);
    for (let round = 0; round < 7; round++) {
      setState("waiting");
      await pass(5000);
      setState("connected");
      await pass(5000);
    }
    expect(read().verdict).toEqual({ health: "red", because: "deaf" });
    setState("waiting");
    expect(read().verdict).toEqual({ health: "red", because: "disconnected" });
  });

  it("OBS-01 an error of the network makes the account yellow at once, and a sign makes it green", async () => {
    const { setState, read, pass, fail, alive } = watchAccount(heartbeat);
    setState("connected");
    await pass(20_000, 10_000);
    fail();
    expect(read()).toMatchObject({ verdict: { health: "yellow", because: "failing" }, probeDetail: "502" });
    alive();
    expect(read()).toMatchObject({ verdict: { health: "green" }, probeDetail: undefined });
  });

  it("OBS-01 where every poll fails it is yellow at once, red a minute after the last proof, and red until something is heard", async () => {
    const { setState, pass, fail, alive, colours } = watchAccount(heartbeat);
    setState("connected");
    await pass(20_000, 10_000);
    for (let round = 0; round < 60; round++) {
      fail();
      await pass(3000);
      // The host reconnects what is deaf; that proves nothing.
      if (round % 10 === 9) {
        setState("waiting");
        await pass(2000);
        setState("connecting");
        setState("connected");
      }
    }
    expect(colours).toEqual(["yellow", "green", "yellow", "red"]);
    alive();
    expect(colours.at(-1)).toBe("green");
  });

  it("OBS-01 a deaf account that says that it asks keeps its connection for sending; one that falls silent is connected anew", async () => {
    const { setState, read, pass, fail, alive, renewals } = watchAccount(heartbeat);
    setState("connected");
    await pass(20_000, 10_000);
    for (let round = 0; round < 10; round++) {
      fail();
      await pass(25_000);
    }
    expect(read()).toMatchObject({ verdict: { health: "red", because: "deaf" }, alarms: { alarms: 1 } });
    expect(renewals).toEqual([]);
    alive();
    expect(read().verdict).toEqual({ health: "green" });
    await pass(70_000, 10_000);
    // Asking did fail, so nobody was alarmed for nothing.
    expect(read().alarms).toEqual({ alarms: 1, trueAlarms: 1, falseAlarms: 0 });
    await pass(70_000);
    expect(renewals).toHaveLength(1);
  });

  it("OBS-01 deafness counts from the last proof, not from the moment at which the connection was lost", async () => {
    const { setState, read, pass } = watchAccount(heartbeat);
    setState("connected");
    await pass(20_000, 10_000);
    await pass(50_000);
    setState("waiting");
    await pass(9000);
    expect(read().verdict).toEqual({ health: "yellow", because: "disconnected" });
    await pass(1000);
    expect(read().verdict).toEqual({ health: "red", because: "disconnected" });
  });

  it("OBS-01 a machine that slept makes nobody deaf, and one that does not wake up properly is found out", async () => {
    const { setState, read, pass, jump } = watchAccount(heartbeat);
    setState("connected");
    await pass(40_000, 20_000);
    jump(8 * 3_600_000);
    await pass(10_000);
    expect(read()).toMatchObject({ verdict: { health: "green" }, alarms: { alarms: 0 } });
    await pass(60_000);
    expect(read().verdict).toEqual({ health: "red", because: "deaf" });
  });

  it("OBS-01 a clock that is set back neither hides nor makes silence", async () => {
    const { setState, read, pass, jump } = watchAccount(heartbeat);
    setState("connected");
    await pass(40_000, 20_000);
    jump(-3_600_000);
    await pass(20_000);
    expect(read().verdict).toEqual({ health: "green" });
    await pass(45_000);
    expect(read().verdict).toEqual({ health: "red", because: "deaf" });
  });

  it("OBS-01 without a heartbeat the network is asked: its yes is green, its silence red within the bound", async () => {
    let answer: "yes" | "no" | "nothing" = "yes";
    const { setState, read, pass } = watchAccount({
      probe: (signal) =>
        answer === "nothing"
          ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
          : Promise.resolve({ ok: answer === "yes", detail: "says the network" }),
    });
    setState("connected");
    await pass(300_000);
    expect(read()).toMatchObject({ verdict: { health: "green" }, alarms: { alarms: 0 } });
    answer = "no";
    await pass(20_000);
    expect(read()).toMatchObject({
      verdict: { health: "yellow", because: "quiet" },
      probeDetail: "says the network",
    });
    answer = "nothing";
    await pass(25_000);
    expect(read()).toMatchObject({ verdict: { health: "red", because: "deaf" }, alarms: { alarms: 1 } });
    answer = "yes";
    await pass(35_000);
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 where there is a heartbeat, a network that merely answers questions proves nothing", async () => {
    let asked = 0;
    const { setState, read, pass, health } = watchAccount({
      ...heartbeat,
      probe: async () => ({ ok: (asked += 1) > 0 }),
    });
    setState("connected");
    await pass(40_000, 20_000);
    await pass(61_000);
    expect(read().verdict).toEqual({ health: "red", because: "deaf" });
    expect(asked).toBe(0);
    const { lastProofAt } = read();
    await health.ask([account]);
    expect(asked).toBe(1);
    expect(read()).toMatchObject({ verdict: { health: "red", because: "deaf" }, lastProofAt });
  });

  it("OBS-01 a probe asks the network now", async () => {
    const { setState, read, health } = watchAccount({ probe: async () => ({ ok: true }) });
    setState("connected");
    await health.ask([account]);
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 a connector that can neither say nor find out is yellow, and green only for what just came in", async () => {
    const { setState, read, pass, message } = watchAccount();
    setState("connected");
    await pass(600_000);
    expect(read()).toMatchObject({
      verdict: { health: "yellow", because: "unprovable" },
      alarms: { alarms: 0 },
    });
    message();
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 an account whose messages cannot be stored is red, whatever else it hears, until one is stored", async () => {
    const { setState, read, alive, message, pass, health } = watchAccount(heartbeat);
    setState("connected");
    alive();
    const { lastProofAt } = read();
    for (let tries = 0; tries < 10; tries++) {
      health.onSign(account, { type: "unstored" });
      await pass(4000, 1000);
      expect(read().verdict).toEqual({ health: "red", because: "not-stored" });
    }
    expect(read()).toMatchObject({ lastInboundAt: undefined, lastProofAt });
    message();
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 a message that does not come again is forgotten once the storage takes writes", async () => {
    const { setState, read, alive, pass, health } = watchAccount(heartbeat);
    setState("connected");
    health.onSign(account, { type: "unstored" });
    await pass(40_000, 1000);
    alive();
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 an account that hears but cannot send is yellow until something goes out", async () => {
    const { setState, read, alive, health } = watchAccount(heartbeat);
    setState("connected");
    alive();
    health.onDelivery(account, "failed");
    expect(read().verdict).toEqual({ health: "yellow", because: "not-delivering" });
    health.onDelivery(account, "sent");
    expect(read().verdict).toEqual({ health: "green" });
  });

  it("OBS-01 a broken account is red, and one that was taken away is forgotten", () => {
    const { setState, read, health } = watchAccount(heartbeat);
    setState("broken");
    expect(read().verdict).toEqual({ health: "red", because: "broken" });
    setState("stopped");
    expect(health.read([account])).toEqual([]);
  });

  it("OBS-01 whatever happens, green means a fresh sign, and every alarm is true, false or open", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1000, max: 90_000 }) }),
      fc.record({
        do: fc.constantFrom("alive" as const, "lose" as const, "connect" as const, "send" as const),
      }),
      fc.record({ do: fc.constant("message" as const), ageMs: fc.integer({ min: 0, max: 200_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { setState, alive, message, read, pass, health, hand } = watchAccount(heartbeat);
        setState("connected");
        let signAt = -Infinity;
        for (const one of steps) {
          if (one.do === "pass") await pass(one.ms);
          if (one.do === "lose") setState("waiting");
          if (one.do === "connect") setState("connected");
          if (one.do === "send") health.onDelivery(account, "sent");
          if (one.do === "alive") alive();
          if (one.do === "message") message(one.ageMs);
          if (one.do === "alive" || one.do === "message") signAt = hand.now();
          const { verdict, alarms } = read();
          const isFresh = hand.now() - signAt < 60_000;
          expect(verdict.health !== "green" || isFresh).toBe(true);
          const open = alarms.alarms - alarms.trueAlarms - alarms.falseAlarms;
          expect([0, 1]).toContain(open);
        }
      }),
      { numRuns: 30 },
    );
  });
});
