import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import * as doctor from "./doctor.ts";
import * as runs from "./runs.ts";

let root: string;
let environment: Record<string, string>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-doctor-"));
  environment = { HOME: root, PINCER_HOME: root, PINCER_PORT: "0" };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand(doctor, ["doctor", ...args], { environment });

it("ends with 1 while there is a problem and with 0 once it is repaired and its owner has looked", async () => {
  await writeFile(join(root, "core.db"), "garbage ".repeat(2000), { mode: 0o600 });
  await chmod(root, 0o755);
  const found = await run();
  expect(found.status).toBe(1);
  expect(found.out).toMatch(/^x {2}database: .*damaged/m);
  expect(found.out).toMatch(/^x {2}permissions: others can reach/m);
  expect(found.out).toMatch(/problems: 2, warnings: 1/);
  const repaired = await run("--fix");
  expect(repaired.status).toBe(1);
  expect(repaired.out).toContain("repaired: created a new database");
  expect(repaired.out).toMatch(/^x {2}loss: the database was lost/m);
  expect((await run("--confirm", "--yes")).status).toBe(0);
  const confirmed = await run();
  expect(confirmed.status).toBe(0);
  expect(confirmed.out.trimEnd().split("\n").at(-1)).toBe("All is well.");
});

it("prints one JSON document with every check", async () => {
  const ran = await run("--json");
  expect(ran.err).toBe("");
  const report = ran.json<{ ok: boolean; checks: Array<{ id: string; findings: unknown[] }> }>();
  expect(report.ok).toBe(true);
  expect(report.checks).toHaveLength(24);
});

it("CLI-23 explains what it finds, with what to do, why it matters, and the guide", async () => {
  await chmod(root, 0o755);
  const { out } = await run();
  expect(out).toMatch(
    /permissions: others can reach.*\n.*doctor --repair.*\n.*Why it matters: .*\n.*docs\/guides\/when-something-fails\.md/,
  );
});

it("CLI-23 shows what it would repair, and repairs only after a yes", async () => {
  await chmod(root, 0o755);
  const mode = async () => ((await stat(root)).mode & 0o777).toString(8);
  const shown = await run("--repair", "--dry-run");
  expect(shown).toMatchObject({ status: 0 });
  expect(shown.out).toContain("would be repaired: permissions: ");
  expect((await run("--dry-run", "--json")).json()).toMatchObject({
    wouldRepair: [{ id: "permissions" }, {}],
  });
  expect(await run("--fix", "--dry-run")).toMatchObject({ status: 0, out: shown.out });
  const unsure = await run("--repair");
  expect(unsure).toMatchObject({ status: 2 });
  expect(unsure.err).toContain("--yes");
  expect(await mode()).toBe("755");
  const repaired = await run("--repair", "--yes");
  expect(repaired.out).toContain("repaired: ");
  expect(await mode()).toBe("700");
  expect((await run("--repair", "--dry-run")).out).toBe("There is nothing to repair.\n");
});

it("shows colour and progress on a terminal only", async () => {
  const plain = await run();
  expect(plain.out + plain.err).not.toContain("\u001b");
  const terminal = createFakeTerminal({ outIsTerminal: true, errIsTerminal: true });
  const coloured = await runCommand(doctor, ["doctor"], { environment, terminal });
  expect(coloured.out).toContain("\u001b[32m✓\u001b[0m");
  expect(coloured.err).toContain("%");
  expect(coloured.err.endsWith("\r\u001b[K")).toBe(true);
});

it("speaks Chinese to those who do", async () => {
  const ran = await runCommand(doctor, ["doctor", "--fix"], {
    environment: { ...environment, PINCER_LANG: "zh" },
  });
  expect(ran.out).toContain("一切正常。");
});

it("stops with 130 when it is interrupted", async () => {
  const stop = new AbortController();
  stop.abort(new Error("interrupted"));
  expect((await runCommand(doctor, ["doctor"], { environment, signal: stop.signal })).status).toBe(130);
});

it("names commands as they are typed here, in its next steps and in a hint under --json", async () => {
  const typed = (text: string) => text.replaceAll(/(?<!npx )pincer(?= [a-z])/g, "npx pincer");
  await chmod(root, 0o755);
  const found = await runCommand(doctor, ["doctor"], { environment, typed });
  expect(found.out).toContain("`npx pincer doctor --repair` repairs this");
  const refused = await runCommand(runs, ["runs", "show", "nosuch", "--json"], { environment, typed });
  const { error } = refused.json<{ error: { hint: string } }>();
  expect(error.hint).toMatch(/npx pincer /);
});
