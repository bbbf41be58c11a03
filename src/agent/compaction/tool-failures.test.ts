import { describe, expect, it } from "vitest";
import { result, user } from "./testing/conversation.ts";
import { toolFailures } from "./tool-failures.ts";

const failure = (text: string, toolName = "read", details?: unknown) =>
  result("a", text, { isError: true, toolName, details });

describe("tool failures", () => {
  it("COMP-10 are told one line each, by the tool's name", () => {
    const messages = [
      user("look"),
      failure("no such\n  file: a.txt"),
      result("b", "fine"),
      failure("", "list"),
    ];
    expect(toolFailures(messages)).toEqual([
      "- read (status=error): no such file: a.txt",
      "- list (status=error): no message",
    ]);
  });

  it("COMP-10 tell the exit code where there is one", () => {
    const lines = ["- exec (exitCode=1): command not found"];
    expect(toolFailures([failure("command not found", "exec", { exitCode: 1 })])).toEqual(lines);
    expect(
      toolFailures([failure("command not found", "exec", { ok: false, data: { exitCode: 1 } })]),
    ).toEqual(lines);
  });

  it("COMP-10 are programs that ended with another code than 0, too", () => {
    const ran = (exitCode: number) =>
      result("a", "no such thing", {
        isError: false,
        toolName: "exec",
        details: { ok: true, data: { exitCode } },
      });
    expect(toolFailures([ran(0), ran(3)])).toEqual(["- exec (exitCode=3): no such thing"]);
  });

  it("COMP-10 are at most eight, the newest, and say how many there were before", () => {
    const lines = toolFailures(Array.from({ length: 11 }, (_, index) => failure(`fault ${index}`)));
    expect(lines.filter((line) => line.startsWith("- "))).toHaveLength(8);
    expect(lines.at(0)).toBe("- read (status=error): fault 3");
    expect(lines.at(-1)).toBe("(and 3 before these)");
  });

  it("COMP-10 are cut, but not in the middle of a character", () => {
    const [line = ""] = toolFailures([failure("👍".repeat(200))]);
    expect(line.length).toBeLessThanOrEqual("- read (status=error): ".length + 240);
    expect(line.isWellFormed()).toBe(true);
    expect(line.endsWith("👍…")).toBe(true);
  });
});
