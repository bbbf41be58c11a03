import { describe, expect, it } from "vitest";
import { judgeReport } from "./run-test-file.ts";

describe("the report of a test run", () => {
  const result = (status: string, ...failureMessages: string[]) => ({
    fullName: "a test",
    status,
    failureMessages,
  });
  const judge = (success: boolean, passed: number, ...results: Array<ReturnType<typeof result>>) =>
    judgeReport({
      success,
      numPassedTests: passed,
      testResults: [{ message: "told", assertionResults: results }],
    });

  it("is a failure only where a test ran and said so", () => {
    expect(judge(true, 1, result("passed"))).toEqual({ type: "passed", count: 1 });
    expect(judge(false, 0, result("failed", "AssertionError: 1"))).toEqual({
      type: "failed",
      first: "a test",
    });
    expect(judge(false, 0)).toEqual({ type: "broken", reason: "told" });
    expect(judge(true, 0, result("skipped"))).toMatchObject({ type: "broken" });
    expect(judge(false, 0, result("failed", "SyntaxError: x"))).toMatchObject({ type: "broken" });
    expect(judge(false, 1, result("passed"))).toMatchObject({ type: "broken" });
  });
});
