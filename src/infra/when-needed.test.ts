import { expect, it } from "vitest";
import { whenNeeded } from "./when-needed.ts";

it("is made once, for all who ask meanwhile and afterwards", async () => {
  let made = 0;
  const need = whenNeeded(async () => ++made);
  expect(made).toBe(0);
  expect(await Promise.all([need(), need()])).toEqual([1, 1]);
  expect(await need()).toBe(1);
});

it("is tried again by the next one where it could not be made, and told to all who waited", async () => {
  let tries = 0;
  const need = whenNeeded(async () => {
    if (++tries === 1) throw new Error("too many open files");
    return tries;
  });
  const [first, second] = [need(), need()];
  await expect(first).rejects.toThrow("too many open files");
  await expect(second).rejects.toThrow("too many open files");
  expect(await need()).toBe(2);
});
