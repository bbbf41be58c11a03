import { chmod, stat, symlink } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkPermissions } from "./permissions.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

const modeOf = async (...names: string[]) => (await stat(home.path(...names))).mode & 0o777;

it("finds what others can read and closes it: directories 0700, files 0600", async () => {
  await home.talk("agent:main:main", "hello");
  await chmod(home.path("core.db"), 0o644);
  await chmod(home.path("agents", "main"), 0o755);
  const check = checkPermissions(home.examined);
  expect(await findingsOf(check)).toEqual([
    `problem others can reach ${home.path("agents", "main")} (mode 0755 instead of 0700)`,
    `problem others can reach ${home.path("core.db")} (mode 0644 instead of 0600)`,
  ]);
  expect(await check.fix?.()).toEqual(["files and directories now readable only by their owner: 2"]);
  expect(await modeOf("core.db")).toBe(0o600);
  expect(await modeOf("agents", "main")).toBe(0o700);
  expect(await findingsOf(check)).toEqual(["ok nobody else can read the home"]);
});

it("closes the home itself", async () => {
  await chmod(home.path(), 0o755);
  await checkPermissions(home.examined).fix?.();
  expect(await modeOf()).toBe(0o700);
});

it("leaves the workdir and what links point at alone", async () => {
  await chmod(home.path("workspace"), 0o755);
  await home.write("../outside", "not ours");
  await chmod(home.path("../outside"), 0o644);
  await symlink(home.path("../outside"), home.path("link"));
  const check = checkPermissions(home.examined);
  expect(await findingsOf(check)).toEqual(["ok nobody else can read the home"]);
  expect(await check.fix?.()).toEqual([]);
  expect(await modeOf("workspace")).toBe(0o755);
  expect(await modeOf("../outside")).toBe(0o644);
});

it("leaves the cache alone, where Node writes with modes of its own", async () => {
  await home.write("cache/code/v24/compiled", "");
  await chmod(home.path("cache", "code"), 0o755);
  await chmod(home.path("cache", "code", "v24", "compiled"), 0o644);
  expect(await findingsOf(checkPermissions(home.examined))).toEqual(["ok nobody else can read the home"]);
});

it("names the first few and counts the rest", async () => {
  for (let index = 0; index < 8; index++) {
    await home.write(`logs/${index}`, "");
    await chmod(home.path("logs", String(index)), 0o640);
  }
  const findings = await findingsOf(checkPermissions(home.examined));
  expect(findings).toHaveLength(6);
  expect(findings.at(-1)).toBe("problem more files and directories like these: 3");
});
