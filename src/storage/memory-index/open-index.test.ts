import { randomBytes } from "node:crypto";
import { mkdtemp, open as openFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createIndexWriter } from "./index-writer.ts";
import { openIndex, type OpenIndex } from "./open-index.ts";
import { createVectorTable } from "./vector-table.ts";

describe("opening the index", () => {
  let directory: string;
  let file: string;
  const opened: OpenIndex[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "pincer-index-"));
    file = join(directory, "index.db");
  });
  afterEach(async () => {
    for (const index of opened.splice(0)) index.close();
    await rm(directory, { recursive: true });
  });

  async function open(versions: Record<string, number> = { terms: 1 }): Promise<OpenIndex> {
    const index = await openIndex({ file, versions, clock: systemClock });
    opened.push(index);
    return index;
  }

  async function fill(index: OpenIndex): Promise<void> {
    const { connection } = index;
    const writer = createIndexWriter({
      connection,
      isCurrent: index.isCurrent,
      tenantId: "t",
      clock: systemClock,
      termsOf: ({ text }) => ({ body: text, head: "" }),
      hashOf: ({ text }) => Buffer.from(text),
    });
    const source = { id: "s", kind: "memory", agentId: "main", path: "MEMORY.md" } as const;
    await writer.put(source, [{ line: 1, text: "alpha" }], "1");
    const vector = { code: Buffer.of(1, 2, 3, 4), bytes: new Int8Array(32) };
    await writer.write(() =>
      createVectorTable(connection, "t").save("e", [{ hash: Buffer.from("alpha"), vector }], 5),
    );
  }

  /** Its first page becomes nonsense. */
  async function spoilTable(index: OpenIndex, name: string): Promise<void> {
    const root = index.reader.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name);
    index.close();
    const handle = await openFile(file, "r+");
    await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, (Number(root?.["rootpage"]) - 1) * 4096);
    await handle.close();
  }

  const count = ({ reader }: OpenIndex, table: string) =>
    reader.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"];

  it("makes files that only their owner can read", async () => {
    await fill(await open());
    for (const name of await readdir(directory))
      expect((await stat(join(directory, name))).mode & 0o077).toBe(0);
  });

  it("MEM-11 keeps what is there when nothing changed", async () => {
    const first = await open();
    await fill(first);
    first.close();
    const again = await open();
    expect([count(again, "lines"), count(again, "vectors")]).toEqual([1, 1]);
  });

  it.each([{ terms: 2 }, { terms: 1, lines: 1 }])(
    "MEM-11 forgets the lines but not the vectors when it is made in another way: %j",
    async (versions) => {
      const first = await open();
      await fill(first);
      first.close();
      const again = await open(versions);
      expect(["sources", "lines", "words"].map((table) => count(again, table))).toEqual([0, 0, 0]);
      expect(count(again, "vectors")).toBe(1);
      await fill(again);
      expect(count(again, "lines")).toBe(1);
    },
  );

  it("MEM-11 keeps an older version from writing to what a newer one has begun anew", async () => {
    const older = await open();
    await fill(older);
    const newer = await open({ terms: 2 });
    await expect(fill(older)).rejects.toMatchObject({ code: "storage/too-new" });
    await fill(newer);
    expect([count(older, "lines"), count(newer, "lines")]).toEqual([1, 1]);
  });

  it("MEM-11 begins anew in the place of a file that is no database", async () => {
    await writeFile(file, "not a database at all, but long enough to be looked at".repeat(100));
    const index = await open();
    await fill(index);
    expect(count(index, "lines")).toBe(1);
    expect((await readdir(directory)).toSorted()).toEqual(["index.db", "index.db-shm", "index.db-wal"]);
  });

  it("MEM-11 rescues vectors from a damaged file", async () => {
    const first = await open();
    await fill(first);
    await spoilTable(first, "meta");
    const again = await open();
    expect([count(again, "lines"), count(again, "vectors")]).toEqual([0, 1]);
    await fill(again);
  });

  it("MEM-11 begins anew where the tables are named but cannot be read", async () => {
    const first = await open();
    await fill(first);
    first.close();
    const handle = await openFile(file, "r+");
    const { size } = await handle.stat();
    await handle.write(randomBytes(size - 8192), 0, size - 8192, 8192);
    await handle.close();
    const again = await open();
    expect(["sources", "lines", "words"].map((table) => count(again, table))).toEqual([0, 0, 0]);
    await fill(again);
    expect(count(again, "lines")).toBe(1);
  });

  it("MEM-11 begins anew where the words alone cannot be read, and keeps the vectors", async () => {
    const first = await open();
    await fill(first);
    await spoilTable(first, "words_config");
    const again = await open();
    expect([count(again, "lines"), count(again, "vectors")]).toEqual([0, 1]);
    await fill(again);
    expect(count(again, "lines")).toBe(1);
  });

  it("MEM-11 sets somebody else's database aside and does not empty it", async () => {
    const foreign = new DatabaseSync(file);
    foreign.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    foreign.close();
    const index = await open();
    await fill(index);
    const aside = new DatabaseSync(`${file}.set-aside`);
    expect(aside.prepare("SELECT name FROM recipes").all()).toMatchObject([{ name: "soup" }]);
    aside.close();
  });

  it("MEM-11 cannot write through the connection of searches", async () => {
    const { reader } = await open();
    expect(() => reader.exec("DELETE FROM lines")).toThrow("readonly");
  });
});
