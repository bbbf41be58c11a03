import { memorySourceKinds, type MemoryLine, type MemoryQuery, type MemorySource } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCountingEmbedder } from "./testing/counting-embedder.ts";
import { createMemoryHome, type MemoryHome } from "./testing/memory-home.ts";

describe("vectors in the memory store", () => {
  let home: MemoryHome;
  beforeEach(async () => {
    home = await createMemoryHome();
  });
  afterEach(() => home.remove());

  it("MEM-11 makes each text's vector once, and again only for the line that changed", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    const before = numbered(["alpha", "beta", "alpha", "gamma", "delta", "epsilon"]);
    await store.put(source, before, "1");
    const progress: number[] = [];
    const first = await store.embedMissing({ onProgress: ({ done }) => progress.push(done) });
    expect(first).toEqual({ embedded: 5, left: 0 });
    expect(embedder.asked.toSorted()).toEqual(["alpha", "beta", "delta", "epsilon", "gamma"]);
    expect(progress.at(-1)).toBe(6);

    embedder.asked.length = 0;
    await store.put(source, before.with(1, { line: 2, text: "betatron" }).toReversed(), "2");
    expect((await store.status()).linesWithoutVector).toBe(1);
    await store.embedMissing();
    expect(embedder.asked).toEqual(["betatron"]);
    expect((await store.status()).linesWithoutVector).toBe(0);
  });

  it("MEM-11 has the vector of a line that comes back, under whatever name and date", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(source, [{ line: 1, text: "alpha", time: "2026-01-01" }], "1");
    await store.embedMissing();
    await store.remove(source.id);
    const elsewhere = { ...source, id: "main/memory/other.md", path: "memory/other.md" };
    await store.put(elsewhere, [{ line: 7, text: "alpha", time: "2026-02-02" }], "1");
    expect(await store.embedMissing()).toEqual({ embedded: 0, left: 0 });
    expect(embedder.asked).toEqual(["alpha"]);
    expect((await store.search(question("alpha"))).mode).toBe("words-and-meaning");
  });

  it("MEM-11 keeps vectors when the index is made anew, and when it is opened again", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(source, numbered(["alpha", "beta"]), "1");
    await store.embedMissing();
    await store.clear({ keepVectors: true });
    await store.put(source, numbered(["alpha", "beta"]), "1");
    await store.close();
    const again = await home.open({ embedder });
    expect(await again.embedMissing()).toEqual({ embedded: 0, left: 0 });
    expect(embedder.asked).toHaveLength(2);
    await again.clear();
    expect((await again.status()).cachedVectors).toBe(0);
  });

  it("MEM-11 makes all vectors anew for another model, and none when it goes back", async () => {
    const [first, second] = [createCountingEmbedder(), createCountingEmbedder({ id: "test:other" })];
    for (const [embedder, asked] of [
      [first, 2],
      [second, 2],
      [first, 0],
      [second, 0],
    ] as const) {
      const store = await home.open({ embedder });
      embedder.asked.length = 0;
      await store.put(source, numbered(["alpha", "beta"]), "1");
      expect((await store.status()).linesWithoutVector).toBe(asked);
      await store.embedMissing();
      expect(embedder.asked).toHaveLength(asked);
      await store.close();
    }
  });

  it("MEM-11 keeps no more unused vectors than it may, the newest of them", async () => {
    const clock = createHandClock();
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, clock, cacheMaxEntries: 3 });
    const words = ["one", "two", "three", "four", "five", "six"];
    for (const word of words) {
      await store.put(source, numbered([word, "always"]), word);
      await store.embedMissing();
      await clock.advance(1000);
    }
    // Those in use do not count: `always` and `six`.
    expect((await store.status()).cachedVectors).toBe(5);
    embedder.asked.length = 0;
    await store.put(source, numbered(["always", "one", "five", "four", "three"]), "back");
    await store.embedMissing();
    expect(embedder.asked).toEqual(["one"]);
  });

  it("MEM-11 keeps all that lines need, whatever the limit", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, cacheMaxEntries: 0 });
    await store.put(source, numbered(["alpha", "beta", "gamma", "delta", "epsilon"]), "1");
    await store.embedMissing();
    expect(await store.status()).toMatchObject({ cachedVectors: 5, linesWithoutVector: 0 });
  });

  it("MEM-11 asks for no vector of a text that the embedder does not take", async () => {
    const embedder = createCountingEmbedder({ accepts: (text) => !/\p{Script=Han}/u.test(text) });
    const store = await home.open({ embedder });
    await store.put(source, numbered(["猫喜欢晒太阳", "the cat likes the sun"]), "1");
    expect(await store.embedMissing()).toEqual({ embedded: 1, left: 0 });
    expect(embedder.asked).toEqual(["the cat likes the sun"]);
    expect((await store.status()).linesWithoutVector).toBe(0);
    const answer = await store.search(question("晒太阳"));
    expect(answer).toMatchObject({ mode: "words" });
    expect(answer.degraded).toBeUndefined();
    expect(answer.hits[0]?.line).toBe(1);
  });

  it("MEM-09 finds by meaning, in step with what is written and taken out", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(
      source,
      numbered(["the harbour at dawn", "an engine without oil", "bread and butter"]),
      "1",
    );
    await store.embedMissing();
    const best = async () => (await store.search(question("harbour dawn"))).hits[0]?.text;
    expect(await best()).toBe("the harbour at dawn");
    await store.put(source, numbered(["an engine without oil", "a harbour before dawn"]), "2");
    await store.embedMissing();
    expect(await best()).toBe("a harbour before dawn");
  });

  it("MEM-09 searches by words when the embedder fails, and says why", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(source, numbered(["the harbour at dawn"]), "1");
    embedder.failNext(1, { retryable: true, message: "too many requests" });
    const answer = await store.search(question("harbour"));
    expect(answer).toMatchObject({ mode: "words", degraded: "too many requests" });
    expect(answer.hits).toHaveLength(1);
    expect(answer.freshness.linesWithoutVector).toBe(1);
  });

  it("MEM-09 does not wait longer than three seconds for the vector of a question", async () => {
    const clock = createHandClock();
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, clock });
    await store.put(source, numbered(["the harbour at dawn"]), "1");
    embedder.hang();
    const searching = store.search(question("harbour"));
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(3000);
    const answer = await searching;
    expect(answer.hits).toHaveLength(1);
    expect(answer.degraded).toContain("test:words");
  });

  it("MEM-11 tries again later when the embedder is away for a moment, after as long as it says", async () => {
    const clock = createHandClock();
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, clock });
    await store.put(source, numbered(["alpha"]), "1");
    embedder.failNext(1, { retryable: true, retryAfterMs: 7000 });
    const embedding = store.embedMissing();
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(6999);
    expect(embedder.asked).toEqual([]);
    await clock.advance(1);
    expect(await embedding).toEqual({ embedded: 1, left: 0 });
  });

  it("MEM-11 gives up on a failure that will not pass, and goes on where it was when it has", async () => {
    const embedder = createCountingEmbedder({ batchSize: 2 });
    const store = await home.open({ embedder });
    await store.put(source, numbered(["alpha", "beta", "gamma"]), "1");
    embedder.failNext(1, { retryable: false, message: "the key is wrong" });
    expect(await store.embedMissing()).toEqual({ embedded: 0, left: 3, problem: "the key is wrong" });
    expect((await store.status()).problem).toBe("the key is wrong");
    expect(await store.embedMissing()).toEqual({ embedded: 3, left: 0 });
    expect((await store.status()).problem).toBeUndefined();
  });

  it("MEM-11 stops when it is told to, and when the store is closed", async () => {
    const clock = createHandClock();
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, clock });
    await store.put(source, numbered(["alpha"]), "1");
    embedder.failNext(9, { retryable: true });
    const control = new AbortController();
    const stopped = store.embedMissing({ signal: control.signal });
    const closed = store.embedMissing();
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    control.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    const closing = store.close();
    await expect(closed).rejects.toMatchObject({ code: "storage/unavailable" });
    await closing;
  });

  it("MEM-11 makes all vectors anew when they come in another size, and says so until they are there", async () => {
    const embedder = createCountingEmbedder({ batchSize: 2 });
    const store = await home.open({ embedder });
    await store.put(source, numbered(["the harbour at dawn", "beta", "gamma"]), "1");
    await store.embedMissing();
    embedder.resize(96);
    const answer = await store.search(question("harbour dawn"));
    expect(answer).toMatchObject({ mode: "words", freshness: { linesWithoutVector: 3 } });
    expect(answer.degraded).toContain("differ in size");
    expect(answer.hits[0]?.line).toBe(1);
    embedder.failNext(1, { retryable: false });
    await store.embedMissing();
    expect((await store.search(question("harbour dawn"))).degraded).toContain("differ in size");
    expect(await store.embedMissing()).toEqual({ embedded: 3, left: 0 });
    const after = await store.search(question("harbour dawn"));
    expect(after).toMatchObject({ mode: "words-and-meaning", freshness: { linesWithoutVector: 0 } });
    expect(after.degraded).toBeUndefined();
    expect((await store.status()).cachedVectors).toBe(3);
  });

  it("MEM-11 makes all vectors anew when that of a new line has another size, after a restart as well", async () => {
    const embedder = createCountingEmbedder({ batchSize: 2 });
    const first = await home.open({ embedder });
    await first.put(source, numbered(["alpha", "beta", "gamma"]), "1");
    await first.embedMissing();
    await first.close();
    embedder.resize(32);
    const store = await home.open({ embedder });
    await store.put(source, numbered(["alpha", "beta", "gamma", "delta"]), "2");
    embedder.asked.length = 0;
    expect(await store.embedMissing()).toMatchObject({ left: 0 });
    expect(new Set(embedder.asked)).toEqual(new Set(["alpha", "beta", "gamma", "delta"]));
    expect((await store.search(question("alpha"))).mode).toBe("words-and-meaning");
  });

  it("MEM-11 gives up on an embedder whose vectors change their size again and again", async () => {
    const embedder = createCountingEmbedder({ batchSize: 1 });
    const store = await home.open({ embedder });
    await store.put(source, numbered(["alpha", "beta", "gamma", "delta"]), "1");
    embedder.resize(32, 64);
    const { problem } = await store.embedMissing();
    expect(problem).toContain("32");
    expect(problem).toContain("64");
  });

  it("MEM-11 needs no vector of a text in which nothing is known", async () => {
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder });
    await store.put(source, numbered(["qwrtz"]), "1");
    embedder.resize(0);
    expect(await store.embedMissing()).toMatchObject({ left: 0 });
    expect((await store.status()).linesWithoutVector).toBe(0);
    const answer = await store.search(question("qwrtz"));
    expect(answer).toMatchObject({ mode: "words" });
    expect(answer.degraded).toBeUndefined();
    // What is kept of it has no size that others would have to share.
    embedder.resize(32);
    await store.put(source, numbered(["qwrtz", "alpha"]), "2");
    embedder.asked.length = 0;
    await store.embedMissing();
    expect(embedder.asked).toEqual(["alpha"]);
  });

  it("MEM-09 tells in the reader's language what is wrong", async () => {
    const clock = createHandClock();
    const embedder = createCountingEmbedder();
    const store = await home.open({ embedder, clock, language: "zh" });
    embedder.hang();
    const searching = store.search(question("harbour"));
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(3000);
    expect((await searching).degraded).toBe("test:words 在 3 秒内没有应答。");
  });

  it("MEM-11 sees what another process writes", async () => {
    const embedder = createCountingEmbedder();
    const [here, there] = [await home.open({ embedder }), await home.open({ embedder })];
    await here.put(source, numbered(["the harbour at dawn"]), "1");
    await here.embedMissing();
    expect((await there.search(question("harbour dawn"))).hits).toHaveLength(1);
    await here.put(source, numbered(["the harbour at dawn", "dawn at the other harbour"]), "2");
    await here.embedMissing();
    const answer = await there.search(question("harbour dawn"));
    expect(answer.hits).toHaveLength(2);
    expect(answer.freshness.linesWithoutVector).toBe(0);
  });
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
