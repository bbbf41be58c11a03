import { describe, expect, it } from "vitest";
import { judgeReport } from "./run-tests.ts";

describe("the report of a test run", () => {
  const file = (status: string, tests: Record<string, string>, message = "") => ({
    name: "/repository/src/door.test.ts",
    status,
    message,
    assertionResults: Object.entries(tests).map(([fullName, state]) => ({ fullName, status: state })),
  });
  const judge = (success: boolean, ...testResults: Array<ReturnType<typeof file>>) =>
    judgeReport("/repository", { success, numPassedTests: 1, testResults });
  const files = ["src/door.test.ts"];

  it("names the first test that failed, and its file", () => {
    expect(judge(true, file("passed", { a: "passed" }))).toEqual({ type: "passed", count: 1 });
    expect(judge(false, file("failed", { a: "passed", b: "failed", c: "failed" }))).toEqual({
      type: "failed",
      files,
      first: "b",
    });
  });

  it("is a failure also where a file could not be loaded, or an error was caught by nobody", () => {
    expect(judge(false, file("failed", {}, "told"))).toEqual({ type: "failed", files, first: "told" });
    expect(judge(false, file("passed", { a: "passed" }))).toEqual({
      type: "failed",
      files: [],
      first: "an error outside of the tests",
    });
  });
});
