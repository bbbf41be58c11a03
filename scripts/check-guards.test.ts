import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkGuards } from "./check-guards.ts";
import { copyRepository } from "./copy-repository.ts";
import { findGuards, flawOfGuard } from "./guard-lists.ts";
import { judgeReport } from "./run-test-file.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));

it("finds every listed guard exactly once in its file", () => {
  const flaws = findGuards(repository).flatMap((guard) => {
    const flaw = flawOfGuard(repository, guard);
    return flaw === undefined ? [] : [`${guard.guard}: ${flaw}`];
  });
  expect(flaws).toEqual([]);
});

describe("the check of guards", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "guarded-"));
    await symlink(join(repository, "node_modules"), join(root, "node_modules"));
    await put("package.json", `{ "type": "module" }`);
    await put(
      "vitest.config.ts",
      `export default { test: { projects: [{ test: { name: "unit", include: ["src/**/*.test.ts"] } }] } };`,
    );
    await put("src/door.ts", door);
    await put("src/door.test.ts", doorTest);
  });
  afterEach(() => rm(root, { recursive: true }));

  async function put(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  const list = (guards: Array<{ guard: string; from: string; to: string; file?: string; test?: string }>) =>
    put(
      "src/guards.json",
      JSON.stringify(guards.map((each) => ({ file: "src/door.ts", test: "src/door.test.ts", ...each }))),
    );
  const outcomes = async (parts: Partial<Parameters<typeof checkGuards>[0]> = {}) =>
    Object.fromEntries((await checkGuards({ root, ...parts })).map(({ guard, outcome }) => [guard, outcome]));
  const copiesLeft = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("guards-"));

  const door = `
    export function isOpen(name: string): boolean {
      if (name === "stranger") return false;
      if (name === "burglar") return false;
      if (name === "") return true === false;
      return true;
    }`;
  const doorTest = `
    import { expect, it } from "vitest";
    import { isOpen } from "./door.ts";
    it("lets a friend in", () => { expect(isOpen("friend")).toBe(true); });
    it("refuses a stranger", () => { expect(isOpen("stranger")).toBe(false); });`;
  const live = { guard: "live", from: `if (name === "stranger") return false;`, to: "" };
  const dead = { guard: "dead", from: `if (name === "burglar") return false;`, to: "" };

  it("tells a guard that is noticed from one that is not, and from one whose removal only breaks", async () => {
    await put(
      "src/red.test.ts",
      `import { expect, it } from "vitest"; it("is red", () => { expect(1).toBe(2); });`,
    );
    await list([
      live,
      dead,
      { guard: "unreadable", from: live.from, to: "if (" },
      {
        guard: "unloadable",
        from: "export function isOpen",
        to: `import "./gone.ts"; export function isOpen`,
      },
      { guard: "unknown word", from: live.from, to: "if (nobody(name)) return false;" },
      { guard: "red before", from: live.from, to: "", test: "src/red.test.ts" },
    ]);
    const told: string[] = [];
    const found = await outcomes({
      onResult: ({ guard }, done, total) => told.push(`${guard} ${done}/${total}`),
    });
    expect(found).toEqual({
      live: "noticed",
      dead: "unnoticed",
      unreadable: "broken",
      unloadable: "broken",
      "unknown word": "broken",
      "red before": "red-before",
    });
    expect(told).toHaveLength(6);
    expect(await readFile(join(root, "src/door.ts"), "utf8")).toBe(door);
  }, 120_000);

  it("names a guard whose text is missing, not unique or replaced by itself, and one without a file or a test", async () => {
    await list([
      { guard: "missing", from: "no such text", to: "" },
      { guard: "not unique", from: "return false;", to: "" },
      { guard: "the same", from: live.from, to: live.from },
      { guard: "no file", from: live.from, to: "", file: "src/gone.ts" },
      { guard: "no test", from: live.from, to: "", test: "src/gone.test.ts" },
    ]);
    const results = await checkGuards({ root, run: async () => ({ type: "passed", count: 1 }) });
    expect(results.map(({ guard, outcome, detail }) => [guard, outcome, detail])).toEqual([
      ["missing", "bad-entry", "its text occurs 0 times in src/door.ts"],
      ["not unique", "bad-entry", "its text occurs 2 times in src/door.ts"],
      ["the same", "bad-entry", "its replacement changes nothing"],
      ["no file", "bad-entry", "src/gone.ts does not exist"],
      ["no test", "bad-entry", "src/gone.test.ts does not exist"],
    ]);
  });

  it("takes one guard out at a time, in a copy, puts it back, and takes its replacement literally", async () => {
    await list([{ ...live, to: `if (name === "$&") return false;` }, dead]);
    const seen: string[] = [];
    const run = async (copy: string) => {
      expect(copy).not.toBe(root);
      seen.push(await readFile(join(copy, "src/door.ts"), "utf8"));
      return { type: "passed", count: 1 } as const;
    };
    await checkGuards({ root, run });
    const expected = [
      door,
      door.replace(live.from, () => `if (name === "$&") return false;`),
      door.replace(dead.from, ""),
    ];
    expect(seen.sort()).toEqual(expected.sort());
  });

  it("takes only what it is asked for", async () => {
    await list([live, dead]);
    const run = async () => ({ type: "failed", first: "x" }) as const;
    expect(await outcomes({ only: "dea", run })).toEqual({ dead: "red-before" });
    expect(await outcomes({ only: "nothing has this", run })).toEqual({});
  });

  it("leaves no copy behind when it is stopped", async () => {
    await list([live, dead]);
    const stop = new AbortController();
    const before = await copiesLeft();
    const run = async (): Promise<never> => {
      stop.abort();
      throw stop.signal.reason;
    };
    await expect(checkGuards({ root, run, signal: stop.signal })).rejects.toThrow("aborted");
    const left = (await copiesLeft()).filter((name) => !before.includes(name));
    const own = left.filter((name) => existsSync(join(tmpdir(), name, "src/door.ts")));
    expect(own).toEqual([]);
  });

  it("refuses a list that is none, and an entry without all of its parts", async () => {
    await put("src/guards.json", "{}");
    expect(() => findGuards(root)).toThrow("src/guards.json is not a list");
    await put("src/guards.json", `[{ "guard": "x" }]`);
    expect(() => findGuards(root)).toThrow("src/guards.json: entry 1 lacks one of");
  });

  it("copies the repository's own packages, and links those that were installed", async () => {
    await rm(join(root, "node_modules"));
    await put("packages/own/index.ts", "export const own = 1;");
    await put("node_modules/other/index.js", "");
    await mkdir(join(root, "node_modules/@scope"));
    await symlink("../../packages/own", join(root, "node_modules/@scope/own"));
    const copy = await copyRepository(root);
    await writeFile(join(copy.root, "node_modules/@scope/own/index.ts"), "changed");
    expect(await readFile(join(copy.root, "packages/own/index.ts"), "utf8")).toBe("changed");
    expect(await readFile(join(root, "packages/own/index.ts"), "utf8")).toBe("export const own = 1;");
    expect(existsSync(join(copy.root, "node_modules/other/index.js"))).toBe(true);
    await copy.remove();
    expect(existsSync(join(root, "node_modules/other/index.js"))).toBe(true);
    expect(existsSync(copy.root)).toBe(false);
  });
});

describe("the report of a test run", () => {
  const result = (status: string, ...failureMessages: string[]) => ({
    fullName: "a test",
    status,
    failureMessages,
  });
  const judge = (success: boolean, passed: number, ...results: Array<ReturnType<typeof result>>) =>
    judgeReport({
      success,
      numPassedTests: passed,
      testResults: [{ message: "told", assertionResults: results }],
    });

  it("is a failure only where a test ran and said so", () => {
    expect(judge(true, 1, result("passed"))).toEqual({ type: "passed", count: 1 });
    expect(judge(false, 0, result("failed", "AssertionError: 1"))).toEqual({
      type: "failed",
      first: "a test",
    });
    expect(judge(false, 0)).toEqual({ type: "broken", reason: "told" });
    expect(judge(true, 0, result("skipped"))).toMatchObject({ type: "broken" });
    expect(judge(false, 0, result("failed", "SyntaxError: x"))).toMatchObject({ type: "broken" });
    expect(judge(false, 1, result("passed"))).toMatchObject({ type: "broken" });
  });
});
