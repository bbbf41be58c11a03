import { expect, it } from "vitest";
import { createLifetime } from "./lifetime.ts";

it("ends what was registered last first, each within its share, once", async () => {
  const ended: unknown[] = [];
  const { onEnd, end } = createLifetime();
  onEnd("first", (ms) => ended.push(["first", ms]));
  onEnd("second", (ms) => ended.push(["second", ms]), 1 / 4);
  await end(1000);
  await end(1000);
  expect(ended).toEqual([
    ["second", 250],
    ["first", 0],
  ]);
});

it("waits for each before the next one, and goes on where one fails", async () => {
  const told: unknown[] = [];
  const { onEnd, end, tellTroubleTo } = createLifetime();
  tellTroubleTo((what, error) => told.push([what, (error as Error).message]));
  onEnd("database", () => told.push("database closed"));
  onEnd("delivery", () => Promise.reject(new Error("mine")));
  onEnd("routing", async () => {
    await Promise.resolve();
    told.push("routing drained");
  });
  await end(0);
  expect(told).toEqual(["routing drained", ["delivery", "mine"], "database closed"]);
});

it("throws what nobody is told of, after everything has ended", async () => {
  let isReleased = false;
  const { onEnd, end } = createLifetime();
  onEnd("lock", () => (isReleased = true));
  onEnd("home", () => Promise.reject(new Error("mine")));
  await expect(end(0)).rejects.toThrow("mine");
  expect(isReleased).toBe(true);
});
