import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createSpanSender, type SendSpans } from "./span-sender.ts";
import type { Span } from "./span.ts";

/** As many as may wait. */
const mostWaiting = 2048;

const span = (id: number): Span => ({
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: String(id).padStart(16, "0"),
  parentSpanId: undefined,
  name: "core_run",
  kind: "internal",
  startMs: 0,
  endMs: 1,
  attributes: {},
  error: undefined,
});

const spans = (count: number, from = 0) => Array.from({ length: count }, (_unused, at) => span(from + at));

function makeSender(send: SendSpans) {
  const clock = createHandClock();
  const troubles: unknown[] = [];
  const sender = createSpanSender({ send, clock, onTrouble: (error) => troubles.push(error) });
  return { clock, sender, troubles };
}

describe("what brings spans to a collector", () => {
  it("OBS-05 makes one request of what comes together", async () => {
    const sent: number[] = [];
    const { clock, sender } = makeSender(async (batch) => {
      sent.push(batch.length);
      return "taken";
    });
    sender.add(spans(3));
    sender.add(spans(2, 3));
    await clock.advance(2000);
    expect(sent).toEqual([5]);
    expect(sender.waiting()).toBe(0);
  });

  it("OBS-05 while the collector is down it holds a limited number, the newest, and continues when it is back", async () => {
    let isDown = true;
    const taken: string[] = [];
    const { clock, sender, troubles } = makeSender(async (batch) => {
      if (isDown) throw new Error("connect ECONNREFUSED");
      taken.push(...batch.map(({ spanId }) => spanId));
      return "taken";
    });
    for (let round = 0; round < 50; round++) {
      sender.add(spans(100, round * 100));
      await clock.advance(10_000);
    }
    expect(sender.waiting()).toBe(mostWaiting);
    expect(sender.dropped()).toBe(5000 - mostWaiting);
    expect(troubles).toHaveLength(1);
    isDown = false;
    await clock.advance(61_000);
    expect(sender.waiting()).toBe(0);
    expect(taken).toHaveLength(mostWaiting);
    expect(taken.at(-1)).toBe(span(4999).spanId);
  });

  it("OBS-05 does not offer again what the collector refuses for good", async () => {
    let requests = 0;
    const { clock, sender } = makeSender(async () => {
      requests++;
      return "never";
    });
    sender.add(spans(2));
    await clock.advance(120_000);
    expect(requests).toBe(1);
    expect(sender.dropped()).toBe(2);
  });

  it("OBS-05 gives a collector that never answers up, and keeps the spans for the next try", async () => {
    let isHanging = true;
    const { clock, sender } = makeSender((_batch, signal) =>
      isHanging
        ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve("taken"),
    );
    sender.add(spans(1));
    await clock.advance(2000 + 10_000);
    isHanging = false;
    expect(sender.waiting()).toBe(1);
    await clock.advance(2000);
    expect(sender.waiting()).toBe(0);
  });

  it("OBS-05 sends what is there when it closes, and waits no longer than it is told to", async () => {
    const sent: number[] = [];
    const quick = makeSender(async (batch) => {
      sent.push(batch.length);
      return "taken";
    });
    quick.sender.add(spans(4));
    await quick.sender.close(1000);
    expect(sent).toEqual([4]);
    quick.sender.add(spans(1));
    expect(quick.sender.waiting()).toBe(0);

    const slow = makeSender(
      (_batch, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    slow.sender.add(spans(1));
    const closing = slow.sender.close(500);
    await new Promise((resolve) => setImmediate(resolve));
    await slow.clock.advance(500);
    await closing;
    expect(slow.troubles).toHaveLength(0);
  });
});
