import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEventLoopWatch } from "./event-loop.ts";

let stop: AbortController;
beforeEach(() => (stop = new AbortController()));
afterEach(() => stop.abort());

describe("the watch over the event loop", () => {
  it("PROTO-07 says that everything stood still, for a while after it goes on", async () => {
    const clock = createHandClock();
    let stalledMs = 0;
    const loop = createEventLoopWatch({ clock, elapsed: () => clock.now() + stalledMs });
    void loop.watch(stop.signal);
    await clock.advance(20_000);
    expect(loop.isStuck()).toBe(false);
    stalledMs += 7000;
    await clock.advance(4000);
    // The very first who asks is told, before anybody has looked.
    expect(loop.isStuck()).toBe(true);
    await clock.advance(3000);
    expect(loop.isStuck()).toBe(true);
    await clock.advance(20_000);
    expect(loop.isStuck()).toBe(false);
  });

  it("OBS-02 measures by how much the process is late", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const loop = createEventLoopWatch({
      clock: { ...createHandClock(), sleep: () => ended.then(() => Promise.reject(new Error("over"))) },
    });
    const watching = loop.watch(new AbortController().signal);
    // The timer of the system has to have begun before it can be late.
    for (let turn = 0; turn < 4; turn++) await new Promise((done) => setTimeout(done, 25));
    const until = performance.now() + 120;
    while (performance.now() < until) Math.sqrt(until);
    await new Promise((done) => setTimeout(done, 25));
    expect(loop.read().maxMs).toBeGreaterThan(60);
    resolve();
    await watching;
  });
});
