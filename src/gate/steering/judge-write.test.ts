import { clean, type Label } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protectedNames } from "../../policy/protected-paths.ts";
import { runsByItself } from "../../policy/runs-by-itself.ts";
import type { Grant } from "../grants/grant.ts";
import type { ChangingCall } from "./changed-paths.ts";
import { changeFileTool, judgeWrite } from "./judge-write.ts";

const tainted: Label = { untrusted: true, sources: [] };

const writing = (path: string): ChangingCall => ({
  tool: "write",
  effect: "write",
  controls: { path: "path" },
  arguments: { path, content: "x" },
  changes: [path],
});

const judged = async (
  path: string,
  { label = tainted, asked = [] as string[], alsoRuns = false, isOutside = false } = {},
) =>
  judgeWrite({ label }, writing(path), {
    isOutside: () => isOutside,
    alsoRuns: async () => alsoRuns,
    planned: async (name) => (name === changeFileTool.name ? asked.map(changing) : []),
  });

const changing = (path: string): Grant => ({
  by: "planner",
  id: "",
  tool: changeFileTool.name,
  quote: "change it",
  recipients: [],
  hosts: [],
  args: { path: { value: path } },
  sources: [],
  count: 1,
});

const listed = runsByItself.flatMap(({ paths }) =>
  paths.map((path) => path.replace(/\/$/, "/x").replace("**", "a/b").replace("*", "any")),
);

describe("a file tool in a tainted turn", () => {
  it("SEC-02 changes no file that steers or runs by itself without a question, however it is spelled", async () => {
    const spelling = fc.constantFrom<(path: string) => string>(
      (path) => path,
      (path) => path.toUpperCase(),
      (path) => `./${path}`,
      (path) => `a/../${path}`,
      (path) => path.replaceAll("/", "/./"),
      (path) => path.normalize("NFD"),
      (path) => path.normalize("NFC"),
      (path) => `../work/${path}`,
      (path) => `/home/ada/work/${path}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...protectedNames, ...listed), spelling, async (path, spell) => {
        expect(await judged(spell(path))).toMatchObject({ verdict: "ask" });
      }),
    );
  });

  it("says which of the two it is, and what", async () => {
    expect(await judged("skills/x/SKILL.md")).toMatchObject({ code: "steering-file", check: "protected" });
    expect(await judged(".husky/pre-commit")).toMatchObject({
      code: "runs-by-itself",
      check: "runs-by-itself",
      values: { path: ".husky/pre-commit" },
    });
    expect(await judged("tools/hook", { alsoRuns: true })).toMatchObject({ code: "runs-by-itself" });
    expect(await judged("../x", { isOutside: true })).toMatchObject({ code: "outside-workdir" });
  });

  it("changes the other files of the workdir freely", async () => {
    for (const path of ["notes.md", "src/index.ts", "package.json", ".gitignore", "docs/AGENTS.md.txt"])
      expect(await judged(path)).toBeUndefined();
  });

  it("changes what runs by itself where the owner's words ask for this file, or for its folder", async () => {
    expect(await judged(".envrc", { asked: [".envrc"] })).toBeUndefined();
    expect(await judged("./app/.envrc", { asked: ["app/.envrc"] })).toBeUndefined();
    expect(await judged("a/.envrc", { asked: [".envrc"] })).toBeDefined();
    expect(await judged("/home/ada/.envrc", { asked: ["/home/ada/.envrc", ".envrc"] })).toBeDefined();
    const workflows = { asked: ["app/.github/workflows/"] };
    expect(await judged("app/.github/workflows/test.yml", workflows)).toBeUndefined();
    expect(await judged("app/.github/workflows/../../.envrc", workflows)).toBeDefined();
    expect(await judged(".github/workflows/test.yml", workflows)).toBeDefined();
    // A folder that holds other things is too wide.
    expect(await judged("app/.envrc", { asked: ["app/", "./", "/", ""] })).toBeDefined();
    // What steers the assistant is shown as a difference, whatever the words.
    expect(await judged("AGENTS.md", { asked: ["AGENTS.md"] })).toBeDefined();
  });
});

it("an untainted turn changes them freely", async () => {
  const calls = fc.constantFrom(...protectedNames, ...listed);
  await fc.assert(
    fc.asyncProperty(calls, async (path) => {
      expect(await judged(path, { label: clean, alsoRuns: true, isOutside: true })).toBeUndefined();
    }),
  );
});
