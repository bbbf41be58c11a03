import { readdir, readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateText } from "../../../config/set-config.ts";
import { olderConfig } from "../../../config/testing/samples.ts";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkConfig } from "./config.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("is content without a file", async () => {
  expect(await findingsOf(checkConfig(home.examined))).toEqual(["ok no file; defaults are in force"]);
});

it("names file, line and key of what is wrong, and that safe mode is on", async () => {
  await home.write("config.json5", '{\n  gateway: {\n    port: "high",\n  },\n}\n');
  const findings = await checkConfig(home.examined).check();
  expect(findings.map(({ level }) => level)).toEqual(["problem", "problem"]);
  expect(findings[0]?.message).toContain("safe mode");
  expect(findings[1]?.place).toEqual({ file: home.path("config.json5"), line: 3, key: "gateway.port" });
  expect(findings[1]?.message).toContain(`${home.path("config.json5")}:3`);
});

it("never rewrites a file that cannot be read", async () => {
  await home.write("config.json5", "{ oops");
  const check = checkConfig(home.examined);
  expect(await check.fix?.()).toEqual([]);
  expect(await readFile(home.path("config.json5"), "utf8")).toBe("{ oops");
  expect(await levelsOf(check)).toEqual(["problem", "problem"]);
});

it("warns of an unknown key without touching it", async () => {
  await home.write("config.json5", "{ edtion: 'personal' }");
  const check = checkConfig(home.examined);
  expect(await levelsOf(check)).toEqual(["warning"]);
  expect(await check.fix?.()).toEqual([]);
});

it("brings old spellings up to date, keeps comments, and records the change as a migration", async () => {
  await home.write(
    "config.json5",
    "{\n  // the one I like\n  model: 'stub',\n  // stays\n  owners: ['telegram:42'],\n}\n",
  );
  const check = checkConfig(home.examined);
  expect(await levelsOf(check)).toContain("warning");
  expect(await check.fix?.()).toHaveLength(1);
  const text = await readFile(home.path("config.json5"), "utf8");
  expect(text).toContain("// stays");
  expect((await home.examined.config()).config.agents.defaults.model.primary).toBe("stub");
  expect(await levelsOf(check)).toEqual(["ok"]);
  const history = await readdir(home.path("config-history"));
  expect(history.some((name) => name.endsWith("-migration.json"))).toBe(true);
});

it("writes what `config migrate` writes: comments inside and the manner of writing stay", async () => {
  await home.write("config.json5", olderConfig);
  const check = checkConfig(home.examined);
  expect(await check.fix?.()).toHaveLength(1);
  expect(await readFile(home.path("config.json5"), "utf8")).toBe(migrateText(olderConfig));
});

it("writes an agent's id in its one spelling", async () => {
  await home.write("config.json5", "{ agents: { list: [{ id: 'Helper' /* mine */ }] } }");
  const check = checkConfig(home.examined);
  expect(await levelsOf(check)).toEqual(["warning"]);
  expect(await check.fix?.()).toHaveLength(1);
  expect(await readFile(home.path("config.json5"), "utf8")).toContain("{ id: 'helper' /* mine */ }");
  expect(await levelsOf(check)).toEqual(["ok"]);
});

it("tells of a time zone that there is none, and of names that no tool has", async () => {
  await home.write(
    "config.json5",
    "{ agents: { defaults: { userTimezone: 'Asia/Shangai' } }, tools: { visibility: [{ tools: ['raed'] }] } }",
  );
  const findings = await checkConfig(home.examined).check();
  expect(findings).toMatchObject([
    { level: "warning", message: expect.stringContaining("Asia/Shanghai"), next: expect.any(String) },
    { level: "warning", message: expect.stringContaining("raed"), next: expect.any(String) },
  ]);
});
