import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { asPincerError, errorCodes, PincerError } from "./errors.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("errors", () => {
  it("LOOP-13 have one code of one list, and the code names its domain", () => {
    expect(new Set(errorCodes).size).toBe(errorCodes.length);
    for (const code of errorCodes) {
      expect(code).toMatch(/^[a-z]+\/[a-z-]+$/);
      expect(code.startsWith(`${new PincerError(code, "x").domain}/`)).toBe(true);
    }
  });

  it("LOOP-13 list no code that nothing uses", () => {
    const sources = ["src", "packages"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter(
          (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("node_modules"),
        )
        .filter((name) => !name.endsWith("errors.ts") || name.includes("sqlite"))
        .map((name) => readFileSync(join(root, folder, name), "utf8")),
    );
    const text = sources.join("\n");
    expect(errorCodes.filter((code) => !text.includes(`"${code}"`) && code !== "internal/bug")).toEqual([]);
  });

  it("keep what we did not foresee as a bug, with its cause", () => {
    const cause = new TypeError("x is not a function");
    expect(asPincerError(cause)).toMatchObject({
      code: "internal/bug",
      message: "x is not a function",
      cause,
    });
    expect(asPincerError("just a string").message).toBe("just a string");
    const own = new PincerError("session/busy", "busy", { hint: "wait" });
    expect(asPincerError(own)).toBe(own);
  });
});
