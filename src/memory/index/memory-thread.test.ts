import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memorySourceKinds, type MemoryQuery, type MemorySource } from "@pincer/sdk";
import { describeMemoryStore } from "@pincer/sdk/testing/memory-contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MemoryThread, startMemoryThread } from "./memory-thread.ts";

const none = { type: "none" } as const;

describeMemoryStore("the SQLite store on its thread", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pincer-thread-"));
  const file = join(directory, "index.db");
  const store = startMemoryThread({ file, tenantId: "t", embedder: none, cacheMaxEntries: 10 });
  return {
    store,
    async close() {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
});

describe("the memory thread", () => {
  let directory: string;
  let thread: MemoryThread;
  const exits: Array<Error | undefined> = [];
  const start = (file = join(directory, "index.db")) =>
    startMemoryThread({
      file,
      tenantId: "t",
      embedder: none,
      cacheMaxEntries: 10,
      onExit: (error) => exits.push(error),
    });
  beforeEach(async () => {
    exits.length = 0;
    directory = await mkdtemp(join(tmpdir(), "pincer-thread-"));
    thread = start();
  });
  afterEach(async () => {
    await thread.close();
    await rm(directory, { recursive: true });
  });

  it("MEM-11 brings the index in step with the files of a workdir, and tells how far it is", async () => {
    const workdir = join(directory, "workdir");
    await mkdir(join(workdir, "memory"), { recursive: true });
    await writeFile(join(workdir, "MEMORY.md"), "- The boat is called Halcyon\n");
    await writeFile(join(workdir, "memory/2026-11-15.md"), "Ann: the boat leaks\n");
    const place = { agentId: "main", workdir, closed: join(directory, "closed") };
    const progress: number[] = [];
    const onProgress = ({ done }: { done: number }) => progress.push(done);
    expect(await thread.syncFiles(place, { onProgress })).toEqual({ files: 2, changed: 2, skipped: [] });
    expect(progress).toEqual([1, 2]);
    const { hits } = await thread.search(question("boat"));
    expect(hits.map(({ path, line }) => `${path}:${line}`).toSorted()).toEqual([
      "MEMORY.md:1",
      "memory/2026-11-15.md:1",
    ]);
  });

  it("MEM-11 tells why a file was skipped in the language that it was started with", async () => {
    const workdir = join(directory, "workdir");
    await mkdir(join(workdir, "memory"), { recursive: true });
    await writeFile(join(workdir, "memory/binary.md"), "a\0b");
    const inChinese = startMemoryThread({
      file: join(directory, "other.db"),
      tenantId: "t",
      embedder: none,
      cacheMaxEntries: 10,
      language: "zh",
    });
    const place = { agentId: "main", workdir, closed: join(directory, "closed") };
    const skipped = [{ path: "memory/binary.md", reason: "不是文本文件" }];
    expect(await inChinese.syncFiles(place)).toMatchObject({ skipped });
    await inChinese.close();
  });

  it("MEM-11 cuts short what is aborted, with the reason of the abort", async () => {
    const control = new AbortController();
    const reason = new Error("enough");
    const place = { agentId: "main", workdir: join(directory, "workdir"), closed: join(directory, "closed") };
    await mkdir(join(directory, "workdir/memory"), { recursive: true });
    for (let at = 0; at < 40; at += 1)
      await writeFile(join(directory, `workdir/memory/${at}.md`), `words of file ${at}\n`);
    const syncing = thread.syncFiles(place, {
      signal: control.signal,
      onProgress: () => control.abort(reason),
    });
    await expect(syncing).rejects.toBe(reason);
    expect((await thread.sources()).length).toBeLessThan(40);
  });

  it("MEM-12 says with a code what keeps it from opening its file", async () => {
    await writeFile(join(directory, "plain"), "");
    const broken = start(join(directory, "plain/index.db"));
    await expect(broken.status()).rejects.toMatchObject({ code: "storage/unavailable" });
    await broken.close();
  });

  it("MEM-12 rejects what waits when it breaks down, and every call after that", async () => {
    // More than its memory holds.
    const huge = Array.from({ length: 30 }, (_, at) => ({
      line: at + 1,
      text: String(at).repeat(10_000_000),
    }));
    await expect(thread.put(source, huge, "1")).rejects.toMatchObject({ code: "storage/unavailable" });
    expect(exits).toHaveLength(1);
    expect(exits[0]).toBeInstanceOf(Error);
    await expect(thread.status()).rejects.toMatchObject({ code: "storage/unavailable" });
    thread = start();
    expect(await thread.status()).toMatchObject({ lines: 0 });
  });

  it("MEM-12 ends when it is closed, and says so", async () => {
    await thread.status();
    await thread.close();
    expect(exits).toEqual([undefined]);
  });

  it("MEM-09 goes over to another embedder and keeps its lines", async () => {
    await thread.put(source, [{ line: 1, text: "The boat is called Halcyon" }], "1");
    await thread.setEmbedder(none);
    expect((await thread.search(question("Halcyon"))).hits).toHaveLength(1);
  });

  it("MEM-11 answers searches while much is being written", async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({
      line: at + 1,
      text: `row ${at} of word${at % 977}`,
    }));
    let isWritten = false;
    const writing = thread.put(source, many, "1").then(() => {
      isWritten = true;
    });
    const meanwhile = await thread.search(question("word5"));
    expect(isWritten).toBe(false);
    expect(meanwhile.hits).toEqual([]);
    await writing;
    expect((await thread.search(question("word5"))).hits).not.toEqual([]);
  });
});

const source: MemorySource = { id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" };

const question = (text: string): MemoryQuery => ({
  text,
  limit: 10,
  scope: { agentId: "main", kinds: memorySourceKinds },
  now: 0,
  timezone: "UTC",
});
