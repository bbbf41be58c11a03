import { rmdir, stat } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkWorkdir } from "./workdir.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
  await home.write(
    "config.json5",
    JSON.stringify({ agents: { defaults: { workspace: home.path("work") } } }),
  );
});
afterEach(() => home.remove());

it("makes a missing workdir, and only when asked to", async () => {
  const check = checkWorkdir(home.examined);
  expect(await levelsOf(check)).toEqual(["warning"]);
  await expect(stat(home.path("work"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(await check.fix?.()).toEqual([`${home.path("work")} was made`]);
  expect(await levelsOf(check)).toEqual(["ok"]);
  await rmdir(home.path("work"));
});

it("says that a file in its place is a problem", async () => {
  await home.write("work", "mine");
  const check = checkWorkdir(home.examined);
  expect(await levelsOf(check)).toEqual(["problem"]);
  expect(await check.fix?.()).toEqual([]);
});
