import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openConfigHistory } from "../config/config-history.ts";
import { systemClock } from "../infra/clock.ts";
import { newestVersion } from "../storage/schema/migrations.ts";
import { createTestHome, type TestHome } from "./doctor/testing/test-home.ts";
import { createBackupApi, type BackupApi } from "./backup-api.ts";
import { draft, inbound } from "../storage/testing/message-samples.ts";
import { createBackup } from "../storage/backups/create-backup.ts";

let home: TestHome;
let api: BackupApi;
let place: string;
const yes = async () => true;
const signal = new AbortController().signal;

beforeEach(async () => {
  home = await createTestHome();
  api = createBackupApi({ ...home.parts, version: "1.2.3", signal });
  place = home.path("..", "kept");
});
afterEach(() => home.remove());

const create = (withKey = false) => api.create({ directory: place, withKey });

const keysOf = async (): Promise<string[]> => {
  const { tenant } = await home.examined.makeDatabase();
  const page = await tenant.sessions.list({ limit: 100 });
  await home.examined.closeDatabase();
  return page.sessions.map(({ sessionKey }) => sessionKey).sort();
};

async function atAnotherHome(work: (other: TestHome, api: BackupApi) => Promise<void>): Promise<void> {
  const other = await createTestHome();
  try {
    await work(other, createBackupApi({ ...other.parts, version: "1", signal }));
  } finally {
    await other.remove();
  }
}

it("holds database, config and secrets, for its owner alone, and nothing of the workdir", async () => {
  await home.talk("agent:main:main", "hello", "again");
  await home.write("config.json5", "{ owners: ['telegram:42'] }");
  await home.examined.config();
  await home.examined.secrets.set("telegram", "a-very-secret-value");
  await home.write("workspace/notes.txt", "mine");
  const { directory, manifest } = await create();
  expect(directory).toBe(place);
  expect(manifest).toMatchObject({
    formatVersion: 1,
    pincerVersion: "1.2.3",
    database: { schemaVersion: newestVersion, sessions: 1, entries: 3 },
    withKey: false,
  });
  const names = manifest.files.map(({ name }) => name);
  expect(names).toEqual(
    [expect.stringMatching(/^config-history\//), "config.json5", "core.db", "secrets.json"].sort(),
  );
  for (const name of ["", "config-history"]) expect((await stat(join(place, name))).mode & 0o777).toBe(0o700);
  for (const name of [...names, "manifest.json"])
    expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(place, "secrets.json"), "utf8")).not.toContain("a-very-secret-value");
  expect(await api.verify(place)).toMatchObject({ ok: true, problems: [] });
});

it("has the key of the secrets only when asked to", async () => {
  await home.examined.secrets.set("telegram", "a-very-secret-value");
  const { manifest } = await create(true);
  expect(manifest.withKey).toBe(true);
  expect(await readdir(place)).toContain("secret.key");
});

it("goes to a directory of the home, named after the time, and is listed newest first", async () => {
  const first = await api.create({ directory: undefined, withKey: false });
  await home.talk("agent:main:main", "hello");
  const second = await api.create({ directory: undefined, withKey: false });
  expect(second.directory.startsWith(home.path("backups"))).toBe(true);
  await home.write("backups/.x.1.partial/core.db", "");
  await home.write("backups/notes/todo.txt", "");
  const listed = await api.list();
  expect(listed.slice(0, 2).map(({ directory }) => directory)).toEqual([second.directory, first.directory]);
  expect(
    listed
      .slice(2)
      .map(({ type }) => type)
      .sort(),
  ).toEqual(["partial", "unreadable"]);
});

it("never overwrites anything", async () => {
  await home.write("../kept/mine", "precious");
  await expect(create()).rejects.toMatchObject({ code: "backup/refused" });
  expect(await readFile(join(place, "mine"), "utf8")).toBe("precious");
});

it("leaves nothing that could be taken for a backup when it is stopped in the middle", async () => {
  await home.talk("agent:main:main", "hello");
  const { stores } = await home.examined.makeDatabase();
  const killed = createBackup({
    home: home.examined.home,
    clock: systemClock,
    version: "1",
    withKey: false,
    directory: place,
    stores: {
      async backup(file) {
        await stores.backup(file);
        throw new Error("killed");
      },
    },
  });
  await expect(killed).rejects.toThrow("killed");
  expect((await readdir(home.path(".."))).filter((name) => name.includes("kept"))).toEqual([]);
});

it("does not get its name before it is complete", async () => {
  const { stores } = await home.examined.makeDatabase();
  let during: string[] = [];
  await createBackup({
    home: home.examined.home,
    clock: systemClock,
    version: "1",
    withKey: false,
    directory: place,
    stores: {
      async backup(file) {
        during = await readdir(home.path(".."));
        await stores.backup(file);
      },
    },
  });
  expect(during).not.toContain("kept");
  expect(during.some((name) => name.endsWith(".partial"))).toBe(true);
  expect(await readdir(home.path(".."))).toEqual(["home", "kept"]);
});

it("brings everything back and leaves nothing of later date in the database", async () => {
  await home.talk("agent:main:main", "hello");
  await home.write("config.json5", "{ owners: ['telegram:42'] }");
  await home.examined.secrets.set("telegram", "first-secret-value");
  await create();
  await home.talk("agent:main:main", "later");
  await home.talk("agent:main:named:later", "later");
  await home.write("config.json5", "{ owners: ['telegram:666'] }");
  await home.examined.secrets.set("telegram", "later-secret-value");
  await home.examined.secrets.set("slack", "another-secret-value");

  const restored = await api.restore(place, yes);
  expect(restored).toMatchObject({
    config: "restored",
    secrets: "restored",
    setAside: null,
    transcriptsBehind: 0,
  });
  expect(await keysOf()).toEqual(["agent:main:main"]);
  const { stores } = await home.examined.makeDatabase();
  expect(await stores.health("full")).toMatchObject({ ok: true, sessions: 1, entries: 2 });
  expect((await home.examined.config()).config.owners).toEqual(["telegram:42"]);
  expect(await home.examined.secrets.resolve("secret:telegram")).toBe("first-secret-value");
  expect((await home.examined.secrets.list()).map(({ name }) => name)).toEqual(["telegram"]);
  const change = await openConfigHistory(home.path("config-history")).last();
  expect(change).toMatchObject({
    author: "restore",
    summary: expect.stringContaining("restore the backup of"),
  });
});

it("MEM-11 throws the index of what was said away: it would find what the restored home never heard", async () => {
  await home.talk("agent:main:main", "hello");
  await create();
  await writeFile(home.path("index.db"), "words said since");
  await api.restore(place, yes);
  await expect(stat(home.path("index.db"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("keeps the state before, so that a restore can itself be undone", async () => {
  await home.talk("agent:main:main", "hello");
  await create();
  await home.talk("agent:main:named:later", "later");
  const restored = await api.restore(place, yes);
  expect(restored?.before.startsWith(home.path("backups", "before-restore-"))).toBe(true);
  expect(await api.verify(restored?.before ?? "")).toMatchObject({ ok: true });
  await api.restore(restored?.before ?? "", yes);
  expect(await keysOf()).toEqual(["agent:main:main", "agent:main:named:later"]);
});

it("makes the transcripts follow: the doctor finds nothing to bring back", async () => {
  const session = await home.talk("agent:main:main", "hello");
  const file = home.examined.transcriptFile("main", session.sessionId);
  const before = await readFile(file, "utf8");
  await create();
  await home.talk("agent:main:main", "later");
  await home.talk("agent:main:named:later", "later");
  expect(await api.restore(place, yes)).toMatchObject({ transcriptsSetAside: 1 });
  expect(await readFile(file, "utf8")).toBe(before);
  const report = await home.doctor();
  expect(report.checks.filter(({ level }) => level !== "ok")).toEqual([]);
  await home.talk("agent:main:main", "anew");
  expect((await home.doctor()).checks.filter(({ level }) => level !== "ok")).toEqual([]);
});

it("is seen by a process that has the database open, which then goes on", async () => {
  const { sessionId } = await home.talk("agent:main:main", "hello");
  await create();
  const { tenant } = await home.examined.makeDatabase();
  await tenant.entries.append(sessionId, [{ type: "event", name: "said", data: { text: "later" } }]);
  await api.restore(place, yes);
  expect((await tenant.sessions.get(sessionId))?.lastSeq).toBe(2);
  await tenant.entries.append(sessionId, [{ type: "event", name: "said", data: { text: "anew" } }]);
  expect((await tenant.sessions.get(sessionId))?.lastSeq).toBe(3);
});

it("comes back into a home that has lost its database", async () => {
  await home.talk("agent:main:main", "hello");
  await create();
  await rm(home.path("core.db"));
  expect(await api.restore(place, yes)).toMatchObject({ manifest: { database: { sessions: 1 } } });
  expect(await keysOf()).toEqual(["agent:main:main"]);
});

it("sets a damaged database aside and comes back all the same", async () => {
  await home.talk("agent:main:main", "hello");
  await create();
  await writeFile(home.path("core.db"), "garbage ".repeat(2000));
  const restored = await api.restore(place, yes);
  expect(restored?.setAside).toContain("core.db.corrupt-");
  expect(await readFile(restored?.setAside ?? "", "utf8")).toContain("garbage");
  expect(await keysOf()).toEqual(["agent:main:main"]);
});

it("comes back on another machine, history and key included", async () => {
  await home.talk("agent:main:main", "hello");
  await home.write("config.json5", "{ owners: ['telegram:42'] }");
  await home.examined.config();
  await home.examined.secrets.set("telegram", "first-secret-value");
  await create(true);
  await atAnotherHome(async (other, otherApi) => {
    await other.examined.secrets.set("mine", "made-with-another-key");
    const restored = await otherApi.restore(place, yes);
    expect(restored).toMatchObject({ config: "restored", secrets: "restored" });
    expect(await other.examined.secrets.resolve("secret:telegram")).toBe("first-secret-value");
    expect((await openConfigHistory(other.path("config-history")).list()).length).toBeGreaterThan(0);
    // The state before has the other key, since that was replaced.
    await otherApi.restore(restored?.before ?? "", yes);
    expect(await other.examined.secrets.resolve("secret:mine")).toBe("made-with-another-key");
  });
});

it("brings back what sessions with memory remember, and leaves what others remember", async () => {
  await home.talk("agent:main:main", "hello");
  await home.write("memory/agent=3amain=3a会话.md", "We chose blue.");
  await create();
  await atAnotherHome(async (other, otherApi) => {
    await other.write("memory/agent=3amain=3a会话.md", "We chose red.");
    await other.write("memory/other.md", "mine");
    await otherApi.restore(place, yes);
    expect(await readFile(other.path("memory/agent=3amain=3a会话.md"), "utf8")).toBe("We chose blue.");
    expect(await readFile(other.path("memory/other.md"), "utf8")).toBe("mine");
  });
});

it("keeps the present secrets where the key that is here does not open those of the backup", async () => {
  await home.examined.secrets.set("telegram", "first-secret-value");
  await create();
  await atAnotherHome(async (other, otherApi) => {
    await other.examined.secrets.set("mine", "made-with-another-key");
    expect(await otherApi.restore(place, yes)).toMatchObject({ secrets: "kept" });
    expect(await other.examined.secrets.resolve("secret:mine")).toBe("made-with-another-key");
  });
});

it("brings secrets without their key where there are none to keep, and says that they are locked", async () => {
  await home.examined.secrets.set("telegram", "first-secret-value");
  await create();
  await atAnotherHome(async (other, otherApi) => {
    expect(await otherApi.restore(place, yes)).toMatchObject({ secrets: "locked" });
    await other.write("secret.key", await readFile(home.path("secret.key"), "utf8"));
    expect(await other.examined.secrets.resolve("secret:telegram")).toBe("first-secret-value");
  });
});

it("leaves the present key and secrets alone when the backup has a key but no secrets", async () => {
  await home.write("secret.key", "of somebody without secrets");
  await create(true);
  await atAnotherHome(async (other, otherApi) => {
    await other.examined.secrets.set("mine", "made-with-another-key");
    expect(await otherApi.restore(place, yes)).toMatchObject({ secrets: "not-in-backup" });
    expect(await other.examined.secrets.resolve("secret:mine")).toBe("made-with-another-key");
  });
});

it("changes nothing without a yes, and nothing when the backup is damaged", async () => {
  await home.talk("agent:main:main", "hello");
  await create();
  await home.talk("agent:main:named:later", "later");
  expect(await api.restore(place, async () => false)).toBeUndefined();
  await chmod(join(place, "core.db"), 0o600);
  const bytes = await readFile(join(place, "core.db"));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(join(place, "core.db"), bytes);
  await expect(api.restore(place, yes)).rejects.toMatchObject({ code: "backup/invalid" });
  expect(await keysOf()).toEqual(["agent:main:main", "agent:main:named:later"]);
  expect(await api.list()).toEqual([]);
});

it("what was waiting then is held, and nobody does it again unasked", async () => {
  const { tenant } = await home.examined.makeDatabase();
  await tenant.inbox.accept(inbound("m1", { tenantId: "t_default", workspaceId: "w_default" }));
  await tenant.outbox.enqueue([draft("sent since")]);
  await home.examined.closeDatabase();
  await create();
  const restored = await api.restore(place, yes);
  expect(restored?.held).toEqual({ turns: 1, sends: 1 });
  const after = (await home.examined.makeDatabase()).tenant;
  expect(await after.backlogs.read()).toMatchObject({ inbox: { count: 0 }, outbox: [], deadLetters: 1 });
  const [notice] = await after.notices.list({ limit: 1 });
  expect(notice?.text.key).toBe("notice.held-restore");
});

it("counts which rules are gone with it, and who is in again, and says so in a notice", async () => {
  const rule = { enforcement: null, agentId: null, setBy: "owner" };
  const bob = { channel: "telegram", accountId: null, senderId: "9" };
  const scope = { type: "tenant" } as const;
  const token = { kind: "token", role: "viewer", name: "script", scope, way: "code" } as const;
  let { tenant } = await home.examined.makeDatabase();
  await tenant.rules.add({ ...rule, text: "be brief" });
  await tenant.pairing.allow([{ ...bob, by: "owner" }]);
  const put = await tenant.access.put({ ...token, createdBy: "o", expiresAt: null, secretDigest: "d" });
  await home.examined.closeDatabase();
  await create();
  ({ tenant } = await home.examined.makeDatabase());
  await tenant.rules.add({ ...rule, text: "never send mail" });
  await tenant.pairing.revoke(bob);
  await tenant.access.revoke(put.type === "stored" ? put.access.id : "", "owner");
  await home.examined.closeDatabase();

  const counts = { rulesGone: 1, rulesBack: 0, ownersBack: 0, peopleBack: 1, accessBack: 1, grantsBack: 0 };
  expect((await api.restore(place, yes))?.policy).toEqual(counts);
  const after = (await home.examined.makeDatabase()).tenant;
  const [notice] = await after.notices.list({ limit: 1 });
  expect(notice?.text).toMatchObject({ key: "notice.policy-restored", parameters: counts });
  await home.examined.closeDatabase();

  // Nothing has changed since.
  expect(Object.values((await api.restore(place, yes))?.policy ?? { none: 1 })).toEqual([0, 0, 0, 0, 0, 0]);
});

it("says that nobody knows what differs where the policy of before cannot be read", async () => {
  const { tenant } = await home.examined.makeDatabase();
  await tenant.rules.add({ enforcement: null, agentId: null, setBy: "owner", text: "be brief" });
  await home.examined.closeDatabase();
  await create();
  await rm(home.path("policy-copy.jsonl"));
  await atAnotherHome(async (other, otherApi) => {
    expect((await otherApi.restore(place, yes))?.policy).toBeNull();
    const after = (await other.examined.makeDatabase()).tenant;
    const [notice] = await after.notices.list({ limit: 1 });
    expect(notice?.text.key).toBe("notice.policy-restored-unknown");
  });
});
