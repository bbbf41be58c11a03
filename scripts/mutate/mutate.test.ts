import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mutate, summaryOf } from "./mutate.ts";
import type { TestChoice, TestRun } from "./run-tests.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

describe("the mutation run", () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "mutated-"));
    await symlink(join(repository, "node_modules"), join(root, "node_modules"));
    await put("package.json", `{ "type": "module" }`);
    const project = (name: string, folder: string) =>
      `{ test: { name: "${name}", include: ["${folder}/**/*.test.ts"] } }`;
    await put(
      "vitest.config.ts",
      `export default { test: { projects: [${project("unit", "src")}, ${project("escape", "test/escape")}] } };`,
    );
    await put("src/policy/door.ts", door);
    await put("src/policy/door.test.ts", doorTest);
  });
  afterEach(() => rm(root, { recursive: true }));

  async function put(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  const copiesLeft = async () => {
    const names = (await readdir(tmpdir())).filter((name) => name.startsWith("mutants-"));
    return names.filter((name) => existsSync(join(tmpdir(), name, "src/policy/door.ts")));
  };

  const door = `
    export function isOpen(name: string): boolean {
      if (name === "stranger") return false;
      if (name === "burglar") return false;
      return true;
    }`;
  const doorTest = `
    import { expect, it } from "vitest";
    import { isOpen } from "./door.ts";
    it("lets a friend in", () => { expect(isOpen("friend")).toBe(true); });
    it("refuses a stranger", () => { expect(isOpen("stranger")).toBe(false); });`;

  it("tells which guards can go without any test noticing", async () => {
    // Neither of these tests notices anything: one fails anyway, the other never.
    await put(
      "src/policy/red.test.ts",
      `import { expect, it } from "vitest"; it("is red", () => { expect(1).toBe(2); });`,
    );
    await put(
      "src/routing/hall.test.ts",
      `import { expect, it } from "vitest";
       import { isOpen } from "../policy/door.ts";
       it("opens", () => { expect(isOpen("friend")).toBe(true); });`,
    );
    const told: number[] = [];
    const found = await mutate({ root, seed: "1", count: 10, onResult: (_, done) => told.push(done) });
    const outcomes = found.results.map(({ line, change, outcome }) => `${line} ${change} ${outcome}`);
    expect(outcomes.sort()).toEqual([
      "3 forced killed",
      "3 removed killed",
      "4 forced killed",
      "4 removed survived",
    ]);
    expect(found).toMatchObject({ seed: "1", offered: 4, total: 4, killed: 3, score: 0.75 });
    expect(told).toEqual([1, 2, 3, 4]);
    expect(await readFile(join(root, "src/policy/door.ts"), "utf8")).toBe(door);
    expect(summaryOf(found)).toBe(
      `survived: src/policy/door.ts:4 removed: if (name === "burglar") return false;\n` +
        "3 of 4 mutants were killed: 75 % (at least 85 %, aim 95 %); drawn from 4 with --seed 1",
    );
  }, 120_000);

  describe("with tests that answer as they are told", () => {
    // Nothing is run, so no package is needed.
    beforeEach(async () => {
      await rm(join(root, "node_modules"));
      await mkdir(join(root, "node_modules"));
    });
    /** One answer per run, by what is run and whether the mutant is in. */
    const scripted = (answer: (choice: string, isMutated: boolean) => TestRun | undefined) => {
      const runs: string[] = [];
      const run = async (copy: string, choice: TestChoice) => {
        expect(copy).not.toBe(root);
        const isMutated = (await readFile(join(copy, "src/policy/door.ts"), "utf8")) !== door;
        const name = choice.type === "files" ? choice.paths.join() : `related to ${choice.file}`;
        const present = (await readdir(join(copy, "src/policy"))).filter((each) => each.endsWith(".test.ts"));
        runs.push(`${isMutated ? "mutant" : "sound"}: ${name} (${present.length})`);
        return answer(name, isMutated) ?? ({ type: "passed", count: 1 } as const);
      };
      return { run, runs };
    };
    const failed = (...files: string[]): TestRun => ({ type: "failed", files, first: "x" });
    const nearest = "src/policy/door.test.ts";
    const other = "src/policy/other.test.ts";

    it("goes from the nearest tests to the farthest, and stops at the first that notices", async () => {
      const { run, runs } = scripted((name, isMutated) =>
        isMutated && name !== nearest && name !== "src/policy/" ? failed(other) : undefined,
      );
      const { results } = await mutate({ root, seed: "1", count: 1, run });
      expect(results).toMatchObject([{ outcome: "killed", by: other, test: "x" }]);
      expect(runs).toEqual([
        `mutant: ${nearest} (1)`,
        "mutant: src/policy/ (1)",
        "mutant: related to src/policy/door.ts (1)",
        `mutant: ${other} (1)`,
        `sound: ${other} (1)`,
      ]);
    });

    it("does not take tests that no longer end for noticed, and says so", async () => {
      const { run } = scripted((name, isMutated) =>
        isMutated && name === "src/policy/" ? { type: "unclear", files: [], reason: "not done" } : undefined,
      );
      const found = await mutate({ root, seed: "1", count: 1, run });
      expect(found).toMatchObject({
        killed: 0,
        score: 0,
        results: [{ outcome: "unclear", reason: "not done" }],
      });
      expect(summaryOf(found)).toMatch(/^unclear: src\/policy\/door\.ts:\d+ /);
    });

    it("looks among the other tests of a file when one took too long, and beyond the file", async () => {
      const slow: TestRun = { type: "unclear", files: [nearest], reason: "a test took too long" };
      const { run, runs } = scripted((name, isMutated) => {
        if (!isMutated) return undefined;
        if (name === nearest) return runs.length === 1 ? slow : failed(nearest);
        return undefined;
      });
      const { results } = await mutate({ root, seed: "1", count: 1, run });
      expect(results).toMatchObject([{ outcome: "killed", by: nearest, test: "x" }]);
      const beyond = scripted((name, isMutated) =>
        isMutated ? (name === nearest ? slow : failed(other)) : undefined,
      );
      const { results: far } = await mutate({ root, seed: "1", count: 1, run: beyond.run });
      expect(far).toMatchObject([{ outcome: "killed", by: other }]);
    });

    it("does not believe a test that fails now and then, and goes on without it", async () => {
      await put(other, "");
      let isFirst = true;
      const { run, runs } = scripted((name) => {
        if (name !== "src/policy/" || !isFirst) return undefined;
        isFirst = false;
        return failed(other);
      });
      const { results } = await mutate({ root, seed: "1", count: 1, run });
      expect(results).toMatchObject([{ outcome: "survived" }]);
      expect(runs).toEqual([
        `mutant: ${nearest} (2)`,
        "mutant: src/policy/ (2)",
        `mutant: ${other} (2)`,
        "mutant: src/policy/ (1)",
        "mutant: related to src/policy/door.ts (1)",
      ]);
    });

    it("does not believe a test that fails without the mutant", async () => {
      const { run } = scripted((name) => (name === nearest ? failed(nearest) : undefined));
      const { results } = await mutate({ root, seed: "1", count: 1, run });
      expect(results).toMatchObject([{ outcome: "survived" }]);
    });

    it("leaves no copy behind when it is stopped", async () => {
      const before = await copiesLeft();
      const stop = new AbortController();
      const run = async (): Promise<never> => {
        stop.abort();
        throw stop.signal.reason;
      };
      await expect(mutate({ root, seed: "1", run, signal: stop.signal })).rejects.toThrow("aborted");
      expect((await copiesLeft()).filter((name) => !before.includes(name))).toEqual([]);
    });
  });
});
