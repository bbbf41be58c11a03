import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkNode } from "./node.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it.each([
  ["20.19.0", "problem"],
  ["24.0.0", "ok"],
  ["26.1.0", "ok"],
])("judges Node %s as %s", async (version, level) => {
  expect(await levelsOf(checkNode(home.examined, version))).toEqual([level]);
});
