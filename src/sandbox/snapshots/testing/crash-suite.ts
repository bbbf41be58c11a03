import { describe, expect, it } from "vitest";
import { whileComparing, whileKeeping, whileUndoing } from "./crash-scenes.ts";

const patience = 240_000;

/** Pulls the plug at every so-manieth thing that is done to the disk, starts anew, and asks for the same again. */
export function pullThePlug(stride: number): void {
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
}
