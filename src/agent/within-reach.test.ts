import { createHandClock } from "@pincer/sdk/testing";
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { withinReach } from "./within-reach.ts";

function reach(running: Promise<string>) {
  const clock = createHandClock();
  const stop = new AbortController();
  const outcome = withinReach(running, { clock, signal: stop.signal }, () => "left behind");
  const rest = () => ({
    timers: clock.sleeping(),
    listeners: getEventListeners(stop.signal, "abort").length,
  });
  return { clock, stop, outcome, rest };
}

const nothing = { timers: 0, listeners: 0 };

it("waits as long as it takes where nobody stops it, and leaves nothing behind", async () => {
  const running = Promise.withResolvers<string>();
  const { clock, outcome, rest } = reach(running.promise);
  await clock.advance(1_000_000);
  running.resolve("done");
  expect(await outcome).toBe("done");
  expect(rest()).toEqual(nothing);
  const failing = reach(Promise.reject(new Error("broken")));
  await expect(failing.outcome).rejects.toThrow("broken");
  expect(failing.rest()).toEqual(nothing);
});

it("LOOP-07 gives what was stopped a moment to end, and leaves behind what does not", async () => {
  const heeding = Promise.withResolvers<string>();
  const first = reach(heeding.promise);
  first.stop.abort();
  await first.clock.advance(149);
  heeding.resolve("done");
  expect(await first.outcome).toBe("done");
  expect(first.rest()).toEqual(nothing);
  const second = reach(new Promise(() => {}));
  second.stop.abort();
  await second.clock.advance(150);
  expect(await second.outcome).toBe("left behind");
  expect(second.rest()).toEqual(nothing);
});
