import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { applyMutant, chooseMutants, findMutants, type Mutant } from "./find-mutants.ts";
import { mutantsIn } from "./mutate.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const inSource = (source: string) => findMutants("src/door.ts", source);
const changed = (source: string) => inSource(source).map((mutant) => applyMutant(source, mutant));

describe("mutants", () => {
  it("remove and force the condition of every if", () => {
    expect(changed(`if (!known) leave();`)).toEqual([
      `if ((false && (!known))) leave();`,
      `if ((true || (!known))) leave();`,
    ]);
    expect(changed(`if (a) { b(); } else if (c) throw d;`)).toHaveLength(4);
  });

  it("are not made of what guards nothing: defaults, sums and loops", () => {
    for (const source of [
      `const name = a || b;`,
      `const f = () => a ?? b;`,
      `const sum = (a: number, b: number) => a + b;`,
      `while (a && b) c();`,
    ])
      expect(changed(source)).toEqual([]);
  });

  it("turn the yes or no that a function returns into either answer", () => {
    expect(changed(`const isOwn = (name: string) => name === own;`)).toEqual([
      `const isOwn = (name: string) => (false && (name === own));`,
      `const isOwn = (name: string) => (true || (name === own));`,
    ]);
    expect(changed(`function f(a: number) { return a < 3; }`)).toHaveLength(2);
    for (const answer of ["a && b", "a || b", "!a", "(a !== b)", "a instanceof B"]) {
      expect(changed(`const f = () => ${answer};`)).toHaveLength(2);
      expect(changed(`function f() { return ${answer}; }`)).toHaveLength(2);
    }
  });

  it("know their line, and keep their name when lines move", () => {
    const source = `let a = "ä, 漢";\n\nif (a) b();\nif (a) c();`;
    expect(inSource(source).map(({ line, change, source: text }) => [line, change, text])).toEqual([
      [3, "removed", "if (a) b();"],
      [3, "forced", "if (a) b();"],
      [4, "removed", "if (a) c();"],
      [4, "forced", "if (a) c();"],
    ]);
    const ids = inSource(source).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(inSource(`\n\n${source}`).map(({ id }) => id)).toEqual(ids);
  });

  it("refuse a source that cannot be parsed", () => {
    expect(() => inSource("if (")).toThrow("src/door.ts cannot be parsed");
  });
});

describe("the choice", () => {
  const mutants = mutantsIn(repository);

  it("is the same for the same seed and another for another one", () => {
    const ids = (seed: string, from: readonly Mutant[] = mutants) =>
      chooseMutants(from, seed, 24).map(({ id }) => id);
    expect(ids("a")).toEqual(ids("a", mutants.toReversed()));
    expect(ids("a")).not.toEqual(ids("b"));
    expect(new Set(ids("a")).size).toBe(24);
    // What is added elsewhere leaves the rest of the choice as it was.
    const [first, ...others] = ids("a");
    expect(
      ids(
        "a",
        mutants.filter(({ id }) => id !== first),
      ).slice(0, 23),
    ).toEqual(others);
  });

  it("is made among guards of the product and never of its tests", () => {
    expect(mutants.length).toBeGreaterThan(1000);
    const files = [...new Set(mutants.map(({ file }) => file))];
    expect(files.filter((file) => /\.test\.ts$|\/testing\//.test(file))).toEqual([]);
    for (const folder of ["policy", "sandbox", "storage"])
      expect(files.some((file) => file.startsWith(`src/${folder}/`))).toBe(true);
    expect(mutantsIn(repository, ["policy"]).every(({ file }) => file.startsWith("src/policy/"))).toBe(true);
    expect(() => mutantsIn(repository, ["nowhere"])).toThrow("there is no folder src/nowhere");
  });

  it("holds only mutants that are valid code", () => {
    fc.assert(
      fc.property(fc.constantFrom(...mutants), (mutant) => {
        const source = readFileSync(`${repository}${mutant.file}`, "utf8");
        expect(parseSync(mutant.file, applyMutant(source, mutant)).errors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
