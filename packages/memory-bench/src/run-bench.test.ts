import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryStore } from "@pincer/sdk";
import { createHandClock, createPlainMemoryStore } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BenchSet } from "./bench-set.ts";
import { runBench, type BenchParts, type BenchProgress } from "./run-bench.ts";

const said = { session: "1", date: "2026-05-08T13:56" };
const set: BenchSet = {
  name: "example",
  headline: ["facts"],
  collections: [
    {
      name: "talk",
      docs: [
        { id: "d1", text: "The demo is on Friday", speaker: "Ada", ...said },
        { id: "d2", text: "Slides come from Bob", speaker: "Bob", ...said },
        { id: "d3", text: "Lunch was late", session: "2", date: "2026-05-09" },
      ],
      queries: [
        { id: "q1", text: "demo", category: "facts", relevant: ["d1"] },
        { id: "q2", text: "lunch slides", category: "facts", relevant: ["d2", "d3"] },
        { id: "q3", text: "giraffes", category: "facts", relevant: ["d1"] },
        { id: "q4", text: "zebras", category: "facts", relevant: [] },
        { id: "q5", text: "late", category: "other", relevant: ["d1"] },
      ],
    },
    {
      name: "../日记",
      docs: [{ id: "d1", text: "我们在里斯本开会" }],
      queries: [{ id: "q1", text: "里斯本", category: "facts", relevant: ["d1"] }],
    },
  ],
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-memory-bench-"));
});
afterEach(() => rm(directory, { recursive: true }));

function setUp(openStore: BenchParts["openStore"] = async () => createPlainMemoryStore()) {
  let ms = 0;
  const seen: BenchProgress[] = [];
  const files: string[] = [];
  const parts: BenchParts = {
    openStore: (file) => {
      files.push(file);
      return openStore(file);
    },
    clock: createHandClock(),
    stopwatch: () => (ms += 2),
    signal: new AbortController().signal,
    onProgress: (progress) => seen.push(progress),
  };
  return { parts, seen, files };
}

describe("a bench", () => {
  it("writes the documents as memory files, searches them and holds what comes back against the set", async () => {
    const { parts, seen, files } = setUp();
    const report = await runBench(set, { directory, limit: 60 }, parts);
    expect(report).toMatchObject({ name: "example", limit: 60, questions: 6, embedder: null });
    expect(report.overall).toMatchObject({ questions: 4, "R@5": 0.75, "R@1600t": 0.75, nothing: 0.25 });
    expect(report.overall.MRR).toBe(0.75);
    expect(report.categories).toMatchObject([
      { category: "facts", counts: true, questions: 4 },
      { category: "other", counts: false, questions: 1, "R@20": 0, nothing: 0 },
    ]);
    expect(report.collections).toMatchObject([
      { collection: "talk", questions: 3 },
      { collection: "../日记", questions: 1, "R@5": 1 },
    ]);
    expect(report.unanswerable).toEqual({ questions: 1, nothing: 1 });
    expect(report.searchMs).toEqual({ p50: 2, p95: 2 });
    expect(report.indexSeconds).toBe(0.004);
    expect(seen.filter(({ type }) => type === "indexing")).toHaveLength(2);
    expect(seen.at(-1)).toEqual({ type: "asking", name: "../日记", done: 1, total: 1 });
    const [first = "", second = ""] = files;
    expect(await readFile(join(first, "../workdir/memory/2026-05-08.md"), "utf8")).toBe(
      "# 2026-05-08 13:56\n\nAda: The demo is on Friday\nBob: Slides come from Bob\n",
    );
    expect([first, second].every((file) => file.startsWith(`${directory}/`))).toBe(true);
  });

  it("asks when the last of the dated documents is written, and now where none has a date", async () => {
    const asked: number[] = [];
    const { parts } = setUp(async () => {
      const store = createPlainMemoryStore();
      return {
        ...store,
        search(query, signal) {
          asked.push(query.now);
          return store.search(query, signal);
        },
      } satisfies MemoryStore;
    });
    await runBench(set, { directory, limit: 5 }, parts);
    expect([...new Set(asked)]).toEqual([Date.UTC(2026, 4, 9), parts.clock.now()]);
  });

  it("says when meaning could not be looked at, and closes what it opened though it fails", async () => {
    const closed: string[] = [];
    const storeThat = (changes: (store: MemoryStore) => Partial<MemoryStore>) =>
      setUp(async (file) => {
        const store = createPlainMemoryStore();
        const close = async () => void closed.push(file);
        return { ...store, close, ...changes(store) };
      });
    const failing = storeThat((store) => ({
      embedMissing: async () => ({ embedded: 0, left: 3, problem: "no network" }),
      search: async (query) => ({ ...(await store.search(query)), degraded: "no answer" }),
    }));
    const report = await runBench(set, { directory, limit: 5 }, failing.parts);
    expect(report.degraded).toEqual({ questions: 6, reason: "no answer" });
    expect(closed).toEqual(failing.files);
    const broken = storeThat(() => ({
      search: async () => {
        throw new Error("broken");
      },
    }));
    await expect(runBench(set, { directory, limit: 5 }, broken.parts)).rejects.toThrow("broken");
    expect(closed).toHaveLength(3);
  });

  it("leaves out the figures that so few lines cannot tell", async () => {
    const figures = async (limit: number) =>
      (await runBench(set, { directory: join(directory, String(limit)), limit }, setUp().parts)).overall;
    const untold = { "R@10": null, "R@20": null, "nDCG@10": null, "R@1600t": null };
    expect(await figures(4)).toMatchObject({ ...untold, "R@5": null, MRR: 0.75, "R@400t": 0.75 });
    expect(await figures(5)).toMatchObject({ ...untold, "R@5": 0.75 });
    expect(await figures(59)).toMatchObject({ "R@20": 0.75, "nDCG@10": 0.75, "R@1600t": null });
  });

  it("stops when it is told to", async () => {
    const interrupt = new AbortController();
    const { parts } = setUp();
    const stopping = {
      ...parts,
      signal: interrupt.signal,
      onProgress: ({ type }: BenchProgress) => {
        if (type === "asking") interrupt.abort(new Error("interrupted"));
      },
    };
    await expect(runBench(set, { directory, limit: 5 }, stopping)).rejects.toThrow("interrupted");
  });
});
