import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { pageSize } from "../../../storage/sqlite/sqlite-connection.ts";
import { inbound, noticeDraft } from "../../../storage/testing/message-samples.ts";
import type { DoctorReport } from "../run-doctor.ts";
import { checkDatabase } from "./database.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

const asides = async () => (await readdir(home.path())).filter((name) => name.startsWith("core.db.corrupt-"));

/** Zeros over the pages behind the first, as a bad disk leaves them: the file still opens. */
async function damagePages(): Promise<void> {
  const { size } = await stat(home.path("core.db"));
  const file = await open(home.path("core.db"), "r+");
  await file.write(Buffer.alloc(size - 8192, 0xa5), 0, size - 8192, 8192);
  await file.close();
}

it("is content before the first question, and makes no database by looking", async () => {
  const check = checkDatabase(home.examined);
  expect(await levelsOf(check)).toEqual(["ok"]);
  expect(await check.fix?.()).toEqual([]);
  expect((await home.examined.database()).type).toBe("absent");
});

it("counts what a healthy database holds", async () => {
  await home.talk("agent:main:main", "hello");
  expect((await findingsOf(checkDatabase(home.examined)))[0]).toMatch(/^ok sessions: 1, entries: 2/);
});

it("sets a file that is no database aside, whole, and makes a new one", async () => {
  const garbage = "garbage ".repeat(2000);
  await writeFile(home.path("core.db"), garbage, { mode: 0o600 });
  const check = checkDatabase(home.examined);
  expect(await levelsOf(check)).toEqual(["problem"]);
  expect(await asides()).toEqual([]);
  expect(await check.fix?.()).toHaveLength(2);
  const [aside = ""] = await asides();
  expect(await readFile(home.path(aside), "utf8")).toBe(garbage);
  expect(await levelsOf(check)).toEqual(["ok"]);
});

it("finds rows that belong to nothing", async () => {
  const { sessionId } = await home.talk("agent:main:main", "hello");
  const raw = new DatabaseSync(home.path("core.db"), { enableForeignKeyConstraints: false });
  raw.prepare("DELETE FROM sessions WHERE id = ?").run(sessionId);
  raw.close();
  expect((await findingsOf(checkDatabase(home.examined)))[0]).toContain("has no parent row");
});

/** A home that has lost some of its policy has one problem left that no repair may take away: its owner has to look. */
const problemsOf = ({ checks }: DoctorReport) =>
  checks.filter(({ level }) => level === "problem").map(({ id }) => id);

it("brings every session back after pages were overwritten, and reports how many", async () => {
  for (const name of ["a", "b", "c"])
    await home.talk(`agent:main:named:${name}`, "hello ".repeat(500), "again");
  await damagePages();
  const broken = await home.doctor();
  expect(broken.ok).toBe(false);
  const report = await home.doctor("fix");
  expect(report.notFixed).toEqual([]);
  expect(report.fixed.map(({ what }) => what).join("\n")).toContain(
    "sessions restored from their transcripts: 3",
  );
  expect(problemsOf(report)).toEqual(["recovery"]);
  expect(await asides()).toHaveLength(1);
});

it("does the same when the database is missing", async () => {
  await home.talk("agent:main:main", "hello");
  await rm(home.path("core.db"));
  expect((await home.doctor()).ok).toBe(false);
  const report = await home.doctor("fix");
  expect(report.notFixed).toEqual([]);
  expect(problemsOf(report)).toEqual(["recovery"]);
  expect(report.fixed.map(({ what }) => what).join("\n")).toContain(
    "sessions restored from their transcripts: 1",
  );
});

it("first saves to the transcript what only the damaged database has", async () => {
  const session = await home.talk("agent:main:main", "copied");
  const { tenant } = await home.examined.makeDatabase();
  await tenant.entries.append(session.sessionId, [
    { type: "event", name: "said", data: { text: "not copied" } },
  ]);
  await home.examined.closeDatabase();
  const raw = new DatabaseSync(home.path("core.db"), { enableForeignKeyConstraints: false });
  raw.exec(
    "INSERT INTO entries (tenant_id, session_id, seq, type, time, body_json) VALUES ('t', 'lost', 1, 'x', '', '{}')",
  );
  raw.close();
  const report = await home.doctor("fix");
  expect(report.ok).toBe(true);
  const { tenant: after } = await home.examined.makeDatabase();
  const entries = await after.entries.after(session.sessionId, 0, 10);
  expect(JSON.stringify(entries)).toContain("not copied");
  expect(entries).toHaveLength(3);
  expect(await readFile(home.examined.transcriptFile("main", session.sessionId), "utf8")).toContain(
    "not copied",
  );
});

it("fills the holes of sessions from their transcripts, and marks what no transcript has", async () => {
  const texts = Array.from({ length: 8 }, (_, index) => `said ${index + 1}`);
  const filled = await home.talk("agent:main:named:filled", ...texts);
  const torn = await home.talk("agent:main:named:torn", ...texts);
  await rm(home.examined.transcriptFile("main", torn.sessionId));
  const raw = new DatabaseSync(home.path("core.db"));
  raw.exec("DELETE FROM entries WHERE seq IN (1, 3, 4, 9)");
  // Something has to be damaged for a repair.
  raw.exec("PRAGMA foreign_keys = OFF");
  raw.exec(
    "INSERT INTO entries (tenant_id, session_id, seq, type, time, body_json) VALUES ('t', 'lost', 1, 'x', '', '{}')",
  );
  raw.close();
  const report = await home.doctor("fix");
  expect(report.ok).toBe(true);
  const fixed = report.fixed.map(({ what }) => what).join("\n");
  expect(fixed).toContain("entries of sessions that came back from their transcripts: 4");
  expect(fixed).toContain("entries of sessions that are lost: 3");
  const { tenant } = await home.examined.makeDatabase();
  const wordsOf = async ({ sessionId }: { sessionId: string }) =>
    (await tenant.entries.after(sessionId, 0, 20)).map((entry) =>
      entry.type === "event" ? (entry.data["text"] ?? entry.name) : entry.type,
    );
  expect(await wordsOf(filled)).toEqual(["session", ...texts]);
  const [one, , , four, five, six, seven] = texts;
  expect(await wordsOf(torn)).toEqual(["session", one, "entry-lost", "entry-lost", four, five, six, seven]);
  await home.examined.closeDatabase();
  expect(
    (await home.doctor()).checks.flatMap(({ findings }) => findings).filter(({ level }) => level !== "ok"),
  ).toEqual([]);
});

/** A home with an accepted message that nobody has answered, people, rules and a session. */
async function fillHome(): Promise<void> {
  await home.talk("agent:main:main", "hello ".repeat(500), "again");
  const { tenant } = await home.examined.makeDatabase();
  for (let id = 1; id <= 30; id++) {
    await tenant.inbox.accept(inbound(`m${id}`, { text: `words ${id} `.repeat(60), tenantId: "t_default" }));
    await tenant.notices.add(noticeDraft(`subject ${id}`));
  }
  await tenant.rules.add({ agentId: null, enforcement: null, text: "never run commands", setBy: "owner" });
  await home.examined.closeDatabase();
}

/** Overwrites the page that has this text last. */
async function damagePageWith(text: string): Promise<void> {
  const at = (await readFile(home.path("core.db"))).lastIndexOf(text);
  expect(at).toBeGreaterThan(0);
  const file = await open(home.path("core.db"), "r+");
  await file.write(Buffer.alloc(pageSize, 0x5a), 0, pageSize, Math.floor(at / pageSize) * pageSize);
  await file.close();
}

it("keeps every row that can be read, says before and after what is lost, and what was accepted waits on", async () => {
  await fillHome();
  await damagePageWith('{"subject":"subject 15"}');
  const before = await home.doctor();
  const told = before.checks.find(({ id }) => id === "database")?.findings.map(({ message }) => message);
  expect(told?.join("\n")).toMatch(/keeps \(rows\): .*inbox 30.*loses: notices \(at least/);
  const report = await home.doctor("fix");
  expect(report.notFixed).toEqual([]);
  const fixed = report.fixed.map(({ what }) => what).join("\n");
  expect(fixed).toMatch(/inbox 30/);
  expect(fixed).toMatch(/lost: notices \(at least/);
  const { tenant } = await home.examined.makeDatabase();
  expect(await tenant.inbox.listNew(100)).toHaveLength(30);
  expect((await tenant.rules.list()).map(({ text }) => text)).toEqual(["never run commands"]);
  const notices = await tenant.notices.list({ limit: 100 });
  expect(notices.length).toBeGreaterThan(10);
  expect(notices.length).toBeLessThan(30);
});

it("does not move a database that another process has open", async () => {
  await writeFile(home.path("core.db"), "garbage ".repeat(2000), { mode: 0o600 });
  const other = spawn(process.execPath, [
    "-e",
    `require("fs").openSync(${JSON.stringify(home.path("core.db"))}, "r"); console.log("open"); setInterval(() => {}, 1e9)`,
  ]);
  try {
    await once(other.stdout, "data");
    const report = await home.doctor("fix");
    expect(report.ok).toBe(false);
    expect(report.notFixed).toEqual([
      { id: "database", why: expect.stringContaining(`process ${other.pid}`) },
    ]);
    expect(await asides()).toEqual([]);
  } finally {
    other.kill();
  }
});
