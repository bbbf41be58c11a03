import { stat, writeFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkHome } from "./home.ts";

let home: TestHome;
afterEach(() => home.remove());

it("makes a missing home for its owner alone, and only when asked to", async () => {
  home = await createTestHome({ made: false });
  const check = checkHome(home.examined);
  expect(await levelsOf(check)).toEqual(["warning"]);
  await expect(stat(home.path())).rejects.toMatchObject({ code: "ENOENT" });
  expect(await check.fix?.()).toEqual([`created ${home.path()}`]);
  expect((await stat(home.path())).mode & 0o777).toBe(0o700);
  expect(await levelsOf(check)).toEqual(["ok"]);
  expect(await check.fix?.()).toEqual([]);
});

it("says that a file in the home's place is a problem and leaves it alone", async () => {
  home = await createTestHome({ made: false });
  await writeFile(home.path(), "mine");
  const check = checkHome(home.examined);
  expect(await levelsOf(check)).toEqual(["problem"]);
  expect(await check.fix?.()).toEqual([]);
  expect((await stat(home.path())).isFile()).toBe(true);
});
