import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { leftOut, longFiles } from "./drawn-files.ts";

describe("the long test files", () => {
  it("are there", () => {
    const missing = longFiles.filter(
      (file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))),
    );
    expect(missing).toEqual([]);
  });

  it("all run within two seeds that follow each other, and whenever nothing is drawn", () => {
    const [one, other] = [leftOut(true, 7), leftOut(true, 8)];
    expect([...one, ...other].toSorted()).toEqual([...longFiles]);
    expect(leftOut(false, 7)).toEqual([]);
  });
});
