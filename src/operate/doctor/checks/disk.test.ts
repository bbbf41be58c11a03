import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { freeBytes } from "../../../storage/home/free-bytes.ts";
import { checkDisk } from "./disk.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

const megabyte = 1024 * 1024;

it.each([
  [199 * megabyte, "problem"],
  [200 * megabyte, "warning"],
  [1023 * megabyte, "warning"],
  [1024 * megabyte, "ok"],
])("with %d bytes free the disk is judged %s", async (bytes, level) => {
  expect(await levelsOf(checkDisk(home.examined, async () => bytes))).toEqual([level]);
});

it("asks the disk of the nearest directory when the home does not exist yet", async () => {
  expect(await freeBytes(home.path("not", "yet"))).toBeGreaterThan(0);
});
