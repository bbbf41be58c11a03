import { describe, expect, it } from "vitest";
import { createGlobMatch } from "./glob-match.ts";

describe("patterns for paths", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "deep/er/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["./src/*.ts", "src/a.ts", true],
    ["src/**", "src/deep/a.ts", true],
    ["**/a.ts", "a.ts", true],
    ["**/deep/**/a.ts", "x/deep/y/z/a.ts", true],
    ["**/deep/**/a.ts", "x/deep/y/z/b.ts", false],
    ["a?.ts", "ab.ts", true],
    ["a?.ts", "a.ts", false],
    ["*.{ts,md}", "a.md", true],
    ["{a,b}/{c,d}", "b/c", true],
    ["{a,b}/{c,d}", "c/b", false],
    ["[x].ts", "[x].ts", true],
    ["**", "any/thing", true],
  ])("%s on %s: %s", (pattern, path, fits) => {
    expect(createGlobMatch(pattern)(path)).toBe(fits);
  });

  it("takes no longer for a pattern that was made to be slow", () => {
    expect(createGlobMatch(`${"*a".repeat(60)}b`)("a".repeat(250))).toBe(false);
    expect(createGlobMatch(`${"**/a/".repeat(60)}b`)("a/".repeat(250))).toBe(false);
    expect(createGlobMatch("{a,b}".repeat(100))("a".repeat(100))).toBe(false);
  });
});
