import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { MemoryStore } from "@pincer/sdk";
import { createPlainMemoryStore } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryKindOf } from "./memory-paths.ts";
import { syncFiles } from "./sync-files.ts";

describe("bringing the index in step with files", () => {
  let directory: string;
  let store: MemoryStore;
  /** Sources that were put. */
  let puts: string[];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "pincer-sync-"));
    const plain = createPlainMemoryStore();
    puts = [];
    store = {
      ...plain,
      put(source, lines, stamp) {
        puts.push(source.id);
        return plain.put(source, lines, stamp);
      },
    };
  });
  afterEach(() => rm(directory, { recursive: true }));

  const place = () => ({
    agentId: "main",
    workdir: join(directory, "work"),
    closed: join(directory, "home"),
  });
  const sync = (options = {}) => syncFiles(store, place(), options);
  async function write(path: string, text: string): Promise<void> {
    const file = join(directory, "work", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const kinds = async () => (await store.status()).byKind;

  it("MEM-03 takes the memory file and the notes of both layouts", async () => {
    await write("MEMORY.md", "lasting");
    await write("memory/MEMORY.md", "lasting, too");
    await write("memory/2026-11-15.md", "a day");
    await write("memory/202611/20261114.md", "another day");
    await write("memory/people/ann.md", "about Ann");
    await write("memory/picture.png", "no text");
    await write("README.md", "no memory");
    expect(await sync()).toEqual({ files: 5, changed: 5, skipped: [] });
    expect((await store.sources()).map(({ id }) => id)).toEqual([
      "main/MEMORY.md",
      "main/memory/2026-11-15.md",
      "main/memory/202611/20261114.md",
      "main/memory/MEMORY.md",
      "main/memory/people/ann.md",
    ]);
    expect(await kinds()).toEqual({ memory: 3, note: 2, conversation: 0 });
  });

  it("MEM-11 reads only what changed", async () => {
    await write("MEMORY.md", "lasting");
    await write("memory/2026-11-15.md", "a day");
    await sync();
    expect(await sync()).toEqual({ files: 2, changed: 0, skipped: [] });
    puts = [];
    await write("memory/2026-11-15.md", "a day\nand an evening");
    expect(await sync()).toEqual({ files: 2, changed: 1, skipped: [] });
    expect(puts).toEqual(["main/memory/2026-11-15.md"]);
  });

  it("MEM-11 reads all of it anew when the person lives elsewhere: times of day mean something else there", async () => {
    await write("memory/2026-11-15.md", "[23:30] late");
    await sync();
    await syncFiles(store, { ...place(), timezone: "Asia/Shanghai" });
    await syncFiles(store, { ...place(), timezone: "Asia/Shanghai" });
    expect(puts).toEqual(["main/memory/2026-11-15.md", "main/memory/2026-11-15.md"]);
  });

  it("MEM-11 takes out files that are gone, and leaves conversations and other agents alone", async () => {
    await write("MEMORY.md", "lasting");
    await write("memory/2026-11-15.md", "a day");
    await sync();
    const talk = { id: "session:1", kind: "conversation", agentId: "main", path: "s" } as const;
    await store.put(talk, [{ line: 1, text: "hello" }], "1");
    await store.put({ id: "other/x", kind: "memory", agentId: "other", path: "x" }, [], "1");
    await rename(join(directory, "work/memory/2026-11-15.md"), join(directory, "work/memory/2026-11-16.md"));
    expect(await sync()).toEqual({ files: 2, changed: 2, skipped: [] });
    expect((await store.sources()).map(({ id }) => id)).toEqual([
      "main/MEMORY.md",
      "main/memory/2026-11-16.md",
      "other/x",
      "session:1",
    ]);
  });

  it("MEM-11 skips what leads out of the workdir, is no text, or is too large, and says so", async () => {
    await write("memory/good.md", "words");
    await writeFile(join(directory, "secret.md"), "a secret");
    await symlink(join(directory, "secret.md"), join(directory, "work/memory/link.md"));
    await symlink("/dev/zero", join(directory, "work/memory/device.md"));
    await symlink("nowhere", join(directory, "work/memory/dangling.md"));
    await mkdir(join(directory, "work/memory/folder.md"));
    await write("memory/binary.md", "a\0b");
    await write("memory/huge.md", "");
    await truncate(join(directory, "work/memory/huge.md"), 4 * 1024 * 1024 + 1);
    await write("memory/long.md", "a\n".repeat(50_001));
    const { files, skipped } = await sync();
    expect(files).toBe(1);
    expect(skipped.map(({ path }) => path).toSorted()).toEqual([
      "memory/binary.md",
      "memory/device.md",
      "memory/huge.md",
      "memory/link.md",
      "memory/long.md",
    ]);
    const inChinese = await sync({ language: "zh" });
    for (const [at, { reason }] of skipped.entries()) {
      expect(reason).toMatch(/^it /);
      expect(inChinese.skipped[at]?.reason).toMatch(/^\p{Script=Han}/u);
    }
    expect((await store.status()).lines).toBe(1);
  });

  it("MEM-11 has nothing to do where there is no memory, and takes out what was there", async () => {
    expect(await sync()).toEqual({ files: 0, changed: 0, skipped: [] });
    await write("memory/2026-11-15.md", "a day");
    await sync();
    await rm(join(directory, "work/memory"), { recursive: true });
    expect(await sync()).toEqual({ files: 0, changed: 1, skipped: [] });
    expect(await store.sources()).toEqual([]);
  });

  it("MEM-11 tells how far it is, and stops when it is told to", async () => {
    for (const name of ["a", "b", "c"]) await write(`memory/${name}.md`, name);
    const control = new AbortController();
    const seen: Array<{ done: number; total: number }> = [];
    const onProgress = (progress: { done: number; total: number }) => {
      seen.push(progress);
      if (progress.done === 2) control.abort(new Error("enough"));
    };
    await expect(sync({ signal: control.signal, onProgress })).rejects.toThrow("enough");
    expect(seen).toEqual([
      { done: 1, total: 3 },
      { done: 2, total: 3 },
    ]);
    expect(await sync()).toEqual({ files: 3, changed: 1, skipped: [] });
  });

  it("MEM-08 knows memory from other files", () => {
    expect(memoryKindOf("MEMORY.md")).toBe("memory");
    expect(memoryKindOf("memory/2026-11-15.md")).toBe("note");
    for (const path of [
      "README.md",
      "memory/../secret.md",
      "/memory/a.md",
      "memory//a.md",
      "memory/a.txt",
      "memory",
    ])
      expect(memoryKindOf(path)).toBeUndefined();
  });
});
