import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSummary, joinTurn, readSummary, unavailable } from "./summary-format.ts";

const noFiles = { readFiles: [], modifiedFiles: [], leftOut: 0 };
const range = { from: 2, to: 57, takesUpPrevious: false };
const full = formatSummary({
  text: "What was said.",
  failures: ["- exec (exitCode=1): command not found"],
  files: {
    readFiles: ["/path/to/file1.ts", "/path/to/file2.ts"],
    modifiedFiles: ["/path/to/edited.ts"],
    leftOut: 0,
  },
  maxFileChars: 1000,
  range,
});

describe("a summary", () => {
  it("COMP-14 is the text, then the failures, then the files, and points back to what it stands for", () => {
    expect(full).toBe(`What was said.

## Tool Failures
- exec (exitCode=1): command not found

<read-files>
/path/to/file1.ts
/path/to/file2.ts
</read-files>

<modified-files>
/path/to/edited.ts
</modified-files>

(stands for entries #2–#57 of this session)`);
  });

  it("COMP-14 has no section without anything in it", () => {
    const summary = formatSummary({ text: "Short.", failures: [], files: noFiles, maxFileChars: 10, range });
    expect(summary).toBe("Short.\n\n(stands for entries #2–#57 of this session)");
  });

  it("COMP-11 says how many files it does not name", () => {
    const files = { readFiles: ["a.ts", "b.ts", "c.ts"], modifiedFiles: [], leftOut: 4 };
    const summary = formatSummary({ text: "Short.", failures: [], files, maxFileChars: 12, range });
    expect(summary).toContain(
      "<read-files>\na.ts\nb.ts\n(and 1 more)\n</read-files>\n\n(and 4 files before these)",
    );
  });

  it("COMP-13 tells a turn that was cut after the history", () => {
    expect(joinTurn("history", "prefix")).toBe("history\n\n---\n\nTurn Context: prefix");
    expect(joinTurn("", "prefix")).toBe("Turn Context: prefix");
    expect(joinTurn("history", undefined)).toBe("history");
  });

  it("COMP-15 says that there is none", () => {
    expect(unavailable).toBe("Summary unavailable due to context limits. Older messages were truncated.");
  });
});

describe("a summary that is taken up", () => {
  it("is read without what was added to it", () => {
    expect(readSummary(full)).toEqual({ history: "What was said.", turn: undefined });
    expect(readSummary("just words\n\n## Tool Failures\nand more words")).toEqual({
      history: "just words\n\n## Tool Failures\nand more words",
      turn: undefined,
    });
  });

  it("comes back as it was put together, whatever was added", () => {
    const text = fc.stringMatching(/^[a-z][a-z \n]{0,30}[a-z]$/u);
    const paths = fc.uniqueArray(fc.stringMatching(/^[a-z./]{1,10}$/u), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.record({
          history: text,
          turn: fc.option(text, { nil: undefined }),
          failures: fc.array(text.map((words) => `- read (status=error): ${words.replaceAll("\n", " ")}`)),
          files: fc.record({ readFiles: paths, modifiedFiles: paths, leftOut: fc.nat(3) }),
          maxFileChars: fc.integer({ min: 0, max: 60 }),
          takesUpPrevious: fc.boolean(),
        }),
        ({ history, turn, failures, files, maxFileChars, takesUpPrevious }) => {
          const joined = joinTurn(history, turn);
          const range = { from: 2, to: 9, takesUpPrevious };
          const summary = formatSummary({ text: joined, failures, files, maxFileChars, range });
          expect(readSummary(summary)).toEqual({ history, turn });
        },
      ),
    );
  });
});
