import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MemoryLine, MemorySource } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createIndexWriter, type IndexWriter } from "./index-writer.ts";
import { openIndex, type OpenIndex } from "./open-index.ts";

describe("the writer of the index", () => {
  let directory: string;
  let index: OpenIndex;
  let writer: IndexWriter;
  /** Terms that were made, in order. */
  let made: string[];
  let failsAt: string | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "pincer-index-"));
    index = await openIndex({ file: join(directory, "index.db"), versions: {}, clock: systemClock });
    made = [];
    failsAt = undefined;
    writer = createIndexWriter({
      connection: index.connection,
      isCurrent: index.isCurrent,
      tenantId: "t",
      clock: systemClock,
      termsOf({ text, who = "" }) {
        if (text === failsAt) throw new Error("cut off");
        made.push(text);
        return { body: text, head: who };
      },
      hashOf: ({ text }) => Buffer.from(text),
    });
  });
  afterEach(async () => {
    index.close();
    await rm(directory, { recursive: true });
  });

  const rows = () =>
    index.reader.prepare("SELECT line_id, position, line, text FROM lines ORDER BY position").all();
  const rowOf = (text: string) => rows().find((row) => row["text"] === text);
  const matches = (words: string) =>
    index.reader.prepare("SELECT rowid FROM words WHERE words MATCH ?").all(words).length;
  const isSound = () => index.connection.exec("INSERT INTO words (words) VALUES ('integrity-check')");

  it("MEM-11 touches one line when one changes", async () => {
    const before = numbered(["alpha", "beta", "gamma", "delta"]);
    await writer.put(source, before, "1");
    const kept = rows();
    made = [];
    const { change, touched } = await writer.put(source, before.with(1, { line: 2, text: "betatron" }), "2");
    expect(change).toEqual({ added: 1, removed: 1, moved: 0 });
    expect(touched).toHaveLength(2);
    // Taken out with the terms that were put in, and nothing besides.
    expect(made).toEqual(["beta", "betatron"]);
    expect(rows().filter((_, at) => at !== 1)).toEqual(kept.filter((_, at) => at !== 1));
    expect([matches("beta"), matches("betatron"), matches("gamma")]).toEqual([0, 1, 1]);
    isSound();
  });

  it("MEM-11 only moves lines that moved", async () => {
    await writer.put(source, numbered(["alpha", "beta", "gamma"]), "1");
    const [alpha, beta] = [rowOf("alpha"), rowOf("beta")];
    await writer.put(source, numbered(["new", "beta", "alpha"]), "2");
    expect(rowOf("alpha")).toEqual({ ...alpha, position: 2, line: 3 });
    expect(rowOf("beta")).toEqual(beta);
    expect([matches("gamma"), matches("new"), matches("alpha")]).toEqual([0, 1, 1]);
    isSound();
  });

  it("MEM-11 leaves all as it was when it is cut off halfway", async () => {
    await writer.put(source, numbered(["alpha", "beta"]), "1");
    const before = rows();
    failsAt = "omega";
    await expect(writer.put(source, numbered(["psi", "omega"]), "2")).rejects.toThrow("cut off");
    failsAt = undefined;
    expect(rows()).toEqual(before);
    expect([matches("alpha"), matches("psi")]).toEqual([1, 0]);
    expect(index.reader.prepare("SELECT stamp FROM sources").all()).toMatchObject([{ stamp: "1" }]);
    await writer.put(source, numbered(["alpha"]), "3");
    expect(matches("beta")).toBe(0);
    isSound();
  });

  it("MEM-11 lets readers see the old lines until all new ones are there", async () => {
    await writer.put(source, numbered(["alpha"]), "1");
    const many = Array.from({ length: 30_000 }, (_, at) => `word${at} and more`);
    const writing = writer.put(source, numbered(many), "2");
    await new Promise((resolve) => setImmediate(resolve));
    expect(matches("alpha")).toBe(1);
    expect(index.connection.isTransaction).toBe(true);
    await writing;
    expect([matches("alpha"), matches("word29999")]).toEqual([0, 1]);
  });

  it("MEM-11 leaves no trace of removed words in any file", async () => {
    const secrets = ["Quetzalcoatl", "zymurgy", "xylophonist"];
    await writer.put({ ...source, id: "other" }, numbered(["alpha beta", "gamma"]), "1");
    await writer.put(source, numbered(secrets.map((word) => `the ${word} of the house`)), "1");
    await writer.append(source, [{ line: 9, text: "jabberwocky" }], "2");
    expect(await bytesOfAll()).toContain("jabberwocky");
    await writer.remove(source.id);
    const left = (await bytesOfAll()).toLowerCase();
    for (const word of [...secrets, "jabberwocky"])
      expect(left).not.toContain(word.toLowerCase().slice(0, 6));
    expect(left).toContain("alpha");
    isSound();
  });

  it("MEM-11 leaves no trace of a line that was changed", async () => {
    await writer.put(source, numbered(["the zymurgy of the house", "alpha"]), "1");
    await writer.put(source, numbered(["the cellar of the house", "alpha"]), "2");
    expect(await bytesOfAll()).not.toContain("zymurg");
  });

  it("MEM-11 clears its own tenant's lines only", async () => {
    const parts = { connection: index.connection, isCurrent: () => true, clock: systemClock };
    const terms = ({ text }: MemoryLine) => ({ body: text, head: "" });
    const others = createIndexWriter({ ...parts, tenantId: "u", termsOf: terms, hashOf: () => Buffer.of(1) });
    await writer.put(source, numbered(["alpha"]), "1");
    await others.put(source, numbered(["beta"]), "1");
    await writer.clear();
    expect(rows()).toMatchObject([{ text: "beta" }]);
    expect([matches("alpha"), matches("beta")]).toEqual([0, 1]);
    await others.clear();
    expect([rows(), matches("beta")]).toEqual([[], 0]);
  });

  async function bytesOfAll(): Promise<string> {
    const file = join(directory, "index.db");
    const parts = await Promise.all(
      [file, `${file}-wal`].map((path) => readFile(path).catch(() => Buffer.of())),
    );
    return Buffer.concat(parts).toString("latin1");
  }
});

const source: MemorySource = { id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" };
const numbered = (texts: readonly string[]): MemoryLine[] =>
  texts.map((text, at) => ({ line: at + 1, text }));
