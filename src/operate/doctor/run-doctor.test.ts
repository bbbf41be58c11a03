import { chmod, readdir, readFile, rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runDoctor } from "./run-doctor.ts";
import { createTestHome, type TestHome } from "./testing/test-home.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("finds a home in use to be well, and every check says something", async () => {
  await home.talk("agent:main:main", "hello");
  const report = await home.doctor();
  expect(report).toMatchObject({ ok: true, fixed: [], notFixed: [] });
  expect(report.checks.map(({ id }) => id)).toEqual([
    "node",
    "home",
    "disk",
    "permissions",
    "config",
    "secrets",
    "credentials",
    "direct-messages",
    "model",
    "reach",
    "clock",
    "workdir",
    "sandbox",
    "prompt-files",
    "database",
    "recovery",
    "sessions",
    "transcripts",
    "leases",
    "audit",
    "port",
    "service",
    "channels",
    "leftovers",
  ]);
  expect(report.checks.every(({ findings }) => findings.length > 0)).toBe(true);
});

it("leaves a home that does not exist as it is", async () => {
  await home.remove();
  expect((await home.doctor()).ok).toBe(true);
  await expect(readdir(home.path())).rejects.toMatchObject({ code: "ENOENT" });
});

it("repairs several things at once, each resting on the one before, and checks again", async () => {
  await home.talk("agent:main:main", "hello");
  await rm(home.path("core.db"));
  await rm(home.path("workspace"), { recursive: true });
  await chmod(home.path(), 0o755);
  await home.write("config.json5", "{ model: 'stub' }");
  expect((await home.doctor()).ok).toBe(false);
  const report = await home.doctor("fix");
  // Whether there is a sandbox depends on the machine that this runs on. That a database was lost is for the owner to confirm.
  const known = new Set(["sandbox", "recovery"]);
  expect(report.checks.filter(({ id, level }) => level !== "ok" && !known.has(id))).toEqual([]);
  expect(report.checks.find(({ id }) => id === "recovery")?.level).toBe("problem");
  expect(new Set(report.fixed.map(({ id }) => id))).toEqual(
    new Set(["permissions", "config", "workdir", "database", "sessions"]),
  );
  expect((await home.doctor("fix")).fixed).toEqual([]);
});

it("changes no file of a home in use when it only looks", async () => {
  const { sessionId } = await home.talk("agent:main:main", "hello");
  const file = home.examined.transcriptFile("main", sessionId);
  const before = await readFile(file, "utf8");
  await home.doctor();
  expect(await readFile(file, "utf8")).toBe(before);
  expect((await readdir(home.path())).sort()).toEqual(["agents", "core.db", "workspace"]);
});

it("works beside others that are writing to the same home", async () => {
  const { sessionId } = await home.talk("agent:main:main", "hello");
  const { tenant } = await home.examined.makeDatabase();
  const checking = home.doctor();
  for (let count = 0; count < 50; count++) {
    await tenant.entries.append(sessionId, [{ type: "event", name: "said", data: { count } }]);
  }
  await checking;
  const { stores } = await home.examined.makeDatabase();
  expect(await stores.health("full")).toMatchObject({ ok: true, entries: 52 });
});

it("stops when it is told to", async () => {
  const stop = new AbortController();
  stop.abort(new Error("interrupted"));
  await expect(runDoctor(home.parts, { fix: true, signal: stop.signal })).rejects.toThrow("interrupted");
});

it("counts a repair that failed as a problem, and says why", async () => {
  await home.talk("agent:main:main", "hello");
  await rm(home.path("agents"), { recursive: true });
  await home.write("agents", "in the way");
  const report = await home.doctor("fix");
  expect(report.ok).toBe(false);
  expect(report.notFixed).toMatchObject([{ id: "transcripts" }]);
  const transcripts = report.checks.find(({ id }) => id === "transcripts");
  expect(transcripts).toMatchObject({
    level: "problem",
    findings: [{ level: "problem", message: expect.stringMatching(/^not repaired: /) }, { level: "warning" }],
  });
});

it("leaves nothing open to others that it makes itself while it looks", async () => {
  await home.talk("agent:main:main", "hello");
  await chmod(home.path("core.db"), 0o000);
  const report = await home.doctor("fix");
  expect(report.checks.find(({ id }) => id === "permissions")?.level).toBe("ok");
});
