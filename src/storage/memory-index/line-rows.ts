/** The rows of sources and lines, one statement each. Called within a transaction of the writer. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { MemoryLine, MemorySource } from "@pincer/sdk";
import type { StoredLine } from "./diff-lines.ts";

export interface LineRows {
  /** Adds or changes the source; its number. */
  saveSource(source: MemorySource, stamp: string): number;
  findSource(name: string): number | undefined;
  sourcesOf(): number[];
  removeSource(sourceId: number): void;
  linesOf(sourceId: number): StoredLine[];
  extentOf(sourceId: number): { count: number; lastLine: number };
  /** The number of the new row. */
  add(sourceId: number, position: number, line: MemoryLine): number;
  move(stored: StoredLine, position: number, line: MemoryLine): void;
  takeOut(stored: StoredLine, usedAt: number): void;
  /** Brings words that were taken out into the file now instead of with the commit. */
  flush(): void;
  /** Whether another tenant has sources here. */
  hasOthers(): boolean;
  removeAll(): void;
  note(key: string, value: string): void;
}

export interface LineRowsParts {
  connection: DatabaseSync;
  tenantId: string;
  termsOf(line: MemoryLine): { body: string; head: string };
  hashOf(line: MemoryLine): Uint8Array;
}

export function createLineRows({ connection, tenantId, termsOf, hashOf }: LineRowsParts): LineRows {
  const sql = prepareAll(connection);
  /** What a line is found by never depends on where it is. */
  const wordsOf = ({ text, who, time }: MemoryLine) => termsOf({ line: 1, text, who, time });

  return {
    saveSource({ id, kind, agentId, sessionKey, path }, stamp) {
      const row = sql.saveSource.get(tenantId, id, kind, agentId, sessionKey ?? null, path, stamp);
      return Number(row?.["source_id"]);
    },
    findSource(name) {
      const row = sql.findSource.get(tenantId, name);
      return row && Number(row["source_id"]);
    },
    sourcesOf: () => sql.sourcesOf.all(tenantId).map((row) => Number(row["source_id"])),
    removeSource(sourceId) {
      sql.removeSource.run(sourceId);
    },
    linesOf: (sourceId) => sql.linesOf.all(sourceId).map(storedLine),
    extentOf(sourceId) {
      const row = sql.extentOf.get(sourceId);
      return { count: Number(row?.["count"] ?? 0), lastLine: Number(row?.["last"] ?? 0) };
    },
    add(sourceId, position, line) {
      const { text, who, time, label } = line;
      const { body, head } = wordsOf(line);
      const facts = [who ?? null, time ?? null, label ?? null];
      const row = sql.add.run(sourceId, position, line.line, text, ...facts, hashOf(line));
      sql.addWords.run(row.lastInsertRowid, body, head);
      return Number(row.lastInsertRowid);
    },
    move(stored, position, line) {
      const { who, time, label } = line;
      const [before, after] = [wordsOf(stored), wordsOf(line)];
      sql.move.run(
        position,
        line.line,
        who ?? null,
        time ?? null,
        label ?? null,
        hashOf(line),
        stored.lineId,
      );
      if (before.body === after.body && before.head === after.head) return;
      sql.takeOutWords.run(stored.lineId, before.body, before.head);
      sql.addWords.run(stored.lineId, after.body, after.head);
    },
    takeOut(stored, usedAt) {
      const { body, head } = wordsOf(stored);
      sql.takeOutWords.run(stored.lineId, body, head);
      sql.takeOut.run(stored.lineId);
      sql.wasUsed.run(usedAt, hashOf(stored));
    },
    flush() {
      sql.flush.run();
    },
    hasOthers: () => sql.others.get(tenantId) !== undefined,
    removeAll() {
      connection.exec(
        "INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM lines; DELETE FROM sources",
      );
    },
    note(key, value) {
      sql.note.run(key, value);
    },
  };
}

function prepareAll(connection: DatabaseSync) {
  const prepare = (sql: string): StatementSync => connection.prepare(sql);
  return {
    saveSource: prepare(`
      INSERT INTO sources (tenant_id, name, kind, agent_id, session_key, path, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant_id, name) DO UPDATE SET kind = excluded.kind, agent_id = excluded.agent_id,
        session_key = excluded.session_key, path = excluded.path, stamp = excluded.stamp
      RETURNING source_id`),
    findSource: prepare("SELECT source_id FROM sources WHERE tenant_id = ? AND name = ?"),
    sourcesOf: prepare("SELECT source_id FROM sources WHERE tenant_id = ?"),
    others: prepare("SELECT 1 FROM sources WHERE tenant_id <> ? LIMIT 1"),
    removeSource: prepare("DELETE FROM sources WHERE source_id = ?"),
    linesOf: prepare(`
      SELECT line_id, position, line, text, who, time, label FROM lines WHERE source_id = ? ORDER BY position`),
    extentOf: prepare(`
      SELECT position + 1 AS count, line AS last FROM lines WHERE source_id = ? ORDER BY position DESC LIMIT 1`),
    add: prepare(`
      INSERT INTO lines (source_id, position, line, text, who, time, label, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    move: prepare(`
      UPDATE lines SET position = ?, line = ?, who = ?, time = ?, label = ?, hash = ? WHERE line_id = ?`),
    takeOut: prepare("DELETE FROM lines WHERE line_id = ?"),
    addWords: prepare("INSERT INTO words (rowid, body, head) VALUES (?, ?, ?)"),
    takeOutWords: prepare("INSERT INTO words (words, rowid, body, head) VALUES ('delete', ?, ?, ?)"),
    flush: prepare("INSERT INTO words (words) VALUES ('flush')"),
    wasUsed: prepare("UPDATE vectors SET used_at = ? WHERE hash = ?"),
    note: prepare(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    ),
  };
}

function storedLine(row: Record<string, unknown>): StoredLine {
  return {
    lineId: Number(row["line_id"]),
    position: Number(row["position"]),
    line: Number(row["line"]),
    text: String(row["text"]),
    who: textOrNone(row["who"]),
    time: textOrNone(row["time"]),
    label: textOrNone(row["label"]),
  };
}

const textOrNone = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
