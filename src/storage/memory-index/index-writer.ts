/**
 * Writes lines to the index, each call as one transaction. A long one lets the event loop turn in between: searches go on beside it, on a
 * connection of their own, and see what was there before until it is done.
 */
import type { DatabaseSync } from "node:sqlite";
import type { MemoryChange, MemoryLine, MemorySource } from "@pincer/sdk";
import { createLoopYield } from "../../infra/loop-yield.ts";
import { type Clock, timestamp } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { diffLines, isRenumbered } from "./diff-lines.ts";
import { createLineRows } from "./line-rows.ts";
import { beginWriting } from "./open-index.ts";

export interface IndexWriter {
  /** Makes the source hold just these lines. All or nothing. */
  put(source: MemorySource, lines: readonly MemoryLine[], stamp: string): Promise<Written>;
  /** Adds those lines whose number is higher than all that the source has. All or nothing. */
  append(source: MemorySource, lines: readonly MemoryLine[], stamp: string): Promise<Written>;
  /** Undefined when there was none. */
  remove(sourceId: string): Promise<Written | undefined>;
  /** Forgets all lines and sources. */
  clear(): Promise<void>;
  /** Runs other writes to the same file as one transaction, after those that came before. */
  write<Result>(work: () => Result): Promise<Result>;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

/** What was done, and the rows that may have another vector now, or none. */
export interface Written {
  change: MemoryChange;
  touched: number[];
}

export interface IndexWriterParts {
  connection: DatabaseSync;
  /** Asked within each transaction: what was made in another way must not be mixed with ours. */
  isCurrent(): boolean;
  tenantId: string;
  clock: Clock;
  /** The search terms of a line. The same for the same line, whatever its number: they are made again to take it out. */
  termsOf(line: MemoryLine): { body: string; head: string };
  /** Of what its vector is made of. */
  hashOf(line: MemoryLine): Uint8Array;
}

export function createIndexWriter(parts: IndexWriterParts): IndexWriter {
  const { connection, clock } = parts;
  const rows = createLineRows(parts);
  const loopYield = createLoopYield({ longestMs: 10 });
  let last: Promise<unknown> = Promise.resolve();

  const turn = async () => {
    while (loopYield.isSpent()) await loopYield.turned();
  };

  /** One after another, in the order they came; what `work` throws undoes it. */
  function transaction<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const mine = last.then(run, run);
    last = mine.catch(() => undefined);
    return mine;

    async function run(): Promise<Result> {
      await beginWriting(connection, clock);
      try {
        if (!parts.isCurrent())
          throw failure(
            "storage/too-new",
            "memory.index.of-another-version",
            {},
            { hint: "memory.index.of-another-version.hint" },
          );
        const result = await work();
        rows.note("written at", timestamp(clock));
        connection.exec("COMMIT");
        return result;
      } catch (error) {
        if (connection.isOpen && connection.isTransaction) connection.exec("ROLLBACK");
        throw error;
      }
    }
  }

  async function addAll(sourceId: number, added: Array<{ position: number; line: MemoryLine }>) {
    const ids: number[] = [];
    for (const { position, line } of added) {
      await turn();
      ids.push(rows.add(sourceId, position, line));
    }
    return ids;
  }

  async function takeOut(lines: readonly Parameters<typeof rows.takeOut>[0][]): Promise<number[]> {
    const usedAt = clock.now();
    for (const [at, line] of lines.entries()) {
      await turn();
      rows.takeOut(line, usedAt);
      // Otherwise the whole of it is done at the end, in one go.
      if (at % flushEvery === flushEvery - 1) rows.flush();
    }
    return lines.map(({ lineId }) => lineId);
  }

  /** Deleted words are still in the log until it has been brought over and begun anew; others who read it may hinder that for now. */
  function forgetDeleted(): void {
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  }

  return {
    put: async (source, lines, stamp) => {
      const written = await transaction(async () => {
        const sourceId = rows.saveSource(source, stamp);
        const { added, removed, moved } = diffLines(rows.linesOf(sourceId), lines);
        const gone = await takeOut(removed);
        for (const { stored, position, line } of moved) {
          await turn();
          rows.move(stored, position, line);
        }
        const changed = moved.filter(({ stored, line }) => isRenumbered(stored, line));
        const fresh = await addAll(sourceId, added);
        const change = { added: added.length, removed: removed.length, moved: changed.length };
        return { change, touched: [...gone, ...changed.map(({ stored }) => stored.lineId), ...fresh] };
      });
      if (written.change.removed > 0) forgetDeleted();
      return written;
    },
    append: (source, lines, stamp) =>
      transaction(async () => {
        const sourceId = rows.saveSource(source, stamp);
        const { count, lastLine } = rows.extentOf(sourceId);
        const later = lines.filter(({ line }) => line > lastLine);
        const added = later.map((line, at) => ({ position: count + at, line }));
        const touched = await addAll(sourceId, added);
        return { change: { added: added.length, removed: 0, moved: 0 }, touched };
      }),
    async remove(name) {
      const written = await transaction(async () => {
        const sourceId = rows.findSource(name);
        if (sourceId === undefined) return undefined;
        const lines = rows.linesOf(sourceId);
        const touched = await takeOut(lines);
        rows.removeSource(sourceId);
        return { change: { added: 0, removed: lines.length, moved: 0 }, touched };
      });
      if (written) forgetDeleted();
      return written;
    },
    async clear() {
      await transaction(async () => {
        if (!rows.hasOthers()) return rows.removeAll();
        for (const sourceId of rows.sourcesOf()) {
          await takeOut(rows.linesOf(sourceId));
          rows.removeSource(sourceId);
        }
      });
      forgetDeleted();
    },
    write: (work) => transaction(work),
    idle: async () => {
      await last;
    },
  };
}

const flushEvery = 50;
