import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tidyMediaName } from "./media-name.ts";

describe("STORE-09 the name of a file from outside", () => {
  it.each([
    ["Holiday 2024.JPG", "Holiday 2024.JPG"],
    ["猫.png", "猫.png"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Windows\\system.ini", "system.ini"],
    [".bashrc", "bashrc"],
    ["-rf", "rf"],
    ["photo\u202Egnp.exe", "photognp.exe"],
    ["a\nb\0c\u200B.txt", "abc.txt"],
    ["report.pdf. ", "report.pdf"],
    ["..", undefined],
    ["a/", undefined],
    ["", undefined],
  ])("makes %j into %j", (name, expected) => {
    expect(tidyMediaName(name)).toBe(expected);
  });

  it("keeps the beginning and the end of a long one", () => {
    const name = tidyMediaName(`${"very ".repeat(100)}long.tar.gz`) ?? "";
    expect(Array.from(name)).toHaveLength(120);
    expect(name).toMatch(/^very .*…/);
    expect(name).toMatch(/long\.tar\.gz$/);
  });

  it("is one line without a directory, whatever it was, and tidying it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (given) => {
        const name = tidyMediaName(given) ?? "x";
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}]|^\.|^-|\.$/u);
        expect(name.length).toBeGreaterThan(0);
        expect(tidyMediaName(name)).toBe(name);
      }),
    );
  });
});
