import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkGuards } from "./check-guards.ts";

it("notices each guard that is taken out of the product", async () => {
  const results = await checkGuards({ root: fileURLToPath(new URL("..", import.meta.url)) });
  expect(results.filter(({ outcome }) => outcome !== "noticed")).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});
