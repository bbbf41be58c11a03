import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loseDatabase, losePolicyCopy } from "./damage-home.ts";
import { createRandom } from "./random.ts";
import { makeProveHome } from "./prove-home.ts";
import { findMissingPolicy } from "./prove-policy.ts";

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "pincer-policy-"))));
afterEach(() => rmSync(directory, { recursive: true }));

it("finds the policy that was set, also when it has come back from its copy, and misses all of it without one", async () => {
  const manner = { mode: "steer", debounceMs: 0, streaming: "off" } as const;
  const { home } = await makeProveHome(directory, manner);
  expect(await findMissingPolicy(home)).toEqual([]);
  loseDatabase(home, "truncated", createRandom(1));
  expect(await findMissingPolicy(home)).toEqual([]);
  loseDatabase(home, "truncated", createRandom(1));
  losePolicyCopy(home);
  expect(await findMissingPolicy(home)).toHaveLength(7);
});
