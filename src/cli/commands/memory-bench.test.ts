import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MemoryBenchReport } from "@pincer/memory-bench";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as memory from "./memory.ts";

const example = {
  name: "example",
  headline: ["facts"],
  collections: [
    {
      name: "talk",
      docs: [
        { id: "d1", text: "The demo is on Friday.", date: "2026-11-13T13:45", speaker: "Ada", session: "1" },
        { id: "d2", text: "Bob carries the slides.", date: "2026-11-13T13:45", speaker: "Bob", session: "1" },
        { id: "d3", text: "我们在里斯本讨论了预算。", date: "2026-11-14", session: "2" },
      ],
      queries: [
        { id: "q1", text: "When is the demo?", category: "facts", relevant: ["d1"] },
        { id: "q2", text: "里斯本的预算", category: "facts", relevant: ["d3"] },
        { id: "q3", text: "xylophone quokka", category: "facts", relevant: [] },
      ],
    },
  ],
};

async function homeWithMemory(): Promise<CommandHome> {
  const home = await createCommandHome();
  const workdir = join(home.root, "home", "workspace");
  await mkdir(join(workdir, "memory"), { recursive: true });
  await writeFile(join(workdir, "MEMORY.md"), "# People\n\n- Ada prefers green tea over coffee\n");
  await writeFile(join(workdir, "memory", "2026-11-15.md"), "- The demo was moved to Friday afternoon\n");
  await home.fill(async ({ sessions, entries }) => {
    const { session } = await sessions.open({
      sessionKey: "agent:main:main",
      workspaceId: "w_default",
      agentId: "main",
      origin: { channel: "cli" },
      cwd: "/",
    });
    await entries.append(session.sessionId, [
      {
        type: "message",
        message: { role: "user", content: [{ type: "text", text: "Bob carries the projector to Lisbon" }] },
      },
    ]);
  });
  return home;
}

const bench = (home: CommandHome, ...args: string[]) => home.run(memory, "memory", "bench", ...args);
const readSet = async (home: CommandHome, name: string) =>
  JSON.parse(await readFile(join(home.root, name), "utf8")) as typeof example;

describe("a set of one's own", () => {
  it("is made of memory files and conversations, for its owner alone", async () => {
    const home = await homeWithMemory();
    const made = await bench(home, "--make", "mine.json");
    expect(made).toMatchObject({ status: 0, out: "" });
    expect(made.err).toContain("mine.json: lines 4, questions 3. It contains your own words");
    const { docs = [], queries = [] } = (await readSet(home, "mine.json")).collections[0] ?? {};
    expect(docs.map(({ id }) => id)).toEqual([
      "MEMORY.md:1",
      "MEMORY.md:3",
      "memory/2026-11-15.md:1",
      expect.stringMatching(/^agents\/main\/sessions\/\w+\.jsonl:2$/),
    ]);
    expect(queries[0]).toEqual({
      id: "known-item-1",
      text: expect.stringContaining("coffee"),
      category: "known-item",
      relevant: ["MEMORY.md:3"],
    });
    expect((await stat(join(home.root, "mine.json"))).mode & 0o777).toBe(0o600);
  });

  it("is never written over, and not made of nothing", async () => {
    const home = await homeWithMemory();
    await bench(home, "--make", "mine.json", "--questions", "1");
    const before = await readSet(home, "mine.json");
    const again = await bench(home, "--make", "mine.json");
    expect(again).toMatchObject({ status: 2, err: expect.stringContaining("mine.json already exists") });
    expect(await readSet(home, "mine.json")).toEqual(before);
    const empty = await bench(await createCommandHome(), "--make", "mine.json");
    expect(empty.err).toContain("no memory files and no conversations of main");
    expect((await bench(home, "--make", "x.json", "--agent", "nobody")).err).toContain("nobody");
  });

  it("takes questions of one's own, after looking whether their places exist", async () => {
    const home = await homeWithMemory();
    await bench(home, "--make", "mine.json");
    const add = (...args: string[]) => bench(home, "--add", "mine.json", ...args);
    const added = await add(
      "--question",
      "What does she drink?",
      "--relevant",
      "MEMORY.md:3, memory/2026-11-15.md:1",
    );
    expect(added).toMatchObject({ status: 0, err: "Added as own-1; mine.json has questions: 4.\n" });
    expect((await add("--question", "Who cooks?", "--relevant", "", "--json")).json()).toMatchObject({
      id: "own-2",
    });
    const set = await readSet(home, "mine.json");
    expect(set.headline).toEqual(["known-item", "own"]);
    expect(set.collections[0]?.queries.slice(-2)).toMatchObject([
      { text: "What does she drink?", relevant: ["MEMORY.md:3", "memory/2026-11-15.md:1"] },
      { text: "Who cooks?", relevant: [] },
    ]);
    const missing = await add("--question", "?", "--relevant", "MEMORY.md:9");
    expect(missing).toMatchObject({
      status: 2,
      err: expect.stringContaining("The set has no line MEMORY.md:9."),
    });
    expect((await add("--question", "?")).err).toContain("--add needs --question and --relevant");
  });
});

describe("measuring", () => {
  async function homeWithSet(): Promise<CommandHome> {
    const home = await createCommandHome();
    await writeFile(join(home.root, "set.json"), JSON.stringify(example));
    return home;
  }

  it("prints a table by category, with the times, and leaves nothing behind", async () => {
    const home = await homeWithSet();
    const ran = await bench(home, "set.json");
    expect(ran).toMatchObject({ status: 0, err: "" });
    const rows = ran.out.split("\n").map((row) => row.split(/ {2,}/));
    expect(rows[0]).toEqual(["example: lines 3, questions 3, embedder none"]);
    expect(rows[2]).toEqual("category questions R@5 R@10 R@20 MRR nDCG@10 R@400t R@1600t nothing".split(" "));
    expect(rows.find(([name]) => name === "overall")).toEqual([
      "overall",
      "2",
      "100.0",
      "100.0",
      "100.0",
      "100.0",
      "100.0",
      "100.0",
      "100.0",
      "0.0",
    ]);
    expect(ran.out).toContain("Questions without an answer: 1; nothing was found for 100.0 % of them.");
    expect(ran.out).toMatch(/A search took [\d.]+ ms \(p50\), [\d.]+ ms \(p95\); indexing took [\d.]+ s\./);
    expect(await stat(join(home.root, "home")).catch(() => undefined)).toBeUndefined();
  });

  it("keeps what it made where that is wanted, and prints one JSON document", async () => {
    const home = await homeWithSet();
    const ran = await bench(home, "set.json", "--keep", "--json");
    const report = ran.json<MemoryBenchReport>();
    expect(report).toMatchObject({ overall: { "R@5": 1 }, unanswerable: { questions: 1, nothing: 1 } });
    const { directory = "" } = report;
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const note = await readFile(join(directory, "1-talk/workdir/memory/2026-11-13.md"), "utf8");
    expect(note).toBe("# 2026-11-13 13:45\n\nAda: The demo is on Friday.\nBob: Bob carries the slides.\n");
  });

  it("shows how far it is on a terminal", async () => {
    const home = await homeWithSet();
    const terminal = createFakeTerminal({ errIsTerminal: true });
    const { err } = await home.runAt(terminal, memory, "memory", "bench", "set.json");
    expect(err).toContain("talk: indexing");
    expect(err.endsWith("talk: question 3 of 3\r\u001b[K")).toBe(true);
  });

  it("says what is wrong with what it was given, in two languages", async () => {
    const home = await homeWithSet();
    expect(await bench(home)).toMatchObject({
      status: 2,
      err: expect.stringContaining("Name a set to measure"),
    });
    expect((await bench(home, "set.json", "--make", "x.json")).status).toBe(2);
    expect((await bench(home, "gone.json")).err).toContain("gone.json cannot be read");
    await writeFile(join(home.root, "bad.json"), '{"name": "x", "collections": []}');
    expect((await bench(home, "bad.json")).err).toContain("bad.json is not a set of questions: collections");
    expect((await bench(home, "set.json", "--embedder", "magic")).err).toContain("none, local, auto");
    expect((await bench(home, "set.json", "--embedder", "local")).err).toContain(
      "The local embedder is not installed",
    );
    const chinese = await home.runInChinese(memory, "memory", "bench", "bad.json");
    expect(chinese.err).toContain("bad.json 不是问题集");
  });
});
