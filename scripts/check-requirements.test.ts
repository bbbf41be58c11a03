import { describe, expect, it } from "vitest";
import { checkDocmap, checkRequirements, fillProofs, idsIn, rowsPerArea } from "./check-requirements.ts";
import type { TestFile } from "./read-test-file.ts";

const areas = { SESS: 3, DOC: 1 };
const pageOf = (proofs: Record<string, string>, kind = "user") =>
  ["SESS-01", "SESS-02", "SESS-03", "DOC-01"]
    .map((id) => `| ${id} | ${kind} | Keeps \`a\\|b\` together. | ${proofs[id] ?? "open"} |`)
    .join("\n");
/** A test whose path begins with `test/` goes through an entry point; the others test units. */
const testsOf = (names: Record<string, string[]>) =>
  new Map<string, TestFile>(
    Object.entries(names).map(([path, own]) => [path, { names: own, fromOutside: path.startsWith("test/") }]),
  );
const problemsOf = (page: string, tests: Record<string, string[]> = {}) =>
  checkRequirements({ page, tests: testsOf(tests), areas }).problems;

describe("the requirements page against the tests", () => {
  it("agrees when every carried id names its file and the rest is open", () => {
    const page = pageOf({ "SESS-01": "test/a.test.ts", "SESS-02": "open (partly: test/a.test.ts)" });
    const tests = testsOf({ "test/a.test.ts": ["SESS-01 SESS-02 opens"] });
    expect(checkRequirements({ page, tests, areas })).toEqual({
      problems: [],
      proven: 1,
      partly: 1,
      total: 4,
      byKind: { user: { proven: 1, partly: 1, total: 4 }, inside: { proven: 0, partly: 0, total: 0 } },
    });
  });

  it("refuses units as the only proof of a row for users, and takes them for the inside and for a part", () => {
    const tests = { "src/a.test.ts": ["SESS-01 SESS-02 opens"], "test/a.test.ts": ["SESS-03 opens"] };
    const proofs = {
      "SESS-01": "src/a.test.ts",
      "SESS-02": "open (partly: src/a.test.ts; missing: the page)",
      "SESS-03": "test/a.test.ts",
    };
    expect(problemsOf(pageOf(proofs), tests)).toEqual([
      "SESS-01: is for users, but none of its tests goes through an entry point of the product",
    ]);
    expect(problemsOf(pageOf(proofs, "inside"), tests)).toEqual([]);
  });

  it("takes one test from outside beside any number of units", () => {
    const tests = { "src/a.test.ts": ["SESS-01 opens"], "test/a.test.ts": ["SESS-01 opens"] };
    expect(problemsOf(pageOf({ "SESS-01": "src/a.test.ts, test/a.test.ts" }), tests)).toEqual([]);
    expect(problemsOf(pageOf({ "SESS-01": "src/a.test.ts" }), tests)).toHaveLength(1);
  });

  it("refuses a row that is neither for users nor for the inside", () => {
    expect(problemsOf(pageOf({}, "anybody"))).toContain('SESS-01: is neither for "user" nor for "inside"');
  });

  it("names the file that proves a row still called open", () => {
    expect(problemsOf(pageOf({}), { "src/a.test.ts": ["SESS-02 keeps"] })).toEqual([
      "SESS-02: is open, but src/a.test.ts carries it",
    ]);
  });

  it("refuses a proof whose file is missing or has no such test", () => {
    const page = pageOf({ "SESS-01": "src/gone.test.ts", "SESS-02": "open (partly: src/a.test.ts)" });
    expect(problemsOf(page, { "src/a.test.ts": ["no id"] })).toEqual([
      "SESS-01: its proof src/gone.test.ts is no test file",
      "SESS-02: src/a.test.ts has no test with that id",
    ]);
    expect(checkRequirements({ page, tests: testsOf({}), areas })).toMatchObject({ proven: 0, partly: 0 });
  });

  it("refuses missing, doubled, unknown and unreadable rows", () => {
    const lines = pageOf({}).split("\n");
    const page = [...lines.slice(1), lines[1], "| SESS-09 | user | x | open |", "| DOC-01 | user | x |"].join(
      "\n",
    );
    expect(problemsOf(page)).toEqual([
      "SESS-01: has no row",
      "SESS-02: has 2 rows",
      "DOC-01: has 2 rows",
      "SESS-09: is no known row",
      'DOC-01: has neither a proof nor "open"',
    ]);
  });

  it("refuses an unknown id in a test name, also one with a misspelt area", () => {
    expect(problemsOf(pageOf({}), { "src/a.test.ts": ["SESS-04 is", "SES-01 is", "reads UTF-16"] })).toEqual([
      "SESS-04: unknown id in a test name of src/a.test.ts",
      "SES-01: unknown id in a test name of src/a.test.ts",
    ]);
  });

  it("fills proofs in, opens what lost its test, leaves partly open rows and other lines", () => {
    const proofs = {
      "SESS-02": "src/gone.test.ts",
      "SESS-03": "open (partly: src/b.test.ts; missing: the page)",
    };
    const tests = testsOf({ "src/b.test.ts": ["SESS-01 x", "SESS-03 x"], "test/a.test.ts": ["SESS-01 y"] });
    const filled = fillProofs({ page: `# T\n${pageOf(proofs)}\n`, tests, areas });
    const { "SESS-03": partly } = proofs;
    expect(filled).toBe(
      `# T\n${pageOf({ "SESS-01": "test/a.test.ts, src/b.test.ts", "SESS-03": partly })}\n`,
    );
    expect(checkRequirements({ page: filled, tests, areas }).problems).toEqual([]);
  });

  it("fills a row for users in as partly open where only units carry its id", () => {
    const tests = testsOf({ "src/a.test.ts": ["SESS-01 x"] });
    const filled = fillProofs({ page: pageOf({}), tests, areas });
    expect(filled).toBe(pageOf({ "SESS-01": "open (partly: src/a.test.ts; missing: a test from outside)" }));
    expect(checkRequirements({ page: filled, tests, areas })).toMatchObject({
      problems: [],
      proven: 0,
      partly: 1,
    });
    const later = testsOf({ "src/a.test.ts": ["SESS-01 x"], "test/a.test.ts": ["SESS-01 y"] });
    expect(fillProofs({ page: filled, tests: later, areas })).toBe(
      pageOf({ "SESS-01": "test/a.test.ts, src/a.test.ts" }),
    );
    expect(fillProofs({ page: pageOf({}, "inside"), tests, areas })).toBe(
      pageOf({ "SESS-01": "src/a.test.ts" }, "inside"),
    );
  });

  it("does not rewrite a row that it cannot read", () => {
    const page = "| DOC-01 | user | a stray | pipe | open |";
    expect(fillProofs({ page, tests: testsOf({ "src/a.test.ts": ["DOC-01 x"] }), areas })).toBe(page);
  });

  it("expects 361 rows", () => {
    expect(Object.values(rowsPerArea).reduce((sum, count) => sum + count, 0)).toBe(361);
  });
});

describe("ids in a test name", () => {
  it.each([
    ["SESS-10 gives", ["SESS-10"]],
    ["SESS-10 SESS-11, DOC-01: gives", ["SESS-10", "SESS-11", "DOC-01"]],
    ["STORE-02…04 keeps", ["STORE-02", "STORE-03", "STORE-04"]],
    ["SESS-10…SESS-12 keeps", ["SESS-10", "SESS-11", "SESS-12"]],
    ["keeps (SESS-15) what AES-256 and UTF-16 made", ["SESS-15"]],
    ["nothing", []],
  ])("reads %j", (name, ids) => {
    expect(idsIn(name)).toEqual(ids);
  });
});

describe("the map of the documentation", () => {
  it("CFG-12 names every path that leads nowhere, and only those", () => {
    const text = `areas:\n  a:\n    path: docs/a.md # living\n    about: the path: not this\n  b:\n    path: "docs/b"\n`;
    expect(checkDocmap(text, (path) => path === "docs/a.md")).toEqual(["docmap.yaml: docs/b does not exist"]);
    expect(checkDocmap(text, () => true)).toEqual([]);
    expect(checkDocmap("areas: {}\n", () => true)).toEqual(["docmap.yaml: names no path"]);
  });
});
