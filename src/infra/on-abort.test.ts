import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { onAbort } from "./on-abort.ts";

it("calls once, when the signal aborts", () => {
  const calls: string[] = [];
  const stop = new AbortController();
  onAbort(stop.signal, () => calls.push("one"));
  onAbort(stop.signal, () => calls.push("other"));
  expect(calls).toEqual([]);
  stop.abort();
  stop.abort();
  expect(calls).toEqual(["one", "other"]);
});

it("calls nobody who has taken it back, and leaves nothing on the signal", () => {
  const calls: string[] = [];
  const stop = new AbortController();
  const takeBack = onAbort(stop.signal, () => calls.push("never"));
  takeBack();
  takeBack();
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  stop.abort();
  expect(calls).toEqual([]);
});
