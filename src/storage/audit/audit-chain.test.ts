import { createHmac } from "node:crypto";
import { createHandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { digestOf } from "./audit-chain.ts";
import { createAuditSeal, isSameSeal, sessionMark, type AuditHead } from "./audit-seal.ts";
import { withoutCards, withoutGate } from "../testing/older-schema.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";

const seal = createAuditSeal(Buffer.alloc(32, 3));

it("TEN-05 seals as HMAC-SHA-256 does, and differently for each kind and key", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      fc.string({ unit: "binary" }),
      (bytes, text) => {
        const key = Buffer.from(bytes);
        const expected = createHmac("sha256", key).update(`text ${text}`).digest("hex");
        expect(createAuditSeal(key).text(text)).toBe(expected.slice(0, 32));
      },
    ),
  );
  // Halves of a character, which a text from outside may hold, are what Node makes of them.
  for (const text of ["\ud83d", "a\ude00b", "\ud83d\ud83d\ude00", "x".repeat(5000) + "\ud83d"]) {
    const expected = createHmac("sha256", Buffer.alloc(32, 3)).update(`text ${text}`).digest("hex");
    expect(seal.text(text)).toBe(expected.slice(0, 32));
    expect(sessionMark(seal, text)).toBe(seal.text(`session ${text}`));
    expect(sessionMark(seal, text)).toBe(sessionMark(createAuditSeal(Buffer.alloc(32, 3)), text));
  }
  const head: AuditHead = {
    tenantId: "t",
    seq: 1,
    digest: "d",
    count: 1,
    prunedSeq: 0,
    prunedDigest: "",
    suspectSeq: 0,
    anchoredSeq: 0,
  };
  const seals = new Set([
    seal.head(head),
    ...Object.entries(head).map(([name, value]) =>
      seal.head({ ...head, [name]: typeof value === "number" ? value + 1 : `${value}x` }),
    ),
  ]);
  expect(seals.size).toBe(9);
  expect(isSameSeal(seal.head(head), createAuditSeal(Buffer.alloc(32, 4)).head(head))).toBe(false);
});

it("TEN-05 gives no two rows the same digest", () => {
  const text = fc.string({ maxLength: 5 });
  const row = fc.record({
    id: text,
    seq: fc.nat(5),
    actor: text,
    action: text,
    resource_type: text,
    resource_id: text,
    session_key: fc.option(text),
    run_id: fc.option(text),
    metadata_json: text,
    created_at: text,
  });
  fc.assert(
    fc.property(row, row, text, text, (one, other, before, previous) => {
      const isSame = JSON.stringify([one, before]) === JSON.stringify([other, previous]);
      expect(digestOf("t", one, before) === digestOf("t", other, previous)).toBe(isSame);
    }),
  );
});

it("TEN-05 chains the rows of an older version by their times, under a seal", async () => {
  const root = await mkdtemp(join(tmpdir(), "pincer-chain-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, "core.db");
  const clock = createHandClock();
  const open = () => openSqliteStores({ file, clock, ids: createIds(clock.now), seal: async () => seal });
  await (await open()).close();
  const database = new DatabaseSync(file);
  const tables = ["passkeys", "access", "device_requests", "gateway_ids", "audit_heads", "audit_logs"];
  for (const table of tables) database.exec(`DROP TABLE ${table}`);
  for (const sql of [...withoutCards, ...withoutGate]) database.exec(sql);
  database.exec(`CREATE TABLE audit_logs (id TEXT NOT NULL, tenant_id TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    resource_type TEXT NOT NULL, resource_id TEXT NOT NULL, metadata_json TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id));
    CREATE INDEX audit_logs_recent ON audit_logs (tenant_id, created_at, id);
    CREATE INDEX audit_logs_of_resource ON audit_logs (tenant_id, resource_id, created_at, id);
    ALTER TABLE inbox DROP COLUMN asked_json;
    ALTER TABLE inbox DROP COLUMN answer;
    DELETE FROM schema_migrations WHERE version > 5`);
  const insert = database.prepare(
    "INSERT INTO audit_logs VALUES (?, ?, 'owner', 'set', 'config', 'port', '{\"a\":1}', ?)",
  );
  for (const [id, tenant, time] of [
    ["b", "acme", "2026-01-02"],
    ["a", "acme", "2026-01-03"],
    ["c", "acme", "2026-01-01"],
    ["d", "other", "2026-01-01"],
  ] as const)
    insert.run(id, tenant, time);
  database.close();

  const stores = await open();
  onTestFinished(() => stores.close());
  const { audit } = stores.tenant("acme");
  expect((await audit.list({ limit: 9 })).map(({ id, seq }) => [id, seq])).toEqual([
    ["a", 3],
    ["b", 2],
    ["c", 1],
  ]);
  const { head } = await audit.state();
  if (!head) throw new Error("no head");
  const { mac, ...told } = head;
  expect(told).toMatchObject({ seq: 3, count: 3, suspectSeq: 0 });
  expect(isSameSeal(mac, seal.head(told))).toBe(true);
  expect((await stores.tenant("other").audit.list({ limit: 9 })).map(({ seq }) => seq)).toEqual([1]);
});

describe("TEN-05 a head that somebody changes between two records of one process", () => {
  async function openLog() {
    const root = await mkdtemp(join(tmpdir(), "pincer-chain-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const file = join(root, "core.db");
    const clock = createHandClock();
    const stores = await openSqliteStores({ file, clock, ids: createIds(clock.now), seal: async () => seal });
    const other = new DatabaseSync(file);
    onTestFinished(async () => {
      other.close();
      await stores.close();
    });
    const { audit } = stores.tenant("acme");
    const record = () =>
      audit.record({
        actor: "owner",
        action: "set",
        resourceType: "config",
        resourceId: "port",
        metadata: {},
      });
    const headNow = async () => {
      const { head } = await audit.state();
      if (!head) throw new Error("no head");
      const { mac, ...told } = head;
      return { ...told, isSealed: isSameSeal(mac, seal.head(told)) };
    };
    for (let times = 0; times < 3; times++) await record();
    return { other, record, headNow };
  }

  it.each([
    "seq = 7",
    "digest = 'x'",
    "row_count = 2",
    "pruned_seq = 1",
    "pruned_digest = 'x'",
    "anchored_seq = 3",
    "mac = 'x'",
    "mac = ''",
    // Equal at a glance, and another value.
    "row_count = 'three'",
  ])("is found at once, and marked with the next record: %s", async (change) => {
    const { other, record, headNow } = await openLog();
    expect(await headNow()).toMatchObject({ seq: 3, suspectSeq: 0, isSealed: true });
    other.exec(`UPDATE audit_heads SET ${change}`);
    const changed = await headNow();
    expect(changed.isSealed).toBe(false);
    await record();
    await record();
    expect(await headNow()).toMatchObject({
      seq: changed.seq + 2,
      suspectSeq: changed.seq,
      isSealed: true,
    });
  });

  it("stays marked when the mark is taken off", async () => {
    const { other, record, headNow } = await openLog();
    other.exec("UPDATE audit_heads SET mac = 'x'");
    await record();
    expect(await headNow()).toMatchObject({ seq: 4, suspectSeq: 3, isSealed: true });
    other.exec("UPDATE audit_heads SET suspect_seq = 0");
    await record();
    expect(await headNow()).toMatchObject({ seq: 5, suspectSeq: 4, isSealed: true });
  });
});
