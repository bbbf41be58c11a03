import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { createHandClock } from "@pincer/sdk/testing";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  oneof,
  property,
  record,
  tuple,
} from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import type { Stores } from "../storage.ts";
import { createPolicyKeeper, forgetPolicyCopy, policyTables, type PolicyBack } from "./keep-policy.ts";
import { appendChanges, cutPolicyFile, readPolicyFile, writeWhole } from "./policy-file.ts";

let directory: string;
let file: string;
let copy: string;
let stores: Stores | undefined;
let back: Array<PolicyBack & { isNew: boolean }>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-policy-"));
  file = join(directory, "core.db");
  copy = join(directory, "policy-copy.jsonl");
  back = [];
});
afterEach(async () => {
  await stores?.close();
  stores = undefined;
  rmSync(directory, { recursive: true });
});

async function open() {
  await stores?.close();
  const clock = createHandClock();
  stores = await openSqliteStores({
    file,
    clock,
    ids: createIds(clock.now),
    policyCopy: copy,
    onPolicyBack: (each) => back.push(each),
  });
  return stores.tenant("acme");
}

const rule = (text: string) => ({ text, enforcement: null, agentId: null, setBy: "cli:owner" });
const textsOf = async (tenant: Awaited<ReturnType<typeof open>>) =>
  (await tenant.rules.list()).map(({ text }) => text);
const sender = (senderId: string) => ({ channel: "telegram", accountId: "bot", senderId });
const keysOf = (table: string) => (table === "rule_counters" ? ["tenant_id"] : ["tenant_id", "id"]);
function readCopy(keys = keysOf) {
  const found = readPolicyFile(copy, keys);
  return typeof found === "object" ? found : undefined;
}
const inCopy = (table: string) => readCopy()?.rows.get(table) ?? [];

async function fill() {
  const tenant = await open();
  await tenant.rules.add(rule("never run commands"));
  await tenant.pairing.allow([{ ...sender("42"), by: "owner" }]);
  await tenant.gate.accept({ agentId: "main", path: "/w/AGENTS.md", hash: "a1", by: "cli:owner", text: "x" });
  await tenant.access.put({
    kind: "token",
    role: "viewer",
    name: "script",
    scope: { type: "tenant" },
    secretDigest: "digest-of-the-token",
    way: "token",
    createdBy: "cli:owner",
    expiresAt: null,
  });
  return tenant;
}

describe("the copy of the policy", () => {
  it("brings rules, people and ways in back when the database is gone, and says so first", async () => {
    await fill();
    await stores?.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    const tenant = await open();
    expect(back).toMatchObject([
      { isNew: true, changes: 4, rows: { standing_rules: 1, allowed_senders: 1, gate_accepted: 1 } },
    ]);
    expect(await textsOf(tenant)).toEqual(["never run commands"]);
    expect(await tenant.pairing.isAllowed(sender("42"))).toBe(true);
    expect((await tenant.access.list({})).map(({ name }) => name)).toEqual(["script"]);
    expect(await tenant.gate.listAccepted("main")).toMatchObject([{ path: "/w/AGENTS.md", hash: "a1" }]);
    expect((await tenant.rules.add(rule("second"))).rule.id).toBe(2);
    await open();
    expect(back).toHaveLength(1);
  });

  it("brings back what a lost log had, and forgets what the log had removed", async () => {
    await fill();
    await stores?.close();
    copyFileSync(file, `${file}.old`);
    const tenant = await open();
    await tenant.rules.add(rule("after"));
    await tenant.pairing.revoke(sender("42"));
    await stores?.close();
    copyFileSync(`${file}.old`, file);
    const again = await open();
    expect(back).toMatchObject([{ isNew: false, changes: 2 }]);
    expect(await textsOf(again)).toEqual(["never run commands", "after"]);
    expect(await again.pairing.isAllowed(sender("42"))).toBe(false);
  });

  it("a change is in it before anybody hears that it was made", async () => {
    const tenant = await open();
    expect(existsSync(copy)).toBe(false);
    await tenant.rules.add(rule("first"));
    expect(inCopy("standing_rules")).toMatchObject([{ text: "first" }]);
    await tenant.rules.remove(1, "cli:owner");
    expect(inCopy("standing_rules")).toEqual([]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("a change that a crash cut off after the copy was written is done again", async () => {
    await fill();
    await stores?.close();
    const number = readCopy()?.number ?? 0;
    const row = { ...inCopy("standing_rules")[0], id: 2, text: "in between" };
    const counter = { tenant_id: "acme", last_id: 2, version: 2 };
    appendChanges(copy, number + 1, [
      { type: "put", table: "standing_rules", row },
      { type: "remove", table: "rule_counters", key: { tenant_id: "acme" } },
      { type: "put", table: "rule_counters", row: counter },
    ]);
    appendFileSync(copy, "half a li");
    const tenant = await open();
    expect(back).toMatchObject([{ isNew: false, changes: 1 }]);
    expect(await textsOf(tenant)).toEqual(["never run commands", "in between"]);
    await tenant.rules.add(rule("whole again"));
    expect(inCopy("standing_rules")).toHaveLength(3);
  });

  it("a copy that another version has left behind is written anew: the database counts", async () => {
    await fill();
    await stores?.close();
    const clock = createHandClock();
    const without = await openSqliteStores({ file, clock, ids: createIds(clock.now) });
    await without.tenant("acme").rules.add(rule("by an older Pincer"));
    await without.close();
    const tenant = await open();
    expect(back).toEqual([]);
    expect(await textsOf(tenant)).toEqual(["never run commands", "by an older Pincer"]);
    expect(inCopy("standing_rules")).toHaveLength(2);
  });

  it("a database of an earlier version or of a backup, which has no copy, gets one that is ahead of a new database", async () => {
    await fill();
    await stores?.close();
    rmSync(copy);
    forgetPolicyCopy(file);
    await open();
    expect(back).toEqual([]);
    await stores?.close();
    for (const suffix of ["", "-wal", "-shm", "-open"]) rmSync(`${file}${suffix}`, { force: true });
    const tenant = await open();
    expect(back).toMatchObject([{ isNew: true, rows: { standing_rules: 1, allowed_senders: 1, access: 1 } }]);
    expect(await textsOf(tenant)).toEqual(["never run commands"]);
  });

  it("a change that was undone is not in it", async () => {
    const tenant = await fill();
    const before = readFileSync(copy, "utf8");
    const crowd = ["1", "2"].map((id) => ({ ...sender(id), by: "owner" }));
    const broken = { ...sender("3"), by: null as unknown as string };
    await expect(tenant.pairing.allow([...crowd, broken])).rejects.toThrow("NOT NULL");
    expect(readFileSync(copy, "utf8")).toBe(before);
  });

  it("whatever is added and removed, it holds what the database holds", async () => {
    const tenant = await open();
    await assert(
      asyncProperty(array(tuple(boolean(), nat(5)), { maxLength: 12 }), async (steps) => {
        for (const [isAdded, each] of steps) {
          if (isAdded) await tenant.pairing.allow([{ ...sender(`${each}`), by: "owner" }]);
          else await tenant.pairing.revoke(sender(`${each}`));
        }
        const kept = readCopy(() => ["tenant_id", "channel", "sender_id", "every_account", "account_id"]);
        const allowed = await tenant.pairing.listAllowed({});
        expect((kept?.rows.get("allowed_senders") ?? []).map((row) => row["sender_id"]).sort()).toEqual(
          allowed.map(({ senderId }) => senderId).sort(),
        );
      }),
      { numRuns: 20 },
    );
  });

  it("a line that is damaged is told, whoever is ahead, and the damaged copy is kept", async () => {
    await fill();
    await stores?.close();
    const lines = readFileSync(copy, "utf8").split("\n");
    writeFileSync(copy, [lines[0]?.replace("number", "nXmber"), ...lines.slice(1)].join("\n"));
    const damaged = readFileSync(copy, "utf8");
    const tenant = await open();
    expect(back).toMatchObject([{ isNew: false, changes: 0, unreadable: 1 }]);
    expect(await textsOf(tenant)).toEqual(["never run commands"]);
    expect(readFileSync(`${copy}.damaged`, "utf8")).toBe(damaged);
    expect(inCopy("standing_rules")).toHaveLength(1);
    await open();
    expect(back).toHaveLength(1);
  });

  it("a copy of which nothing can be believed is told, and written anew", async () => {
    await fill();
    await stores?.close();
    writeFileSync(copy, "garbage\n");
    await open();
    expect(back).toMatchObject([{ unreadable: 1 }]);
    expect(inCopy("standing_rules")).toHaveLength(1);
  });

  it("what becomes of it while it is in use is mended with the next change", async () => {
    const tenant = await fill();
    const ways = {
      gone: () => rmSync(copy),
      torn: () => appendFileSync(copy, "half a li"),
      damaged: () => writeFileSync(copy, readFileSync(copy, "utf8").replace("number", "nXmber")),
    };
    for (const [name, spoil] of Object.entries(ways)) {
      spoil();
      await tenant.rules.add(rule(`after it was ${name}`));
      expect(inCopy("standing_rules").map(({ text }) => text)).toEqual(await textsOf(tenant));
    }
  });
});

describe("two who keep one copy", () => {
  const tables = policyTables
    .map((table) => `CREATE TABLE ${table} (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;`)
    .join("\n");
  const open: DatabaseSync[] = [];
  afterEach(() => open.splice(0).forEach((connection) => connection.close()));

  function keeperOf() {
    const connection = new DatabaseSync(file);
    open.push(connection);
    const keeper = createPolicyKeeper({ connection, file: copy });
    const told: PolicyBack[] = [];
    const change = (text: string) =>
      connection
        .prepare("INSERT OR REPLACE INTO standing_rules (id, text) VALUES (?, ?)")
        .run(text[0] ?? "", text);
    return {
      connection,
      keeper,
      told,
      begin: () => keeper.begin((each) => told.push(each)),
      /** As a transaction does it; `undone` as one whose commit fails, `by itself` if SQLite has undone it before. */
      write(text: string, end: "committed" | "undone" | "undone by itself") {
        connection.exec("BEGIN IMMEDIATE");
        if (text.startsWith("-"))
          connection.prepare("DELETE FROM standing_rules WHERE id = ?").run(text[1] ?? "");
        else change(text);
        keeper.flush();
        if (end === "undone") keeper.forget();
        connection.exec(end === "committed" ? "COMMIT" : "ROLLBACK");
        if (end === "committed") keeper.committed();
        else if (end === "undone by itself") keeper.forget();
      },
      rows: () =>
        connection
          .prepare("SELECT id, text FROM standing_rules ORDER BY id")
          .all()
          .map((row) => ({ ...row })),
    };
  }
  const tear = () => (existsSync(copy) ? appendFileSync(copy, "half a li") : undefined);
  const kept = () => {
    const found = readPolicyFile(copy, () => ["id"]);
    if (typeof found !== "object") return found;
    const rows = (found.rows.get("standing_rules") ?? []).toSorted((a, b) =>
      `${a["id"]}` < `${b["id"]}` ? -1 : 1,
    );
    return { unreadable: found.unreadable, rows };
  };

  it("whatever is changed and undone by whom, and whatever becomes of the copy, it is what the database is", () => {
    const step = oneof(
      record({
        who: nat(1),
        text: constantFrom("a", "b", "c", "a again", "-a", "-b"),
        end: constantFrom("committed", "undone", "undone by itself"),
      }),
      constantFrom("deleted", "torn", "opened"),
    );
    assert(
      property(array(step, { maxLength: 14 }), (steps) => {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
        for (const suffix of ["", ".before", ".damaged"]) rmSync(`${copy}${suffix}`, { force: true });
        const first = keeperOf();
        first.connection.exec(`PRAGMA journal_mode = WAL; ${tables}`);
        const both = [first, keeperOf()];
        for (const each of both) each.begin();
        const acknowledged = new Map<string, string>();
        const wrong: unknown[] = [];
        for (const each of steps) {
          if (each === "deleted") rmSync(copy, { force: true });
          else if (each === "torn") tear();
          else if (each === "opened") {
            // One that is gone is told of.
            if (!existsSync(copy)) continue;
            const third = keeperOf();
            third.begin();
            wrong.push(...third.told);
          } else {
            both[each.who]?.write(each.text, each.end);
            if (each.end !== "committed") continue;
            if (each.text.startsWith("-")) acknowledged.delete(each.text.slice(1));
            else acknowledged.set(each.text.slice(0, 1), each.text);
            const whole = { unreadable: 0, rows: first.rows() };
            if (existsSync(copy) && !isDeepStrictEqual(kept(), whole)) wrong.push(kept());
          }
        }
        const rows = [...acknowledged].toSorted().map(([id, text]) => ({ id, text }));
        expect([wrong, first.rows()]).toEqual([[], rows]);
        for (const connection of open.splice(0)) connection.close();
        const last = keeperOf();
        last.begin();
        expect(last.rows()).toEqual(rows);
        for (const connection of open.splice(0)) connection.close();
      }),
      { numRuns: 60 },
    );
  });

  it("whoever opens it waits for a change that is under way, instead of doing it again", () => {
    const first = keeperOf();
    first.connection.exec(`PRAGMA journal_mode = WAL; ${tables}`);
    first.begin();
    first.write("a", "committed");
    first.connection.exec("BEGIN IMMEDIATE; INSERT INTO standing_rules (id, text) VALUES ('b', 'b')");
    first.keeper.flush();
    const second = keeperOf();
    expect(() => second.begin()).toThrow("locked");
    first.keeper.forget();
    first.connection.exec("ROLLBACK");
    second.begin();
    expect([second.told, second.rows()]).toEqual([[], [{ id: "a", text: "a" }]]);
  });

  it("a copy that is replaced is never gone, and is there again when the change is undone", () => {
    const first = keeperOf();
    first.connection.exec(`PRAGMA journal_mode = WAL; ${tables}`);
    first.begin();
    first.write("a", "committed");
    tear();
    const torn = readFileSync(copy, "utf8");
    writeFileSync(`${copy}.before`, "left by a crash");
    first.connection.exec("BEGIN IMMEDIATE; INSERT INTO standing_rules (id, text) VALUES ('b', 'b')");
    first.keeper.flush();
    expect(readFileSync(`${copy}.before`, "utf8")).toBe(torn);
    expect(kept()).toMatchObject({ rows: [{ id: "a" }, { id: "b" }] });
    first.keeper.forget();
    first.connection.exec("ROLLBACK");
    expect(readFileSync(copy, "utf8")).toBe(torn);
    // Where the new one cannot be put in its place, the old one still is.
    mkdirSync(`${copy}.before`);
    first.connection.exec("BEGIN IMMEDIATE; INSERT INTO standing_rules (id, text) VALUES ('b', 'b')");
    expect(() => first.keeper.flush()).toThrow(/directory/i);
    first.keeper.forget();
    first.connection.exec("ROLLBACK");
    rmSync(`${copy}.before`, { recursive: true, force: true });
    expect(kept()).toMatchObject({ rows: [{ id: "a" }] });
  });

  it.skipIf(process.platform === "win32")("a disk that takes only a part leaves the copy as it was", () => {
    writeWhole(copy, { number: 1, rows: new Map([["standing_rules", [{ id: "a", text: "kept" }]]]) });
    const before = readFileSync(copy, "utf8");
    const module = JSON.stringify(new URL("policy-file.ts", import.meta.url).href);
    const rows = `new Map([["standing_rules", [{ id: "a", text: "x".repeat(5000) }]]])`;
    const changes = `[{ type: "put", table: "standing_rules", row: { id: "a", text: "x".repeat(5000) } }]`;
    for (const work of [
      `writeWhole(${JSON.stringify(copy)}, { number: 2, rows: ${rows} })`,
      `appendChanges(${JSON.stringify(copy)}, 2, ${changes})`,
    ]) {
      const script = `process.on("SIGXFSZ", () => {}); const { appendChanges, writeWhole } = await import(${module}); try { ${work}; console.log("done"); } catch (error) { console.log(error.code); }`;
      // No file may grow beyond four blocks of 512 bytes.
      const limited = ["-c", `ulimit -f 4; exec "$0" --input-type=module -e "$1"`, process.execPath, script];
      expect(spawnSync("sh", limited, { encoding: "utf8" }).stdout.trim()).toBe("EFBIG");
      cutPolicyFile(copy, Buffer.byteLength(before));
      expect(readFileSync(copy, "utf8")).toBe(before);
    }
  });
});
