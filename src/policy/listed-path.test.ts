import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leadsToListed, listedRoot, mayBeListed } from "./listed-path.ts";
import { countsAs } from "./protected-paths.ts";
import { runsByItself } from "./runs-by-itself.ts";

/** One path for each entry of the list, with names where it leaves them open. */
const entries = runsByItself.flatMap(({ place, paths }) =>
  paths.map((path) => ({
    place,
    isDirectory: path.endsWith("/"),
    path: path.replace(/\/$/, "").replace("**", "libs/one").replace("*", "any"),
  })),
);
const aFile = fc.constantFrom(...entries.filter(({ isDirectory }) => !isDirectory));
const aDirectory = fc.constantFrom(...entries.filter(({ isDirectory }) => isDirectory));
const anEntry = fc.constantFrom(...entries);
const somewhere = fc.constantFrom("", "src/", "packages/a/", "a/b/c/d/e/");

describe("what runs by itself", () => {
  it("SEC-02 is found at its place, and below it where it is a directory", () => {
    fc.assert(
      fc.property(anEntry, somewhere, ({ path, place, isDirectory }, before) => {
        const at = place === "top" ? path : before + path;
        expect(listedRoot(at)).toMatchObject({ path: at, isDirectory });
      }),
    );
    fc.assert(
      fc.property(aDirectory, fc.constantFrom("x", "a/b.json", ".git/x"), ({ path }, below) => {
        expect(listedRoot(`${path}/${below}`)?.path).toBe(path);
      }),
    );
  });

  it("is nothing below a file of that name, beside it, or with more or less to its name", () => {
    fc.assert(
      fc.property(aFile, ({ path }) => {
        expect(listedRoot(`${path}/x`)).toBeUndefined();
        expect(listedRoot(`${path}.unreviewed`)).toBeUndefined();
        expect(path.startsWith("any") ? undefined : listedRoot(`x${path}`)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(aDirectory, ({ path }) => {
        expect(listedRoot(`${path}.unreviewed/x`)).toBeUndefined();
        expect(listedRoot(`${path}.md`)).toBeUndefined();
      }),
    );
  });

  it.each([
    "hooks/pre-commit",
    "src/git/hooks/x.ts",
    "docs/.bashrc",
    "src/.config/fish/config.fish",
    ".gitignore",
    ".gitattributes",
    ".git/HEAD",
    ".git/index",
    ".git/refs/heads/config",
    ".git/objects/hooks",
    ".github/ISSUE_TEMPLATE.md",
    ".github/CODEOWNERS",
    ".vscode/extensions.json",
    "package.json",
    "Makefile",
    "config",
    "node_modules/x/.npmrc",
    "node_modules/x/.github/workflows/ci.yml",
    "node_modules/x/.vscode/settings.json",
    ".venv/lib/.envrc",
    "envrc",
    "a.code-workspace.md",
    "",
    ".",
    "..",
  ])("is nothing else: %s", (path) => {
    expect(listedRoot(path)).toBeUndefined();
  });

  it("of git's is found among dependencies too, and in repositories in repositories", () => {
    expect(listedRoot("node_modules/x/.git/hooks/pre-commit")?.path).toBe("node_modules/x/.git/hooks");
    expect(listedRoot(".git/modules/libs/a/hooks/post-checkout")?.path).toBe(".git/modules/libs/a/hooks");
    expect(listedRoot(".git/modules/a/modules/b/config")?.path).toBe(".git/modules/a/modules/b/config");
  });

  it("SEC-02 stays found however it is spelled", () => {
    const detour = fc.constantFrom("", "./", "a/../", ".//", "a/b/../../", "\\.\\", " ./");
    const spelling = fc.constantFrom<(path: string) => string>(
      (path) => path,
      (path) => path.toUpperCase(),
      (path) => path.replaceAll("/", "//./"),
      (path) => path.replaceAll("/", "\\"),
      (path) => `${path}.`,
      (path) => path.normalize("NFKD"),
      (path) => path.normalize("NFC"),
      (path) => path.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
      (path) => path.replace("g", "g\u200D"),
    );
    fc.assert(
      fc.property(anEntry, detour, spelling, ({ path }, before, spell) => {
        expect(listedRoot(before + spell(path))).toBeDefined();
        expect(countsAs(before + spell(path))).toBe(countsAs(path));
      }),
    );
  });

  it("SEC-02 is found wherever it lies when the path begins elsewhere: it may lead back", () => {
    fc.assert(
      fc.property(
        anEntry,
        fc.constantFrom("/home/ada/work/", "~/", "../work/", "C:\\work\\"),
        (entry, before) => {
          expect(listedRoot(before + entry.path)).toBeDefined();
        },
      ),
    );
  });

  it("no name of it is passed over by the quick look at a name", () => {
    fc.assert(
      fc.property(anEntry, fc.boolean(), ({ path }, isUpper) => {
        const name = path.split("/").at(-1) ?? "";
        expect(mayBeListed(isUpper ? name.toUpperCase() : name)).toBe(true);
      }),
    );
    expect(["index.ts", "README.md", "a.json", "名字"].some(mayBeListed)).toBe(false);
  });

  it("lies below what leads to it", () => {
    for (const path of [".git", ".git/modules", ".git/modules/a/b", ".vscode", "a/.github", ".config"])
      expect(leadsToListed(path)).toBe(true);
    for (const path of ["src", "a/.config", ".git/objects", ".idea", "node_modules/.vscode"])
      expect(leadsToListed(path)).toBe(path === "a/.config");
  });

  it("comes out of any path without a fault", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom(".git", "hooks", "..", ".", "**", "*", "~", "/"))),
        (names) => {
          const path = names.join("/");
          expect(typeof (listedRoot(path)?.path ?? "")).toBe("string");
          expect(typeof leadsToListed(path)).toBe("boolean");
        },
      ),
    );
  });
});
