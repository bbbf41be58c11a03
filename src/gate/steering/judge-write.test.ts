import { clean, type Label } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protectedNames } from "../../policy/protected-paths.ts";
import { runsByItself } from "../../policy/runs-by-itself.ts";
import type { ChangingCall } from "./changed-paths.ts";
import { judgeWrite, listedIn } from "./judge-write.ts";

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
  { label = tainted, typed = [] as string[], isGranted = false, alsoRuns = false, isOutside = false } = {},
) =>
  judgeWrite({ label, typed }, writing(path), {
    isOutside: () => isOutside,
    alsoRuns: async () => alsoRuns,
    isGranted: async () => isGranted,
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

  it("changes what runs by itself where the owner's words name the file and ask for the change", async () => {
    const typed = ["please add the variable to ./.envrc, and tell me"];
    expect(await judged(".envrc", { typed, isGranted: true })).toBeUndefined();
    expect(await judged("./.envrc", { typed, isGranted: true })).toBeUndefined();
    expect(await judged("a/.envrc", { typed, isGranted: true })).toBeDefined();
    expect(await judged("/home/ada/.envrc", { typed, isGranted: true })).toBeDefined();
    // A mention alone is no wish, and a wish that names no file is none for this one.
    expect(await judged(".envrc", { typed: ["what does .envrc do?"] })).toBeDefined();
    expect(await judged(".envrc", { typed: ["set up direnv"], isGranted: true })).toBeDefined();
    // What steers the assistant is shown as a difference, whatever the words.
    expect(await judged("AGENTS.md", { typed: ["rewrite AGENTS.md"], isGranted: true })).toBeDefined();
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

it("files that run by themselves are found in words by their whole path", () => {
  expect(
    listedIn("Add a job to .github/workflows/ci.yml. Then look at src/index.ts and ./.envrc, please."),
  ).toEqual([".github/workflows/ci.yml", ".envrc"]);
  expect(listedIn("add a CI job")).toEqual([]);
});
