import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { memorySourceKinds, type MemoryLine, type MemoryQuery, type MemorySource } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCountingEmbedder } from "./testing/counting-embedder.ts";
import { createMemoryHome, type MemoryHome } from "./testing/memory-home.ts";

describe("the file of the memory store", () => {
  let home: MemoryHome;
  beforeEach(async () => {
    home = await createMemoryHome();
  });
  afterEach(() => home.remove());

  it("MEM-11 holds the old lines when a process dies in the middle of a put", async () => {
    const before = await home.open();
    await before.put(source, numbered(["alpha of the first time", "beta of the first time"]), "1");
    await before.close();
    const script = new URL("./testing/writing-process.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, home.file], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (data: Buffer) => {
      said += String(data);
      child.kill("SIGKILL");
    });
    await once(child, "close");
    expect(said).toBe("writing\n");
    const store = await home.open();
    expect(await store.sources()).toEqual([{ id: source.id, stamp: "1", lines: 2, lastLine: 2 }]);
    expect((await store.search(question("alpha"))).hits[0]?.text).toBe("alpha of the first time");
    expect((await store.search(question("word1"))).hits).toEqual([]);
  });

  it("MEM-11 is shared by several stores that write at once", async () => {
    const stores = await Promise.all([home.open(), home.open(), home.open()]);
    await Promise.all(
      stores.flatMap((store, at) =>
        Array.from({ length: 10 }, (_, round) =>
          store.put(
            { ...source, id: `main/${at}` },
            numbered([`store${at} round${round}`, "the same"]),
            `${round}`,
          ),
        ),
      ),
    );
    for (const store of stores) {
      expect((await store.sources()).map(({ id, stamp }) => [id, stamp])).toEqual([
        ["main/0", "9"],
        ["main/1", "9"],
        ["main/2", "9"],
      ]);
      expect((await store.search(question("round9"))).hits.map(({ sourceId }) => sourceId)).toEqual(
        expect.arrayContaining(["main/0", "main/1", "main/2"]),
      );
      expect((await store.search(question("round8"))).hits).toEqual([]);
    }
  });

  it("MEM-11 is recreated when damage shows in use: the caller that finds it gets an error, and the next one is served", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(
      source,
      numbered(Array.from({ length: 3_000 }, (_, at) => `word${at} and more words`)),
      "1",
    );
    await store.close();
    await spoil(home.file);
    const again = await home.open({ embedder });
    const everything = async () => {
      for (let at = 0; at < 3_000; at += 50) await again.search(question(`word${at}`));
      await again.remove(source.id);
    };
    await expect(everything()).rejects.toMatchObject({ code: "storage/corrupt" });
    expect(await again.sources()).toEqual([]);
    await again.put(source, numbered(["alpha"]), "2");
    expect((await again.search(question("alpha"))).hits).toHaveLength(1);
  });

  it("MEM-11 is begun anew when a table can no longer be read while it is open", async () => {
    const store = await home.open();
    await store.put(source, numbered(["alpha"]), "1");
    const other = new DatabaseSync(home.file);
    other.exec("DROP TABLE lines");
    other.close();
    await expect(store.search(question("alpha"))).rejects.toMatchObject({ code: "storage/corrupt" });
    await store.put(source, numbered(["alpha"]), "2");
    expect((await store.search(question("alpha"))).hits).toHaveLength(1);
  });

  it("MEM-11 is not thrown away for a statement that fails", async () => {
    const store = await home.open();
    await store.put(source, numbered(["alpha"]), "1");
    const broken = { ...source, id: null as unknown as string };
    await expect(store.put(broken, numbered(["beta"]), "1")).rejects.toThrow("NOT NULL");
    expect((await store.search(question("alpha"))).hits).toHaveLength(1);
  });

  it.each([true, false])(
    "MEM-11 works after it was cleared, whatever it was before: vectors kept %s",
    async (keepVectors) => {
      const embedder = createCountingEmbedder();
      const store = await home.open({ embedder });
      await store.put(source, numbered(Array.from({ length: 300 }, (_, at) => `word${at} and more`)), "1");
      await store.embedMissing();
      const other = new DatabaseSync(home.file);
      other.exec("DROP TABLE lines");
      other.close();
      await store.clear({ keepVectors });
      expect(await store.status()).toMatchObject({ lines: 0, cachedVectors: keepVectors ? 300 : 0 });
      await store.put(source, numbered(["alpha"]), "2");
      expect((await store.search(question("alpha"))).hits).toHaveLength(1);
    },
  );

  /** Nonsense in the middle of the file, where lines are. */
  async function spoil(file: string): Promise<void> {
    const handle = await open(file, "r+");
    const { size } = await handle.stat();
    const [from = 0, to = 0] = [0.3, 0.5].map((share) => Math.ceil((size * share) / 4096) * 4096);
    await handle.write(Buffer.alloc(to - from, 0x5a), 0, to - from, from);
    await handle.close();
  }
});

const source: MemorySource = { id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" };
const numbered = (texts: readonly string[]): MemoryLine[] =>
  texts.map((text, at) => ({ line: at + 1, text }));

const question = (text: string): MemoryQuery => ({
  text,
  limit: 10,
  scope: { agentId: "main", kinds: memorySourceKinds },
  now: 0,
  timezone: "UTC",
});
