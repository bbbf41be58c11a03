/** The lines of the index, as a search reads them; none outside of the scope that it was opened with. */
import type { DatabaseSync } from "node:sqlite";
import { memorySourceKinds, type MemoryLine, type MemoryScope, type MemorySourceKind } from "@pincer/sdk";

/** Where a line stands, and what of it counts before its words are read. */
export interface LinePlace {
  lineId: number;
  sourceId: number;
  position: number;
  bytes: number;
  /** Whether it ends with a question. */
  asks: boolean;
}

export interface LineRow extends MemoryLine {
  lineId: number;
  sourceId: number;
  position: number;
  source: { id: string; kind: MemorySourceKind; path: string };
}

export interface LineReader {
  /** Of those rows the ones in scope. */
  placesOf(lineIds: readonly number[]): LinePlace[];
  /** The lines that stand there, by source and position. */
  linesAt(spots: ReadonlyArray<{ sourceId: number; position: number }>): LineRow[];
  /** All sources in scope. */
  sourceIds(): number[];
  /** Whether that is every source of the index. */
  isWhole(): boolean;
  /** How many there are in the whole index. */
  total(): number;
  /** The highest row, 0 without any. */
  lastLineId(): number;
}

export function createLineReader(
  connection: DatabaseSync,
  { tenantId, scope }: { tenantId: string; scope: MemoryScope },
): LineReader {
  const sources = sourcesIn(connection, tenantId, scope);
  const { placesOf, linesAt } = statementsOf(connection);
  return {
    placesOf(lineIds) {
      const found: LinePlace[] = [];
      for (const row of placesOf.all(JSON.stringify(lineIds)) as unknown as number[][]) {
        const [lineId = 0, sourceId = 0, position = 0, bytes = 0, asks = 0] = row;
        if (sources.has(sourceId)) found.push({ lineId, sourceId, position, bytes, asks: asks === 1 });
      }
      return found;
    },
    linesAt(spots) {
      const wanted = spots.map(({ sourceId, position }) => [sourceId, position]);
      return linesAt.all(JSON.stringify(wanted)).flatMap((row) => {
        const source = sources.get(Number(row["source_id"]));
        return source ? [lineOf(row, source)] : [];
      });
    },
    sourceIds: () => [...sources.keys()],
    isWhole: () =>
      Number(connection.prepare("SELECT count(*) AS n FROM sources").get()?.["n"]) === sources.size,
    total: () => Number(connection.prepare("SELECT count(*) AS n FROM lines").get()?.["n"]),
    lastLineId: () => Number(connection.prepare("SELECT max(line_id) AS n FROM lines").get()?.["n"] ?? 0),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** One set for each connection: preparing them takes longer than running them. */
const prepared = new WeakMap<DatabaseSync, Statements>();

function statementsOf(connection: DatabaseSync): Statements {
  const known = prepared.get(connection);
  if (known) return known;
  const statements = prepareStatements(connection);
  prepared.set(connection, statements);
  return statements;
}

function prepareStatements(connection: DatabaseSync) {
  const placesOf = connection.prepare(`
    SELECT line_id, source_id, position, octet_length(text), rtrim(text) LIKE '%?' OR rtrim(text) LIKE '%？'
    FROM lines WHERE line_id IN (SELECT value FROM json_each(?))`);
  placesOf.setReturnArrays(true);
  const linesAt = connection.prepare(`
    SELECT line_id, lines.source_id, position, line, text, who, time, label
    FROM json_each(?) AS spot
    JOIN lines ON lines.source_id = spot.value ->> 0 AND lines.position = spot.value ->> 1`);
  return { placesOf, linesAt };
}

type Row = Record<string, unknown>;

/** Files belong to the agent; a conversation only to those who have its key, where one is asked for. */
function sourcesIn(
  connection: DatabaseSync,
  tenantId: string,
  { agentId, kinds, sessionKey }: MemoryScope,
): Map<number, LineRow["source"]> {
  const rows = connection
    .prepare(`
      SELECT source_id, name, kind, path FROM sources
      WHERE tenant_id = ? AND agent_id = ? AND kind IN (SELECT value FROM json_each(?))
        AND (?4 IS NULL OR session_key = ?4 OR (session_key IS NULL AND kind <> 'conversation'))`)
    .all(tenantId, agentId, JSON.stringify(kinds), sessionKey ?? null);
  return new Map(
    rows.map((row) => [
      Number(row["source_id"]),
      { id: String(row["name"]), kind: kindOf(row["kind"]), path: String(row["path"]) },
    ]),
  );
}

function lineOf(row: Row, source: LineRow["source"]): LineRow {
  return {
    lineId: Number(row["line_id"]),
    sourceId: Number(row["source_id"]),
    position: Number(row["position"]),
    source,
    line: Number(row["line"]),
    text: String(row["text"]),
    ...given("who", row["who"]),
    ...given("time", row["time"]),
    ...given("label", row["label"]),
  };
}

function given<Key extends string>(key: Key, value: unknown): { [key in Key]?: string } {
  return (typeof value === "string" ? { [key]: value } : {}) as { [key in Key]?: string };
}

function kindOf(value: unknown): MemorySourceKind {
  return memorySourceKinds.find((kind) => kind === value) ?? "note";
}
