/** What the index holds, in numbers. */
import type { DatabaseSync } from "node:sqlite";
import { memorySourceKinds, type MemorySourceKind, type MemorySourceState } from "@pincer/sdk";

export interface IndexCounts {
  sources: number;
  lines: number;
  byKind: Record<MemorySourceKind, number>;
  bytes: number;
}

export function countIndex(connection: DatabaseSync, tenantId: string): IndexCounts {
  const rows = connection
    .prepare(`
      SELECT kind, count(*) AS sources, sum((SELECT count(*) FROM lines WHERE lines.source_id = sources.source_id)) AS lines
      FROM sources WHERE tenant_id = ? GROUP BY kind`)
    .all(tenantId);
  const linesOf = new Map(rows.map((row) => [String(row["kind"]), Number(row["lines"])]));
  const total = (column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const { bytes } =
    connection
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()")
      .get() ?? {};
  const byKind = Object.fromEntries(memorySourceKinds.map((kind) => [kind, linesOf.get(kind) ?? 0]));
  return {
    sources: total("sources"),
    lines: total("lines"),
    byKind: byKind as Record<MemorySourceKind, number>,
    bytes: Number(bytes),
  };
}

export function countLines(connection: DatabaseSync, tenantId: string): number {
  const row = connection
    .prepare("SELECT count(*) AS count FROM lines JOIN sources USING (source_id) WHERE tenant_id = ?")
    .get(tenantId);
  return Number(row?.["count"]);
}

/** In the order of their names. */
export function listSources(
  connection: DatabaseSync,
  tenantId: string,
  agentId: string | undefined,
): MemorySourceState[] {
  const rows = connection
    .prepare(`
      SELECT name, stamp, (SELECT count(*) FROM lines WHERE lines.source_id = sources.source_id) AS lines,
        (SELECT line FROM lines WHERE lines.source_id = sources.source_id ORDER BY position DESC LIMIT 1) AS last
      FROM sources WHERE tenant_id = ?1 AND (?2 IS NULL OR agent_id = ?2) ORDER BY name`)
    .all(tenantId, agentId ?? null);
  return rows.map((row) => ({
    id: String(row["name"]),
    stamp: String(row["stamp"]),
    lines: Number(row["lines"]),
    lastLine: Number(row["last"] ?? 0),
  }));
}

/** RFC 3339; null before the first write. */
export function lastWrite(connection: DatabaseSync): string | null {
  const row = connection.prepare("SELECT value FROM meta WHERE key = 'written at'").get();
  return row ? String(row["value"]) : null;
}
