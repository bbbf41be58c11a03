import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { entryPoints } from "./entry-points.ts";
import { readTestFile } from "./read-test-file.ts";

describe("the names of tests in a file", () => {
  const readTestNames = (source: string) => readTestFile("src/a.test.ts", () => source).names;

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
    const { names } = readTestFile("src/storage/a.test.ts", (file) => sources[file]);
    expect(names).toEqual(["own", "shared", "part"]);
  });
});

describe("whether a file reaches the product from outside", () => {
  const isFromOutside = (source: string, file = "src/cli/commands/a.test.ts") =>
    readTestFile(file, (path) => (path === file ? source : undefined)).fromOutside;

  it("is so when it imports an entry point itself, under whatever name", () => {
    expect(isFromOutside(`import { runCommand } from "../testing/fake-terminal.ts";`)).toBe(true);
    expect(isFromOutside(`import { runCommand as run } from "../testing/fake-terminal.ts";`)).toBe(true);
    expect(isFromOutside(`import { makeHome } from "./run-pincer.ts";`, "test/a.test.ts")).toBe(true);
    // The same words lead elsewhere from another folder.
    expect(isFromOutside(`import { makeHome } from "./run-pincer.ts";`, "src/a.test.ts")).toBe(false);
  });

  it("is not so for other helpers of the same module, for types, and for what a helper imports", () => {
    expect(isFromOutside(`import { createFakeTerminal } from "../testing/fake-terminal.ts";`)).toBe(false);
    expect(isFromOutside(`import type { createCommandHome } from "../testing/command-home.ts";`)).toBe(false);
    expect(isFromOutside(`import { type createCommandHome } from "../testing/command-home.ts";`)).toBe(false);
    const sources: Record<string, string> = {
      "src/a.test.ts": `import { suite } from "./testing/suite.ts";`,
      "src/testing/suite.ts": `import { createGateway } from "../app/create-gateway.ts";`,
    };
    expect(readTestFile("src/a.test.ts", (file) => sources[file]).fromOutside).toBe(false);
    // The place in the tree decides nothing.
    expect(isFromOutside(`it("x");`, "test/a.test.ts")).toBe(false);
  });

  it("knows only entry points that exist", () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    for (const [path, names] of Object.entries(entryPoints)) {
      expect([path, existsSync(root + path)]).toEqual([path, true]);
      const source = readFileSync(root + path, "utf8");
      for (const name of names)
        expect(source).toMatch(new RegExp(`export (async )?(function|const) ${name}\\b`));
    }
  });
});
