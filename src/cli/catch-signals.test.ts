import { EventEmitter } from "node:events";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { catchSignals } from "./catch-signals.ts";

function createSource() {
  const killed: unknown[] = [];
  const source = Object.assign(new EventEmitter(), {
    pid: 7,
    kill: (...args: unknown[]) => Boolean(killed.push(args)),
  });
  const clock = createHandClock();
  const signal = catchSignals(source as unknown as NodeJS.Process, clock);
  return { send: (name: NodeJS.Signals) => source.emit(name, name), killed, clock, signal };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("lets what runs come to its end on %s", (name) => {
  const { send, signal, killed } = createSource();
  expect(signal.aborted).toBe(false);
  expect(send(name)).toBe(true);
  expect(signal.aborted).toBe(true);
  expect(killed).toEqual([]);
});

it("counts a signal that a process gets twice as one, and gives way if the user insists", async () => {
  const { send, killed, clock } = createSource();
  send("SIGTERM");
  send("SIGTERM");
  expect(killed).toEqual([]);
  await clock.advance(600);
  send("SIGTERM");
  expect(killed).toEqual([[7, "SIGTERM"]]);
  // From here on nobody listens: the system does what it does.
  expect(send("SIGTERM")).toBe(false);
});
