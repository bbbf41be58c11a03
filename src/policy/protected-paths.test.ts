import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isProtected, protectedNames } from "./protected-paths.ts";

describe("what steers the assistant", () => {
  it.each([...protectedNames, "memory/2026-11-15.md", "skills/weather/SKILL.md", ".agent/system-prompt.md"])(
    "SEC-02 is protected: %s",
    (path) => {
      expect(isProtected(path)).toBe(true);
    },
  );

  it.each([
    ["other letters", "aGeNtS.MD"],
    ["wide letters", "ＡＧＥＮＴＳ．ｍｄ"],
    ["a long s", "\u017foul.md"],
    ["a sign for Kelvin", "s\u212Aills/x"],
    ["letters without a dot", "sk\u0131lls/x"],
    ["this directory", "./././SOUL.md"],
    ["slashes", ".//.//memory//x.md"],
    ["a way back", "src/../AGENTS.md"],
    ["a way out and in again", "../workdir/AGENTS.md"],
    ["the root", "/home/ada/workdir/AGENTS.md"],
    ["home", "~/workdir/skills/x"],
    ["an address", "file:///home/ada/workdir/SOUL.md"],
    ["other separators", ".\\memory\\x.md"],
    ["a drive", "C:\\Users\\ada\\USER.md"],
    ["a stream of a file", "AGENTS.md::$DATA"],
    ["dots and blanks at its end", "AGENTS.md. . "],
    ["what nobody sees", "AG\u200BENTS\u00AD.md"],
    ["what turns it around", "\u202EAGENTS.md"],
  ])("SEC-02 is protected in any spelling: by %s", (_name, path) => {
    expect(isProtected(path)).toBe(true);
  });

  it.each([
    "README.md",
    "src/memory/x.ts",
    "docs/skills/x",
    "AGENTS.md.txt",
    "my-skills/x",
    "memory.txt",
    "",
    ".",
    "a/AGENTS.md",
  ])("is nothing else: %s", (path) => {
    expect(isProtected(path)).toBe(false);
  });

  it("SEC-02 stays protected however it is spelled", () => {
    const detour = fc.constantFrom("", "./", "a/../", ".//", "a/b/../../", "\\.\\", " ./");
    const spelling = fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toUpperCase(),
      (name) => name.toLowerCase(),
      (name) => `${name}.`,
      (name) => [...name].join("\u200D"),
      (name) => name.normalize("NFKD"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...protectedNames), detour, spelling, (name, before, spell) => {
        expect(isProtected(before + spell(name))).toBe(true);
      }),
    );
  });

  it("comes out of any path without a fault", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: fc.constantFrom(..."/\\.:~\u0000\u202E Aß\uD800") }),
        (name, tricks) => {
          const path = tricks + name + tricks;
          expect(typeof isProtected(path)).toBe("boolean");
        },
      ),
    );
  });
});
