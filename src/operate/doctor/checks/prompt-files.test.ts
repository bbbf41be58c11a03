import { mkdir, symlink, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkPromptFiles } from "./prompt-files.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("is content with files that can be used, and without any", async () => {
  const check = checkPromptFiles(home.examined);
  expect(await findingsOf(check)).toEqual([`ok ${home.path("workspace")}`]);
  await home.write("workspace/SOUL.md", "Be warm.");
  expect(await findingsOf(check)).toEqual([`ok ${home.path("workspace")}`]);
});

it("names what the assistant is not told because the file cannot be used, in every workdir", async () => {
  const other = home.path("..", "other");
  await mkdir(other);
  await home.write(
    "config.json5",
    JSON.stringify({ agents: { list: [{ id: "helper", workspace: other }] } }),
  );
  await writeFile(home.path("workspace/SOUL.md"), Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xc4, 0xe3]));
  await symlink("/etc/hostname", `${other}/USER.md`);
  const findings = await findingsOf(checkPromptFiles(home.examined));
  expect(findings).toEqual([
    expect.stringMatching(/^warning .*workspace\/SOUL\.md.*UTF-8/),
    expect.stringMatching(/^warning .*other\/USER\.md/),
  ]);
});

it("tells of skills that the config names and that are not there", async () => {
  await home.write("workspace/skills/tea.md", "---\nname: tea\ndescription: Makes tea.\n---\nBoil.\n");
  const context = { strategy: "custom", includeSkills: ["tea", "taa"] };
  await home.write("config.json5", JSON.stringify({ agents: { defaults: { context } } }));
  expect(await findingsOf(checkPromptFiles(home.examined))).toEqual([
    expect.stringMatching(/^warning .*the skill taa, which does not exist/),
  ]);
});
