import { expect, it } from "vitest";
import { waitUntilBack } from "./wait-until-back.ts";

const sleep = async () => {};

it("is back when another start answers, however often nobody did before", async () => {
  const answers = ["old", null, null, "new"];
  const startedAt = async () => {
    const next = answers.shift();
    if (next === null || next === undefined) throw new Error("away");
    return next;
  };
  expect(await waitUntilBack("old", { startedAt, sleep })).toBe(true);
});

it("gives up where the same one goes on", async () => {
  expect(await waitUntilBack("old", { startedAt: async () => "old", sleep })).toBe(false);
});
