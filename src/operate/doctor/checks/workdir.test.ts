import { mkdir, rmdir, stat } from "node:fs/promises";
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
  expect(await check.fix?.()).toEqual([`created ${home.path("work")}`]);
  expect(await levelsOf(check)).toEqual(["ok"]);
  await rmdir(home.path("work"));
});

it("says that a file in its place is a problem", async () => {
  await home.write("work", "mine");
  const check = checkWorkdir(home.examined);
  expect(await levelsOf(check)).toEqual(["problem"]);
  expect(await check.fix?.()).toEqual([]);
});

it("SAFE-05 warns of a workdir that lies inside another agent's, and not of one that two share", async () => {
  const agents = {
    defaults: { workspace: home.path("work") },
    list: [
      { id: "inner", workspace: home.path("work", "sub") },
      { id: "same", workspace: home.path("work") },
      { id: "beside", workspace: home.path("work-2") },
    ],
  };
  await home.write("config.json5", JSON.stringify({ agents }));
  await mkdir(home.path("work", "sub"), { recursive: true });
  const findings = await checkWorkdir(home.examined).check();
  const warnings = findings.filter(({ level }) => level === "warning").map(({ message }) => message);
  expect(warnings.map((message) => /of (\w+) .* that of (\w+) /.exec(message)?.slice(1))).toEqual([
    ["inner", "main"],
    ["inner", "same"],
  ]);
});
