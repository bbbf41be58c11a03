/** A few moments at which the plug is pulled; all of them are in the deep suite. */
import { describe, expect, it } from "vitest";
import { whileComparing, whileKeeping, whileUndoing } from "./testing/crash-scenes.ts";

const stride = 7;
const patience = 240_000;

describe("the plug pulled", () => {
  it(
    "while it keeps: the call has not run, and the next try keeps everything",
    { timeout: patience },
    async () => {
      expect(await whileKeeping(stride)).toBeGreaterThan(20);
    },
  );

  it("while it compares: the next start does", { timeout: patience }, async () => {
    expect(await whileComparing(stride)).toBeGreaterThan(10);
  });

  it.each(["repeated", "at the next start"] as const)(
    "while it undoes, %s: it comes to the same, and can be undone",
    { timeout: patience },
    async (way) => {
      expect(await whileUndoing(stride, way)).toBeGreaterThan(40);
    },
  );
});
