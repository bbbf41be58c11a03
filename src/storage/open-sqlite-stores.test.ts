import type { EntryBody, ToolCallBlock } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, renameSync, statSync } from "node:fs";
import { chown, mkdir, mkdtemp, open as openFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { newestVersion } from "./schema/migrations.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";
import type { Stores } from "./storage.ts";
import { noJudge, someCall, someHolder } from "./testing/add-usage.ts";
import { parkFor, question, waitingTurn, yes } from "./testing/approval-samples.ts";
import { withoutCards, withoutGate } from "./testing/older-schema.ts";
import { claim, draft, inbound, queue, takeFence } from "./testing/message-samples.ts";
import { holder, request, say } from "./testing/samples.ts";
import type { Fdatasync } from "./sqlite/wal-file.ts";

const runFile = promisify(execFile);
const appendProcess = join(import.meta.dirname, "testing", "append-process.ts");

let root: string;
let file: string;
let opened: Stores[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-sqlite-"));
  file = join(root, "home", "core.db");
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await rm(root, { recursive: true, force: true });
});

async function open(fdatasync?: Fdatasync): Promise<Stores> {
  const parts = { file, clock: createHandClock(), ids: createIds() };
  const stores = await openSqliteStores(fdatasync ? { ...parts, fdatasync } : parts);
  opened.push(stores);
  return stores;
}

/** Looks at the database the way another program would. */
function query(sql: string): Array<Record<string, unknown>> {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const columnsOf = (table: string) =>
  query(`SELECT name FROM pragma_table_info('${table}')`).map((row) => row["name"]);

const refused = { state: "refused", reason: "test" } as const;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Makes the audit log what it was before version 6. */
const withoutAuditChain = [
  "DROP TABLE audit_logs",
  `CREATE TABLE audit_logs (id TEXT NOT NULL, tenant_id TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    resource_type TEXT NOT NULL, resource_id TEXT NOT NULL, metadata_json TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id))`,
  "CREATE INDEX audit_logs_recent ON audit_logs (tenant_id, created_at, id)",
  "CREATE INDEX audit_logs_of_resource ON audit_logs (tenant_id, resource_id, created_at, id)",
];

describe("the file", () => {
  it("is for its owner alone, like its directory and the files beside it", async () => {
    const stores = await open();
    await stores.tenant("acme").sessions.open(request("main"));
    expect(modeOf(join(root, "home"))).toBe("700");
    for (const suffix of ["", "-wal", "-shm"]) expect(modeOf(`${file}${suffix}`)).toBe("600");
  });

  it("is closed to others when it was open to them", async () => {
    await (await open()).close();
    chmodSync(file, 0o644);
    await open();
    expect(modeOf(file)).toBe("600");
    expect(modeOf(`${file}-wal`)).toBe("600");
  });

  it("SESS-08 has everything after it was closed and opened again", async () => {
    const first = await open();
    const { session } = await first.tenant("acme").sessions.open(request("main"));
    const appended = await first.tenant("acme").entries.append(session.sessionId, [say("hello")]);
    await first.close();
    expect(await readdir(join(root, "home"))).toEqual(["core.db"]);

    const second = (await open()).tenant("acme");
    expect(await second.entries.after(session.sessionId, 1, 9)).toEqual(appended);
    expect((await second.sessions.open(request("main"))).created).toBe(false);
  });

  it("refuses verbs after it was closed", async () => {
    const stores = await open();
    const { sessions } = stores.tenant("acme");
    await stores.close();
    const closed = { code: "storage/unavailable" };
    await expect(sessions.get("s_1")).rejects.toMatchObject(closed);
    await expect(sessions.open(request("main"))).rejects.toMatchObject(closed);
    expect(await stores.health("quick")).toMatchObject({ ok: false });
  });

  it("says storage/corrupt and how to mend it when it is no database", async () => {
    await mkdir(join(root, "home"));
    await writeFile(file, "this was never a database, not even a little bit".repeat(100));
    await expect(open()).rejects.toMatchObject({
      code: "storage/corrupt",
      hint: expect.stringContaining("pincer doctor --fix"),
    });
  });

  it("finds damage inside when asked to look", async () => {
    const stores = await open();
    const { sessions, entries } = stores.tenant("acme");
    const { session } = await sessions.open(request("main"));
    await entries.append(
      session.sessionId,
      Array.from({ length: 200 }, (_, index) => say(`${index} `.repeat(200))),
    );
    await stores.close();
    // Three pages behind the middle, where the entries lie, overwritten; the file is closed, so it may be opened here.
    const middle = Math.floor((statSync(file).size / 4096) * 0.75);
    const handle = await openFile(file, "r+");
    await handle.write(Buffer.alloc(3 * 4096, 0xa5), 0, 3 * 4096, middle * 4096);
    await handle.close();
    const health = await (await open()).health("full");
    expect(health.ok).toBe(false);
    expect(health.problems.length).toBeGreaterThan(0);
  });

  it("says storage/unavailable when there is no way to the file", async () => {
    await writeFile(join(root, "home"), "a file where the directory should be");
    await expect(open()).rejects.toMatchObject({ code: "storage/unavailable", cause: expect.any(Error) });
    file = root;
    await expect(open()).rejects.toMatchObject({ code: "storage/unavailable" });
  });

  it("says storage/unavailable in a read-only directory", async () => {
    await mkdir(join(root, "home"), { mode: 0o500 });
    await asOrdinaryUser([root, join(root, "home")], async () => {
      await expect(open()).rejects.toMatchObject({ code: "storage/unavailable" });
    });
  });
});

describe("the schema", () => {
  it("is made once and taken as it is afterwards", async () => {
    await (await open()).close();
    const before = query("SELECT version, name, applied_at FROM schema_migrations");
    expect(before).toEqual(
      Array.from({ length: newestVersion }, (_, index) => ({
        version: index + 1,
        name: expect.any(String),
        applied_at: "2026-01-01T12:00:00.000Z",
      })),
    );
    await (await open()).close();
    expect(query("SELECT version, name, applied_at FROM schema_migrations")).toEqual(before);
  });

  it("is brought up from version 1 with everything that was in it", async () => {
    const first = (await open()).tenant("acme");
    const { session } = await first.sessions.open(request("main"));
    const { session: compacted } = await first.sessions.open(request("long"));
    await first.entries.append(compacted.sessionId, [
      say("a"),
      { type: "compaction", summary: "a", keepFrom: 3 },
      say("b"),
    ]);
    const all = { before: 99, limit: 99 };
    const seen = await first.entries.view(compacted.sessionId, all);
    for (const stores of opened.splice(0)) await stores.close();
    const names = query(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    ).map((row) => String(row["name"]));
    const old = [
      "schema_migrations",
      "tenants",
      "workspaces",
      "agents",
      "sessions",
      "entries",
      "leases",
      "audit_logs",
    ];
    for (const name of names.filter((one) => !old.includes(one))) query(`DROP TABLE ${name}`);
    query("DROP INDEX sessions_of_key");
    for (const statement of withoutAuditChain) query(statement);
    query("ALTER TABLE sessions DROP COLUMN settings_json");
    query("DELETE FROM schema_migrations WHERE version > 1");

    const stores = await open();
    expect(await stores.health("full")).toMatchObject({
      ok: true,
      schemaVersion: newestVersion,
      sessions: 2,
    });
    const tenant = stores.tenant("acme");
    expect(seen.mark).toMatchObject({ type: "compaction" });
    expect(await tenant.entries.view(compacted.sessionId, all)).toEqual(seen);
    expect((await tenant.inbox.accept(inbound("1"))).type).toBe("stored");
    expect(await tenant.sessions.findActive("w1", "main")).toEqual(session);
  });

  it("is brought up from version 4 with its sessions, and what was on its way in and out", async () => {
    const first = (await open()).tenant("acme");
    const turn = await queue(first, "1");
    const { session } = await claim(first, turn.turnId, await takeFence(first));
    const [row] = await first.inbox.settle((await first.inbox.accept(inbound("2"))).row.id, refused, [
      draft("no"),
    ]);
    for (const stores of opened.splice(0)) await stores.close();
    for (const statement of [
      "DROP TABLE approvals",
      "DROP TABLE grants",
      "DROP INDEX turns_waiting",
      "ALTER TABLE outbox DROP COLUMN actions_json",
      "ALTER TABLE sessions DROP COLUMN settings_json",
      "DROP TABLE access",
      "DROP TABLE passkeys",
      "DROP TABLE device_requests",
      "DROP TABLE gateway_ids",
      "DROP TABLE audit_heads",
      ...withoutAuditChain,
      ...withoutGate,
      ...withoutAsked,
      "DELETE FROM schema_migrations WHERE version > 4",
    ])
      query(statement);

    const stores = await open();
    expect(await stores.health("full")).toMatchObject({ ok: true, schemaVersion: newestVersion });
    const tenant = stores.tenant("acme");
    expect(await tenant.sessions.get(session.sessionId)).toEqual(session);
    expect(await tenant.outbox.head(row?.conversation ?? "")).toEqual(row);
    const fence = await takeFence(tenant);
    await claim(tenant, turn.turnId, fence);
    const { id } = await parkFor(tenant, turn.turnId, fence);
    expect(await tenant.approvals.answer(id, yes)).toMatchObject({ turn: { turnId: turn.turnId } });
  });

  it("MODEL-05 is brought up from version 7, whose totals held what was under way, and counts that once", async () => {
    const before = (await open()).tenant("acme");
    const estimate = { input: 90, output: 0, cacheRead: 0, cacheWrite: 0, total: 90, cost: 0.5 };
    const call = { ...someCall({ usage: estimate }), isUnpriced: false, holder: someHolder() };
    await before.usage.open(call, noJudge);
    for (const stores of opened.splice(0)) await stores.close();
    for (const [scope, key] of [
      ["turn", "r_1"],
      ["session", "s_1"],
      ["agent-day", "2026-01-01 main"],
      ["day", "2026-01-01"],
      ["month", "2026-01"],
    ])
      query(`INSERT INTO usage_totals (tenant_id, scope, key, calls, input, total, cost)
        VALUES ('acme', '${scope}', '${key}', 1, 90, 90, 0.5)`);
    for (const sql of [...withoutGate, ...withoutAsked, ...withoutCards]) query(sql);
    query("DELETE FROM schema_migrations WHERE version > 7");

    const { usage } = (await open()).tenant("acme");
    const scopes = [
      { type: "turn", turnId: "r_1" },
      { type: "session", sessionId: "s_1" },
      { type: "agent-day", agentId: "main", day: "2026-01-01" },
      { type: "day", day: "2026-01-01" },
      { type: "month", month: "2026-01" },
    ] as const;
    const counted = { calls: 1, input: 90, total: 90, cost: 0.5 };
    for (const scope of scopes) expect(await usage.totals(scope)).toMatchObject(counted);
    expect(await usage.loseGone(() => true)).toBe(1);
    for (const scope of scopes) expect(await usage.totals(scope)).toMatchObject({ ...counted, failures: 1 });
  });

  it("is brought up from version 9, and knows nothing of files that are older", async () => {
    const clock = createHandClock();
    const before = (await open()).tenant("acme");
    await before.directory.ensure({
      tenant: { name: "acme", plan: "personal" },
      workspace: { id: "w1", name: "default" },
      agent: { id: "main", name: "main" },
    });
    expect(await before.gate.historyAt("/w/a", 0)).toBe("known");
    for (const stores of opened.splice(0)) await stores.close();
    for (const sql of [...withoutGate, ...withoutCards]) query(sql);
    query("DELETE FROM schema_migrations WHERE version > 9");

    const { gate } = (await open()).tenant("acme");
    expect(await gate.historyAt("/w/a", 0)).toBe("unrecorded");
    expect(await gate.historyAt("/w/a", clock.now())).toBe("unrecorded");
    expect(await gate.historyAt("/w/a", clock.now() + 1000)).toBe("known");
    expect(await gate.spendBits({ agentId: "main", day: "2026-01-01", bits: 64, limit: 64 })).toBe(true);
  });

  it("SAFE-02 is brought up from version 9: a turn that waits goes on and asks again, and no old yes runs anything", async () => {
    const before = (await open()).tenant("acme");
    const waiting = await waitingTurn(before, "1", { question: { reason: "because" } });
    const answered = await before.approvals.ask(question(waiting.turnId, { callId: "call_2" }));
    await before.approvals.answer(answered.id, { ...yes, scope: "task" });
    const kept = await before.approvals.ask(question("r_other", { keys: { recipient: "bob" } }));
    await before.approvals.answer(kept.id, { ...yes, scope: "recipient" });
    for (const stores of opened.splice(0)) await stores.close();
    for (const sql of [...withoutGate, ...withoutCards]) query(sql);
    query("DELETE FROM schema_migrations WHERE version > 9");

    const { approvals, turns } = (await open()).tenant("acme");
    expect(await turns.get(waiting.turnId)).toMatchObject({ state: "queued" });
    for (const { id } of [waiting.approval, answered]) {
      expect(await approvals.get(id)).toMatchObject({ id, state: "withdrawn" });
      expect(await approvals.spend(id)).toBe(false);
    }
    expect(await approvals.get(waiting.approval.id)).not.toHaveProperty("reasons");
    expect(await approvals.list({ limit: 9, taskId: waiting.turnId })).toHaveLength(2);
    const again = await approvals.ask(question(waiting.turnId, { reason: "because" }));
    expect(again).toMatchObject({ state: "pending" });
    expect(again.id).not.toBe(waiting.approval.id);
    // What was granted for good stays.
    expect(await approvals.grants({ agentId: "main", turnId: waiting.turnId })).toMatchObject([
      { scope: "recipient", key: "bob" },
    ]);
  });

  it("is refused, untouched, when a newer Pincer made it", async () => {
    await (await open()).close();
    query("INSERT INTO schema_migrations VALUES (999, 'from the future', '2030-01-01T00:00:00.000Z')");
    await expect(open()).rejects.toMatchObject({
      code: "storage/too-new",
      hint: expect.stringContaining("Upgrade"),
    });
    expect(await readdir(join(root, "home"))).toEqual(["core.db"]);
  });

  it.each([
    ["STORE-02", "tenants", ["id", "name", "status", "plan"]],
    ["STORE-03", "workspaces", ["id", "tenant_id", "name", "status"]],
    [
      "STORE-04",
      "agents",
      ["id", "tenant_id", "workspace_id", "name", "model_policy_json", "tool_policy_json", "status"],
    ],
    [
      "STORE-05",
      "sessions",
      [
        "id",
        "tenant_id",
        "agent_id",
        "session_key",
        "channel",
        "peer_key",
        "thread_key",
        "state",
        "updated_at",
      ],
    ],
    [
      "STORE-06",
      "messages",
      [
        "id",
        "session_id",
        "tenant_id",
        "role",
        "content_json",
        "token_input",
        "token_output",
        "cost",
        "created_at",
      ],
    ],
    [
      "STORE-07",
      "tool_runs",
      [
        "id",
        "session_id",
        "tenant_id",
        "run_id",
        "tool_name",
        "args_json",
        "result_json",
        "status",
        "created_at",
      ],
    ],
    [
      "STORE-08",
      "audit_logs",
      ["id", "tenant_id", "actor", "action", "resource_type", "resource_id", "metadata_json", "created_at"],
    ],
  ])("%s has %s with its columns", async (_, table, columns) => {
    await open();
    expect(columnsOf(table)).toEqual(expect.arrayContaining(columns));
  });

  it("TEN-01 has tenant_id on every table", async () => {
    await open();
    const tables = query(
      `SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
      AND name NOT IN ('schema_migrations', 'tenants') AND name NOT LIKE 'sqlite_%'`,
    ).map((row) => String(row["name"]));
    expect(tables.length).toBeGreaterThanOrEqual(7);
    expect(tables.filter((table) => !columnsOf(table).includes("tenant_id"))).toEqual([]);
  });

  it("STORE-05 keeps where a session comes from in columns of its own", async () => {
    const origin = { channel: "telegram", accountId: "bot", peerKey: "42", threadKey: "7" };
    await (await open()).tenant("acme").sessions.open(request("main", { origin }));
    expect(query("SELECT channel, account_id, peer_key, thread_key FROM sessions")).toEqual([
      { channel: "telegram", account_id: "bot", peer_key: "42", thread_key: "7" },
    ]);
  });

  it("STORE-06 shows messages with their tokens and cost", async () => {
    const { sessions, entries } = (await open()).tenant("acme");
    const { session } = await sessions.open(request("main"));
    await entries.append(session.sessionId, [say("hi"), say("hello", "assistant")]);
    const content = (text: string) => JSON.stringify([{ type: "text", text }]);
    const common = {
      session_id: session.sessionId,
      tenant_id: "acme",
      created_at: "2026-01-01T12:00:00.000Z",
    };
    expect(query("SELECT * FROM messages ORDER BY id")).toEqual([
      {
        ...common,
        id: `${session.sessionId}:2`,
        role: "user",
        content_json: content("hi"),
        token_input: null,
        token_output: null,
        cost: null,
      },
      {
        ...common,
        id: `${session.sessionId}:3`,
        role: "assistant",
        content_json: content("hello"),
        token_input: 10,
        token_output: 5,
        cost: 0.25,
      },
    ]);
  });

  it("STORE-07 shows each tool call with its own result, also when ids repeat", async () => {
    const { sessions, entries } = (await open()).tenant("acme");
    const { session } = await sessions.open(request("main"));
    const base = say("calling", "assistant");
    if (base.type !== "message" || base.message.role !== "assistant") throw new Error("unreachable");
    const { message } = base;
    const call = (id: string, name: string): ToolCallBlock => ({
      type: "toolCall",
      id,
      name,
      arguments: { path: "." },
    });
    const calls = (...content: ToolCallBlock[]): EntryBody => ({ ...base, message: { ...message, content } });
    const result = (toolCallId: string, text: string, isError: boolean): EntryBody => ({
      type: "message",
      message: {
        role: "toolResult",
        toolCallId,
        toolName: "any",
        content: [{ type: "text", text }],
        isError,
      },
    });
    await entries.append(session.sessionId, [
      calls(call("c1", "list"), call("c2", "read")),
      result("c2", "no such file", true),
      result("c1", "a.txt", false),
      calls(call("c1", "exec")),
      result("c1", "second", false),
      calls(call("c1", "pending_one")),
    ]);
    expect(query("SELECT * FROM tool_runs WHERE tool_name = 'list'")).toEqual([
      {
        id: `${session.sessionId}:2:c1`,
        session_id: session.sessionId,
        tenant_id: "acme",
        run_id: "r_1",
        tool_name: "list",
        args_json: '{"path":"."}',
        result_json: '[{"type":"text","text":"a.txt"}]',
        status: "ok",
        created_at: "2026-01-01T12:00:00.000Z",
      },
    ]);
    expect(
      query("SELECT tool_name, status, result_json ->> 0 ->> 'text' AS text FROM tool_runs ORDER BY id"),
    ).toEqual([
      { tool_name: "list", status: "ok", text: "a.txt" },
      { tool_name: "read", status: "error", text: "no such file" },
      { tool_name: "exec", status: "ok", text: "second" },
      { tool_name: "pending_one", status: "pending", text: null },
    ]);
  });
});

describe("durability", () => {
  function createDisk() {
    let count = 0;
    let failing = false;
    return {
      count: () => count,
      fail: () => (failing = true),
      fdatasync: async () => {
        count++;
        if (failing) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { syscall: "fdatasync" });
      },
    };
  }

  it("shares syncs between writes that come together", async () => {
    const disk = createDisk();
    const { sessions, entries } = (await open(disk.fdatasync)).tenant("acme");
    const { session } = await sessions.open(request("main"));
    const before = disk.count();
    await Promise.all(Array.from({ length: 50 }, () => entries.append(session.sessionId, [say("x")])));
    expect(disk.count() - before).toBeLessThanOrEqual(2);
    expect(disk.count() - before).toBeGreaterThan(0);
  });

  it("syncs nothing when nothing was written, and not for what may ride along", async () => {
    const disk = createDisk();
    const tenant = (await open(disk.fdatasync)).tenant("acme");
    const { session } = await tenant.sessions.open(request("main"));
    const before = disk.count();
    await tenant.sessions.open(request("main"));
    await tenant.sessions.switchMemory(session.sessionId, false);
    await tenant.sessions.delete("s_none", "test");
    await tenant.sessions.markMirrored(session.sessionId, 1);
    await tenant.sessions.addTokens(session.sessionId, { input: 1, output: 1, context: 1, total: 2 });
    const lease = await tenant.leases.acquire({
      name: "x",
      holder: holder("h"),
      ttlMs: 1000,
      isStale: () => false,
    });
    if (lease.type === "acquired") await tenant.leases.release(lease.fence);
    expect(disk.count()).toBe(before);
  });

  it("AUTH-04 sees at the next look what another process has changed of credentials", async () => {
    const { credentials } = (await open()).tenant("acme");
    const theirs = (await open()).tenant("acme").credentials;
    for (const ids of [["a"], ["b", "a"], []]) {
      await theirs.setOrder(null, "anthropic", ids);
      const orders = ids.length === 0 ? {} : { anthropic: ids };
      expect((await credentials.outlook(null)).orders.shared).toEqual(orders);
      expect(await credentials.orders(null)).toEqual(orders);
    }
  });

  it("SESS-12 writes what was to come along before it is closed", async () => {
    const first = await open();
    const { sessions, leases } = first.tenant("acme");
    const { session } = await sessions.open(request("main"));
    const lease = { name: "x", holder: holder("h"), ttlMs: 1000, isStale: () => false };
    const taken = await leases.acquire(lease);
    if (taken.type === "held") throw new Error("not free");
    const written = Promise.all([
      leases.release(taken.fence, "along"),
      sessions.markMirrored(session.sessionId, 1, "along"),
    ]);
    expect(await leases.find("x")).toBeDefined();
    await first.close();
    await written;
    const again = (await open()).tenant("acme");
    expect(await again.leases.find("x")).toBeUndefined();
    expect(await again.sessions.get(session.sessionId)).toMatchObject({ mirroredSeq: 1 });
  });

  it("takes no write any more once a sync has failed, and does not try again", async () => {
    const disk = createDisk();
    const stores = await open(disk.fdatasync);
    const { sessions, entries } = stores.tenant("acme");
    const { session } = await sessions.open(request("main"));
    disk.fail();
    const failed = { code: "storage/failed", hint: expect.any(String), cause: expect.any(Error) };
    await expect(entries.append(session.sessionId, [say("lost?")])).rejects.toMatchObject(failed);
    const count = disk.count();
    await expect(entries.append(session.sessionId, [say("more")])).rejects.toMatchObject(failed);
    await expect(sessions.markMirrored(session.sessionId, 1)).rejects.toMatchObject(failed);
    expect(disk.count()).toBe(count);
    expect(await sessions.get(session.sessionId)).toBeDefined();
    expect(await stores.health("quick")).toMatchObject({
      ok: false,
      problems: [{ code: "storage/failed", message: expect.stringContaining("did not confirm") }],
    });
  });

  it("confirms nothing when the log was moved away from under it", async () => {
    const { sessions } = (await open()).tenant("acme");
    await sessions.open(request("one"));
    renameSync(`${file}-wal`, `${file}-wal-moved`);
    await expect(sessions.open(request("two"))).rejects.toMatchObject({ code: "storage/failed" });
  });

  it("confirms nothing when another log was put in the place of its own", async () => {
    const { sessions } = (await open()).tenant("acme");
    renameSync(`${file}-wal`, `${file}-wal-moved`);
    await writeFile(`${file}-wal`, "");
    await expect(sessions.open(request("one"))).rejects.toMatchObject({ code: "storage/failed" });
  });

  it("closes only after running syncs have ended", async () => {
    let finish: () => void = () => {};
    let slow = false;
    const stores = await open(() =>
      slow ? new Promise((resolve) => (finish = resolve)) : Promise.resolve(),
    );
    slow = true;
    const order: string[] = [];
    const write = stores
      .tenant("acme")
      .sessions.open(request("main"))
      .then(() => order.push("written"));
    const close = stores.close().then(() => order.push("closed"));
    while (order.length === 0) {
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([write, close]);
    expect(order).toEqual(["written", "closed"]);
  });

  it("STORE-08 leaves no word of a deleted session in any file", async () => {
    const stores = await open();
    const { sessions, entries } = stores.tenant("acme");
    const { session } = await sessions.open(request("main"));
    await sessions.open(request("other"));
    const long = `needle-in-the-file ${"padding ".repeat(2000)}`;
    await entries.append(session.sessionId, [say(long), say("needle-in-the-file")]);
    // Another process looks: opening the file here would drop the locks on it.
    const look = () =>
      execFileSync("sh", ["-c", `cat "$0"* | grep -c needle-in-the-file || true`, file]).toString().trim();
    expect(look()).not.toBe("0");
    await sessions.delete(session.sessionId, "owner");
    expect(look()).toBe("0");
  });
});

describe("a backup", () => {
  it("is a whole, private copy, taken while writing goes on", async () => {
    const stores = await open();
    const { sessions, entries } = stores.tenant("acme");
    const { session } = await sessions.open(request("main"));
    const big = Array.from({ length: 500 }, (_, index) => say(`${index} `.repeat(500)));
    await entries.append(session.sessionId, big);
    const target = join(root, "backups", "copy.db");
    const progress: Array<[number, number]> = [];
    const copying = new AbortController();
    const running = stores
      .backup(target, (done, total) => progress.push([done, total]))
      .finally(() => copying.abort());
    let meanwhile = 0;
    const writing = (async () => {
      for (; !copying.signal.aborted; meanwhile++)
        await entries.append(session.sessionId, [say("meanwhile")]);
    })();
    await Promise.all([running, writing]);
    expect(meanwhile).toBeGreaterThan(0);

    expect(modeOf(target)).toBe("600");
    expect(await readdir(join(root, "backups"))).toEqual(["copy.db"]);
    const [done, total] = progress.at(-1) ?? [0, 1];
    expect(done).toBe(total);
    file = target;
    const copy = await open();
    expect(await copy.health("full")).toMatchObject({ ok: true, sessions: 1 });
    expect((await copy.tenant("acme").entries.recent(session.sessionId, 1000)).length).toBeGreaterThanOrEqual(
      501,
    );
  });

  it("never overwrites a file", async () => {
    const stores = await open();
    const target = join(root, "precious.txt");
    await writeFile(target, "precious");
    await expect(stores.backup(target)).rejects.toMatchObject({ code: "backup/refused" });
    expect(statSync(target).size).toBe(8);
  });

  it("leaves nothing behind when there is no way to the target", async () => {
    const stores = await open();
    await writeFile(join(root, "occupied"), "");
    await expect(stores.backup(join(root, "occupied", "copy.db"))).rejects.toMatchObject({
      code: "storage/unavailable",
    });
  });
});

describe("company", () => {
  it("SESS-08 lets two connections write in turn", async () => {
    const one = (await open()).tenant("acme");
    const two = (await open()).tenant("acme");
    const { session } = await one.sessions.open(request("main"));
    expect((await two.sessions.open(request("main"))).session.sessionId).toBe(session.sessionId);
    const appended = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : two).entries.append(session.sessionId, [say(`${index}`)]),
      ),
    );
    expect(new Set(appended.flat().map((entry) => entry.seq)).size).toBe(40);
    expect(await two.entries.recent(session.sessionId, 100)).toHaveLength(41);
  });

  it("SESS-01 SESS-11 lets processes that meet at a new file all write, each entry once", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `p${index}`);
    await Promise.all(
      names.map((name) => runFile(process.execPath, [appendProcess, file, "main", name, "5"])),
    );
    const { sessions, entries } = (await open()).tenant("acme");
    const page = await sessions.list({ limit: 10 });
    expect(page.sessions).toHaveLength(1);
    const all = await entries.recent(page.sessions[0]?.sessionId ?? "", 100);
    expect(all.map((entry) => entry.seq)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    const said = all.flatMap((entry) =>
      entry.type === "event" ? [`${entry.data["name"]} ${entry.data["index"]}`] : [],
    );
    const expected = names.flatMap((name) => [0, 1, 2, 3, 4].map((index) => `${name} ${index}`));
    expect(said.toSorted()).toEqual(expected.toSorted());
  }, 60_000);
});

/** Root may write anywhere, so root becomes someone else for a moment, who owns `paths`. */
async function asOrdinaryUser(paths: string[], work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  for (const path of paths) await chown(path, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** As the inbox was before version 9. */
const withoutAsked = ["ALTER TABLE inbox DROP COLUMN asked_json", "ALTER TABLE inbox DROP COLUMN answer"];
