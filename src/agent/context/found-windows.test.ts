import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createFoundWindows, windowAfterRefusal } from "./found-windows.ts";

const model = { provider: "local", id: "m" };

it("COMP-02 knows what a model takes for an hour, and never more than is declared", async () => {
  const clock = createHandClock();
  const windows = createFoundWindows(clock);
  expect(windows.of(model, 128_000)).toBe(128_000);
  windows.found(model, 20_000);
  expect(windows.of(model, 128_000)).toBe(20_000);
  expect(windows.of(model, 16_000)).toBe(16_000);
  expect(windows.of({ ...model, id: "n" }, 128_000)).toBe(128_000);
  await clock.advance(3_600_000);
  expect(windows.of(model, 128_000)).toBe(128_000);
});

it("keeps no more than the last hundred models", () => {
  const windows = createFoundWindows(createHandClock());
  for (let count = 0; count <= 100; count++) windows.found({ provider: "p", id: String(count) }, 5000);
  expect(windows.of({ provider: "p", id: "0" }, 9000)).toBe(9000);
  expect(windows.of({ provider: "p", id: "1" }, 9000)).toBe(5000);
});

it("COMP-02 takes nine tenths of what was refused for the window, and leaves room to speak", () => {
  expect(windowAfterRefusal(100_000, 2000)).toBe(90_000);
  expect(windowAfterRefusal(100, 0)).toBe(4000);
  expect(windowAfterRefusal(6000, 5000)).toBe(10_000);
});
