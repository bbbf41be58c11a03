import { afterEach, describe, expect, it } from "vitest";
import { PincerError } from "./errors.ts";
import type { ReceivedMessage } from "./inbound-message.ts";
import { createIntake } from "./intake.ts";
import { createPace } from "./pace.ts";
import { createHandClock, createRecordingHost } from "./testing/index.ts";

const message = (id: string): ReceivedMessage => ({
  peer: { kind: "user", id: "ann" },
  sender: { id: "ann" },
  message: { type: "text", id, text: id, attachments: [], mentioned: true },
  timestamp: 0,
});

describe("the intake", () => {
  const closing: AbortController[] = [];
  afterEach(() => {
    for (const controller of closing.splice(0)) controller.abort();
  });
  function stage() {
    const clock = createHandClock();
    const host = createRecordingHost({ clock });
    const controller = new AbortController();
    closing.push(controller);
    const flow: boolean[] = [];
    const intake = createIntake(host, { signal: controller.signal, onFlow: (isOpen) => flow.push(isOpen) });
    return { clock, host, controller, flow, intake };
  }
  const idsOf = (messages: ReceivedMessage[]) => messages.map((each) => each.message.id);

  it("PROTO-11 stores in order, and again what could not be stored", async () => {
    const { clock, host, intake } = stage();
    host.refuse = new Error("the disk is full");
    for (const id of ["1", "2", "3"]) intake.push(message(id));
    await host.untilDelivered(1);
    await expect.poll(() => clock.sleeping()).toBe(1);
    // Those behind it can be told that they wait.
    expect(host.delayed).toEqual(["2", "3"]);
    await clock.advance(500);
    expect(idsOf(host.deliveries)).toEqual(["1", "1"]);
    host.refuse = undefined;
    await clock.advance(1000);
    await host.until(3);
    expect(idsOf(host.received)).toEqual(["1", "2", "3"]);
  });

  it("skips what is never taken", async () => {
    const { host, intake } = stage();
    host.refuse = new PincerError("usage/bad-argument", "too long");
    intake.push(message("1"));
    await host.untilDelivered(1);
    host.refuse = undefined;
    intake.push(message("2"));
    await host.until(1);
    expect(idsOf(host.deliveries)).toEqual(["1", "2"]);
    expect(host.logged[0]).toContain("message 1 was not stored");
  });

  it("lets the network wait where too many do, and go on when they are few", async () => {
    const { clock, host, flow, intake } = stage();
    host.refuse = new Error("the disk is full");
    for (let id = 1; id <= 250; id++) intake.push(message(String(id)));
    expect(flow).toEqual([false]);
    await expect.poll(() => clock.sleeping()).toBe(1);
    host.refuse = undefined;
    await clock.advance(500);
    await host.until(250);
    await expect.poll(() => flow).toEqual([false, true]);
  });

  it("takes nothing after its connection", async () => {
    const { clock, host, controller, intake } = stage();
    host.refuse = new Error("the disk is full");
    intake.push(message("1"));
    await expect.poll(() => clock.sleeping()).toBe(1);
    controller.abort();
    host.refuse = undefined;
    intake.push(message("2"));
    await clock.advance(60_000);
    expect(host.received).toEqual([]);
  });
});

describe("a pace", () => {
  it("lets the first few go at once, and one after the other then", async () => {
    const clock = createHandClock();
    const pace = createPace(clock, { everyMs: 1000, burst: 3 });
    const { signal } = new AbortController();
    const gone: number[] = [];
    const start = clock.now();
    const all = Array.from({ length: 5 }, () => pace.take(signal).then(() => gone.push(clock.now() - start)));
    const refusal = expect.objectContaining({ code: "rate-limited", retryAfterMs: 3000 });
    expect(() => pace.assertWithin(2999)).toThrow(refusal);
    expect(() => pace.assertWithin(3000)).not.toThrow();
    await expect.poll(() => gone).toHaveLength(3);
    await clock.advance(2000);
    await Promise.all(all);
    expect(gone).toEqual([0, 0, 0, 1000, 2000]);
    await clock.advance(10_000);
    expect(() => pace.assertWithin(0)).not.toThrow();
    await expect(pace.take(AbortSignal.abort(new Error("no longer")))).rejects.toThrow("no longer");
  });
});
