/** The vectors of lines, as a search reads them. On a connection that cannot write. */
import type { DatabaseSync } from "node:sqlite";
import type { MemoryScope } from "@pincer/sdk";
import { vectorSize } from "./vector-table.ts";

export interface VectorRows {
  /** The codes of this many lines after a row, in the order of rows. */
  codesAfter(embedder: string, lineId: number, limit: number): LineCode[];
  /** Of those lines that have one. */
  codesOf(embedder: string, lineIds: readonly number[]): LineCode[];
  bytesOf(embedder: string, lineIds: readonly number[]): Array<{ lineId: number; bytes: Int8Array }>;
  /** How many numbers a vector has; undefined where none is kept. */
  sizeOf(embedder: string): number | undefined;
  /** The sources that may be found. */
  sourcesIn(scope: MemoryScope): Set<number>;
}

export interface LineCode {
  lineId: number;
  sourceId: number;
  /** Empty where the embedder does not take the text. */
  code: Uint8Array;
}

/** In the order of lines. */
const ofLines = `
  FROM lines CROSS JOIN sources USING (source_id) CROSS JOIN vectors ON vectors.hash = lines.hash AND vectors.embedder = ?
  WHERE sources.tenant_id = ?`;
const among = "AND line_id IN (SELECT value FROM json_each(?))";

export function createVectorRows(reader: DatabaseSync, tenantId: string): VectorRows {
  return {
    codesAfter: (embedder, lineId, limit) =>
      reader
        .prepare(`SELECT line_id, source_id, code ${ofLines} AND line_id > ? ORDER BY line_id LIMIT ?`)
        .all(embedder, tenantId, lineId, limit)
        .map(lineCode),
    codesOf: (embedder, lineIds) =>
      reader
        .prepare(`SELECT line_id, source_id, code ${ofLines} ${among}`)
        .all(embedder, tenantId, JSON.stringify(lineIds))
        .map(lineCode),
    bytesOf(embedder, lineIds) {
      const rows = reader
        .prepare(`SELECT line_id, vector ${ofLines} ${among}`)
        .all(embedder, tenantId, JSON.stringify(lineIds));
      return rows.map((row) => ({
        lineId: Number(row["line_id"]),
        bytes: signed(row["vector"] as Uint8Array),
      }));
    },
    sizeOf: (embedder) => vectorSize(reader, embedder),
    sourcesIn({ agentId, kinds, sessionKey }) {
      const rows = reader
        .prepare(`
          SELECT source_id FROM sources
          WHERE tenant_id = ? AND agent_id = ? AND kind IN (SELECT value FROM json_each(?))
            AND (?4 IS NULL OR session_key = ?4 OR (session_key IS NULL AND kind <> 'conversation'))`)
        .all(tenantId, agentId, JSON.stringify(kinds), sessionKey ?? null);
      return new Set(rows.map((row) => Number(row["source_id"])));
    },
  };
}

const lineCode = (row: Record<string, unknown>): LineCode => ({
  lineId: Number(row["line_id"]),
  sourceId: Number(row["source_id"]),
  code: row["code"] as Uint8Array,
});

const signed = ({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, byteLength);
