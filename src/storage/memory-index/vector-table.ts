/**
 * The vectors of texts, known again by what they were made of: a line that is there again, under whatever name, has its vector at once.
 * Those that no line has any more are kept up to a limit.
 */
import type { DatabaseSync } from "node:sqlite";

export interface VectorTable {
  /** Texts of lines that have no vector of this embedder, behind a row; each text once. */
  missing(embedder: string, afterLineId: number, limit: number): MissingText[];
  countMissing(embedder: string): number;
  /** Within a transaction of the writer. `vector` is left out for a text that the embedder does not take. */
  save(embedder: string, texts: readonly TextVector[], usedAt: number): void;
  /** Within a transaction of the writer: of what no line needs with this embedder, only the `most` used last stay. */
  prune(embedder: string | undefined, most: number): void;
  removeAll(): void;
  /** Within a transaction of the writer. */
  removeOf(embedder: string): void;
  /** How many numbers a vector of this embedder has; undefined where none is kept. */
  sizeOf(embedder: string): number | undefined;
  /** The rows of lines that have any of these texts. */
  linesWith(hashes: readonly Uint8Array[]): number[];
  count(): number;
}

export interface MissingText {
  lineId: number;
  hash: Uint8Array;
  text: string;
  who: string | undefined;
}

export interface TextVector {
  hash: Uint8Array;
  vector?: { code: Uint8Array; bytes: Int8Array } | undefined;
}

/** In the order of lines: so a run goes through them once, however many requests it takes. */
const needed = `
  FROM lines CROSS JOIN sources USING (source_id)
  WHERE tenant_id = ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.hash = lines.hash AND embedder = ?)`;

export function createVectorTable(connection: DatabaseSync, tenantId: string): VectorTable {
  return {
    missing(embedder, afterLineId, limit) {
      const rows = connection
        .prepare(`SELECT line_id, hash, text, who ${needed} AND line_id > ? ORDER BY line_id LIMIT ?`)
        .all(tenantId, embedder, afterLineId, limit);
      const byHash = new Map(rows.map((row) => [hexOf(row["hash"] as Uint8Array), row]));
      return [...byHash.values()].map((row) => ({
        lineId: Number(row["line_id"]),
        hash: row["hash"] as Uint8Array,
        text: String(row["text"]),
        who: row["who"] === null ? undefined : String(row["who"]),
      }));
    },
    countMissing(embedder) {
      return Number(
        connection.prepare(`SELECT count(*) AS count ${needed}`).get(tenantId, embedder)?.["count"],
      );
    },
    save(embedder, texts, usedAt) {
      const save = connection.prepare(`
        INSERT INTO vectors (embedder, hash, code, vector, used_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (hash, embedder) DO UPDATE SET code = excluded.code, vector = excluded.vector, used_at = excluded.used_at`);
      for (const { hash, vector } of texts)
        save.run(embedder, hash, vector?.code ?? nothing, vector?.bytes ?? nothing, usedAt);
    },
    prune(embedder, most) {
      const { count } = connection.prepare("SELECT count(*) AS count FROM vectors").get() ?? {};
      if (Number(count) <= most) return;
      connection
        .prepare(`
          DELETE FROM vectors WHERE rowid IN (
            SELECT rowid FROM vectors
            WHERE embedder IS NOT ? OR NOT EXISTS (SELECT 1 FROM lines WHERE lines.hash = vectors.hash)
            ORDER BY used_at DESC LIMIT -1 OFFSET ?)`)
        .run(embedder ?? null, most);
    },
    removeAll() {
      connection.exec("DELETE FROM vectors");
    },
    removeOf(embedder) {
      connection.prepare("DELETE FROM vectors WHERE embedder = ?").run(embedder);
    },
    sizeOf: (embedder) => vectorSize(connection, embedder),
    linesWith(hashes) {
      const find = connection.prepare("SELECT line_id FROM lines WHERE hash = ?");
      return hashes.flatMap((hash) => find.all(hash).map((row) => Number(row["line_id"])));
    },
    count: () => Number(connection.prepare("SELECT count(*) AS count FROM vectors").get()?.["count"]),
  };
}

/** By the index, which is small: the rows themselves may be many. */
export function vectorSize(connection: DatabaseSync, embedder: string): number | undefined {
  const row = connection
    .prepare(`
      SELECT length(vector) AS size FROM vectors INDEXED BY vectors_by_use
      WHERE embedder = ? AND length(vector) > 0 ORDER BY used_at DESC LIMIT 1`)
    .get(embedder);
  return row && Number(row["size"]);
}

const nothing = new Uint8Array(0);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
