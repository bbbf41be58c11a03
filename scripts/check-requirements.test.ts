import { describe, expect, it } from "vitest";
import {
  checkDocmap,
  checkRequirements,
  fillProofs,
  idsIn,
  rowsPerArea,
  testNamesOf,
} from "./check-requirements.ts";

const areas = { SESS: 3, DOC: 1 };
const pageOf = (proofs: Record<string, string>) =>
  ["SESS-01", "SESS-02", "SESS-03", "DOC-01"]
    .map((id) => `| ${id} | Keeps \`a\\|b\` together. | ${proofs[id] ?? "open"} |`)
    .join("\n");
const problemsOf = (page: string, tests: Record<string, string[]> = {}) =>
  checkRequirements({ page, tests: new Map(Object.entries(tests)), areas }).problems;

describe("the requirements page against the tests", () => {
  it("agrees when every carried id names its file and the rest is open", () => {
    const page = pageOf({ "SESS-01": "src/a.test.ts", "SESS-02": "open (partly: src/a.test.ts)" });
    const tests = new Map([["src/a.test.ts", ["SESS-01 SESS-02 opens"]]]);
    expect(checkRequirements({ page, tests, areas })).toEqual({
      problems: [],
      proven: 1,
      partly: 1,
      total: 4,
    });
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
    expect(checkRequirements({ page, tests: new Map(), areas })).toMatchObject({ proven: 0, partly: 0 });
  });

  it("refuses missing, doubled, unknown and unreadable rows", () => {
    const lines = pageOf({}).split("\n");
    const page = [...lines.slice(1), lines[1], "| SESS-09 | x | open |", "| DOC-01 | x |"].join("\n");
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
    const page = `# T\n${pageOf({ "SESS-02": "src/gone.test.ts", "SESS-03": "open (partly: src/b.test.ts)" })}\n`;
    const tests = new Map([
      ["src/b.test.ts", ["SESS-01 x", "SESS-03 x"]],
      ["src/a.test.ts", ["SESS-01 y"]],
    ]);
    const filled = fillProofs({ page, tests, areas });
    expect(filled).toBe(
      `# T\n${pageOf({ "SESS-01": "src/a.test.ts, src/b.test.ts", "SESS-03": "open (partly: src/b.test.ts)" })}\n`,
    );
    expect(checkRequirements({ page: filled, tests, areas }).problems).toEqual([]);
  });

  it("does not rewrite a row that it cannot read", () => {
    const page = "| DOC-01 | a stray | pipe | open |";
    expect(fillProofs({ page, tests: new Map([["src/a.test.ts", ["DOC-01 x"]]]), areas })).toBe(page);
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

describe("names of tests in a source", () => {
  const readTestNames = (source: string) => testNamesOf("src/a.test.ts", () => source);

  it("finds them through modifiers, templates and nesting, and ignores comments and strings", () => {
    const source = `
      // it("comment")
      const text = 'it("string")';
      describe("group", () => {
        it("plain", async () => {});
        it.each([[1, f(2)]])("each %s", () => {});
        it.skipIf(process.platform === "win32")(\`template \${text} end\`, () => {});
        test.concurrent("concurrent", () => {});
      });`;
    expect(readTestNames(source)).toEqual(["group", "plain", "each %s", "template … end", "concurrent"]);
  });

  it("leaves out what is skipped or to do", () => {
    const source = `it.skip("a"); it.todo("b"); describe.skip("c", () => { it("d"); }); it("e");`;
    expect(readTestNames(source)).toEqual(["e"]);
  });

  it("counts the contract suites that a test file runs, and no other imports", () => {
    const sources: Record<string, string> = {
      "src/storage/a.test.ts": `import { suite } from "./testing/contract.ts"; import "./b.ts"; it("own"); suite();`,
      "src/storage/testing/contract.ts": `import "./part.ts"; export const suite = () => { it("shared"); };`,
      "src/storage/testing/part.ts": `import "./contract.ts"; export const part = () => { it("part"); };`,
      "src/storage/b.ts": `it("not a test")`,
    };
    const names = testNamesOf("src/storage/a.test.ts", (file) => sources[file]);
    expect(names).toEqual(["own", "shared", "part"]);
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
