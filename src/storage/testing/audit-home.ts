/** An audit log in a real database file, with its anchors beside it, that a test may tamper with behind the product's back. */
import type { AuditVerification } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createAuditAnchors } from "../audit/audit-anchors.ts";
import { createAuditSeal, type AuditSeal } from "../audit/audit-seal.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { verifyAudit } from "../audit/verify-audit.ts";

export const ownKey = Buffer.alloc(32, 1);

export async function createAuditHome() {
  const root = await mkdtemp(join(tmpdir(), "pincer-audit-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, "core.db");
  const anchorFile = join(root, "audit", "anchors.jsonl");
  const clock = createHandClock();

  /** Opens the log with a key of its own, or without one. */
  const open = async (given: AuditSeal | "none" = createAuditSeal(ownKey)) => {
    const seal = given === "none" ? undefined : given;
    const stores = await openSqliteStores({
      file,
      clock,
      ids: createIds(clock.now),
      seal: async () => seal,
    });
    const { audit } = stores.tenant("t");
    const anchors = createAuditAnchors({ file: anchorFile, tenantId: "t", audit, seal, clock });
    const verify = (): Promise<AuditVerification> => verifyAudit({ audit, anchors, seal });
    return { stores, audit, anchors, verify, close: () => stores.close() };
  };
  /** This many rows, then an anchor. */
  const write = async (count: number, from = 0) => {
    const log = await open();
    for (let index = 0; index < count; index++) {
      await clock.advance(1000);
      await log.audit.record(factOf(from + index));
    }
    await log.anchors.write("now");
    await log.close();
  };
  /** Raw SQL, with nobody else at the file. */
  const sql = (statement: string, ...parameters: SQLInputValue[]) => {
    const database = new DatabaseSync(file);
    try {
      return database.prepare(statement).all(...parameters);
    } finally {
      database.close();
    }
  };
  const verify = async (seal?: AuditSeal | "none") => {
    const log = await open(seal);
    try {
      return await log.verify();
    } finally {
      await log.close();
    }
  };
  const kinds = async (seal?: AuditSeal | "none") => (await verify(seal)).problems.map(({ kind }) => kind);
  const anchorLines = async () => (await readFile(anchorFile, "utf8")).split("\n").filter(Boolean);
  const setAnchors = (lines: readonly string[]) =>
    writeFile(anchorFile, lines.map((line) => `${line}\n`).join(""));
  /** What somebody without the key can do: every digest again from a place on, and the head with it. */
  const recompute = () => {
    let digest = "";
    for (const row of sql("SELECT * FROM audit_logs WHERE tenant_id = 't' ORDER BY seq")) {
      digest = createHash("sha256")
        .update(JSON.stringify([...fields.map((name) => row[name]), digest]))
        .digest("hex");
      sql("UPDATE audit_logs SET digest = ? WHERE tenant_id = 't' AND seq = ?", digest, row["seq"] ?? null);
    }
    const [last] = sql("SELECT max(seq) AS seq, count(*) AS rows FROM audit_logs WHERE tenant_id = 't'");
    sql(
      "UPDATE audit_heads SET seq = ?, digest = ?, row_count = ? WHERE tenant_id = 't'",
      last?.["seq"] ?? 0,
      digest,
      last?.["rows"] ?? 0,
    );
  };
  return {
    root,
    clock,
    file,
    anchorFile,
    open,
    write,
    sql,
    verify,
    kinds,
    anchorLines,
    setAnchors,
    recompute,
  };
}

export const factOf = (index: number) => ({
  actor: "owner",
  action: index % 2 === 0 ? "set" : "unset",
  resourceType: "config",
  resourceId: `key.${index}`,
  sessionKey: `session ${index % 3}`,
  runId: `r_${index % 4}`,
  metadata: { index },
});

const fields = [
  "tenant_id",
  "seq",
  "id",
  "actor",
  "action",
  "resource_type",
  "resource_id",
  "session_key",
  "run_id",
  "metadata_json",
  "created_at",
];
