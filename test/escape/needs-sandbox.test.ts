/** Where walls must not be missing, tests that skip themselves without one would prove nothing. */
import { describe, expect, it } from "vitest";
import { hasProgram } from "../../scripts/system-programs.ts";
import { bubblewrapHere, createCell, landlockHere, users } from "./cell.ts";

describe.runIf(process.env["PINCER_TESTS_NEED_SANDBOX"] === "1")("PINCER_TESTS_NEED_SANDBOX", () => {
  it("SAFE-04 finds bubblewrap installed", () => {
    expect(hasProgram("bwrap")).toBe(true);
  });

  it.each(users.flatMap((user) => [bubblewrapHere, landlockHere].map((build) => ({ user, build }))))(
    "SAFE-04 finds that what $build.name asks for stands, as $user",
    async ({ user, build }) => {
      const cell = await createCell(user, build);
      await cell?.remove();
      expect(cell).toBeDefined();
    },
  );
});
