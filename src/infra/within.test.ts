import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { within } from "./within.ts";

const never = new Promise<string>(() => {});

it("settles as the work does when that is in time, and leaves no timer behind", async () => {
  const clock = createHandClock();
  expect(await within(clock, 100, Promise.resolve("done"))).toBe("done");
  await expect(within(clock, 100, Promise.reject(new Error("mine")))).rejects.toThrow("mine");
  expect(clock.sleeping()).toBe(0);
});

it("ends with undefined, or as it is told, when the time is up", async () => {
  const clock = createHandClock();
  const outcomes = [
    within(clock, 100, never),
    within(clock, 100, never, () => "late"),
    within(clock, 100, never, () => {
      throw new Error("too late");
    }).catch((error: Error) => error.message),
  ];
  await clock.advance(100);
  expect(await Promise.all(outcomes)).toEqual([undefined, "late", "too late"]);
});

it("hears nothing of work that fails later", async () => {
  const clock = createHandClock();
  const work = Promise.withResolvers<string>();
  const outcome = within(clock, 100, work.promise);
  await clock.advance(100);
  expect(await outcome).toBeUndefined();
  work.reject(new Error("nobody hears this"));
  await Promise.resolve();
});
