import { describe, expect, it } from "vitest";
import { judgeReport } from "./run-tests.ts";

describe("the report of a test run", () => {
  /** Tests by name; one that is neither passed nor skipped has failed with these words. */
  const file = (status: string, tests: Record<string, string>, message = "") => ({
    name: "/repository/src/door.test.ts",
    status,
    message,
    assertionResults: Object.entries(tests).map(([fullName, said]) =>
      said === "passed"
        ? { fullName, status: said, failureMessages: [] }
        : { fullName, status: "failed", failureMessages: [said] },
    ),
  });
  const judge = (success: boolean, ...testResults: Array<ReturnType<typeof file>>) =>
    judgeReport("/repository", { success, numPassedTests: 1, testResults });
  const files = ["src/door.test.ts"];

  it("names the first test that failed, and its file", () => {
    expect(judge(true, file("passed", { a: "passed" }))).toEqual({ type: "passed", count: 1 });
    expect(judge(false, file("failed", { a: "passed", b: "Error: b", c: "Error: c" }))).toEqual({
      type: "failed",
      files,
      first: "b",
    });
  });

  it("is a failure also where a file could not be loaded", () => {
    expect(judge(false, file("failed", {}, "told"))).toEqual({ type: "failed", files, first: "told" });
  });

  it("is unclear where a test or a hook only took too long, or an error was caught by nobody", () => {
    const slow = "Error: Test timed out in 30000ms.\nIf this is a long-running test, pass a timeout value.";
    const late = { type: "unclear", files, reason: "a test took too long" };
    expect(judge(false, file("failed", { a: "passed", b: slow }))).toEqual(late);
    expect(judge(false, file("failed", {}, "Hook timed out in 60000ms."))).toEqual(late);
    expect(judge(false, file("failed", { b: slow, c: "AssertionError: expected 1 to be 2" }))).toEqual({
      type: "failed",
      files,
      first: "c",
    });
    expect(judge(false, file("passed", { a: "passed" }))).toEqual({
      type: "unclear",
      files: [],
      reason: "an error outside of the tests",
    });
  });
});
