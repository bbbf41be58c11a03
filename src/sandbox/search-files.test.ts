import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileSearch } from "./search-files.ts";
import { createWorkdirFiles, type WorkdirFiles } from "./workdir-files.ts";

let base: string;
let files: WorkdirFiles;

async function put(path: string, content: string | Buffer) {
  await mkdir(dirname(join(base, "work", path)), { recursive: true });
  await writeFile(join(base, "work", path), content);
}

const find = (query: string, more: Partial<FileSearch> = {}) =>
  files.search({
    query,
    isExpression: false,
    in: "text",
    path: ".",
    maxResults: 50,
    signal: new AbortController().signal,
    deadlineMs: 60_000,
    ...more,
  });
const linesOf = async (query: string, more: Partial<FileSearch> = {}) =>
  (await find(query, more)).hits.map(({ path, line, text }) => (line ? `${path}:${line}:${text}` : path));

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-search-"));
  await put("a.ts", "one\ntwo (x)\nthree two\n");
  await put("src/b.ts", "two\r\nfour\r\n");
  await put("src/c.md", "two");
  files = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") });
});
afterEach(() => rm(base, { recursive: true }));

describe("searching files", () => {
  it("TOOL-09 finds lines with their numbers, taking the words as they are", async () => {
    expect(await linesOf("two")).toEqual([
      "src/b.ts:1:two\r",
      "src/c.md:1:two",
      "a.ts:2:two (x)",
      "a.ts:3:three two",
    ]);
    expect(await linesOf("(x)")).toEqual(["a.ts:2:two (x)"]);
    expect(await linesOf("t.o")).toEqual([]);
  });

  it("takes an expression when told so, and says when it is none", async () => {
    expect(await linesOf("^t.o$", { isExpression: true })).toEqual(["src/b.ts:1:two\r", "src/c.md:1:two"]);
    await expect(find("(", { isExpression: true })).rejects.toThrow(/no regular expression/);
  });

  it("keeps to a directory, a file, or paths that fit", async () => {
    expect(await linesOf("two", { path: "src" })).toEqual(["src/b.ts:1:two\r", "src/c.md:1:two"]);
    expect(await linesOf("two", { path: "src/c.md" })).toEqual(["src/c.md:1:two"]);
    expect(await linesOf("two", { glob: "*.md" })).toEqual(["src/c.md:1:two"]);
    expect(await linesOf("two", { glob: "src/**/*.ts" })).toEqual(["src/b.ts:1:two\r"]);
  });

  it("finds names", async () => {
    expect(await linesOf("c", { in: "names" })).toEqual(["src/", "src/c.md"]);
    expect(await linesOf("\\.ts$", { in: "names", isExpression: true })).toEqual(["src/b.ts", "a.ts"]);
  });

  it("stops when it has enough, and says so", async () => {
    expect(await find("two", { maxResults: 2 })).toMatchObject({ hits: [{}, {}], isCut: "enough" });
    expect((await find("two")).isCut).toBeUndefined();
  });

  it("passes by what is binary, large, or came from elsewhere, unless that is named", async () => {
    await put("binary", Buffer.from("two\0two"));
    await put("large", `two\n${"x".repeat(1_000_000)}`);
    await put("node_modules/x/index.js", "two");
    await put(".git/config", "two");
    expect((await linesOf("two")).length).toBe(4);
    expect(await linesOf("two", { path: "node_modules" })).toEqual(["node_modules/x/index.js:1:two"]);
    expect(await linesOf("two", { glob: ".git/**" })).toEqual([".git/config:1:two"]);
  });

  it("follows no link", async () => {
    await writeFile(join(base, "outside.txt"), "two");
    await symlink(base, join(base, "work", "up"));
    await symlink(join(base, "outside.txt"), join(base, "work", "out.txt"));
    expect((await linesOf("two")).length).toBe(4);
    await expect(find("two", { path: "up" })).rejects.toThrow(/outside the workdir/);
  });

  it("does not hang on an expression without end, and lets others work meanwhile", async () => {
    await put("src/bad.txt", `${"a".repeat(64)}!`);
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 20);
    const found = await find("(a+)+$", { isExpression: true, path: "src/bad.txt", deadlineMs: 600 });
    clearInterval(heart);
    expect(found).toEqual({ hits: [], isCut: "time", seen: [] });
    expect(beats).toBeGreaterThan(3);
  });

  it("stops with the turn", async () => {
    await put("src/bad.txt", `${"a".repeat(64)}!`);
    const stop = new AbortController();
    const searching = find("(a|a)*$", { isExpression: true, path: "src/bad.txt", signal: stop.signal });
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(searching).rejects.toThrow("enough");
  });
});
