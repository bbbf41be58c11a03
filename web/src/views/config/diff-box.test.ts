import { expect, it } from "vitest";
import { diffLines } from "./diff-box.ts";

it("UI-01 tells what is added, removed and stays", () => {
  const diff = [
    "===================================================================",
    "--- config.json5\t",
    "+++ config.json5\t",
    "@@ -1,3 +1,3 @@",
    " {",
    "-  a: 1,",
    "+  a: 2,",
    " }",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  expect(diffLines(diff)).toEqual([
    { kind: "place", text: "@@ -1,3 +1,3 @@" },
    { kind: "same", text: "{" },
    { kind: "removed", text: "  a: 1," },
    { kind: "added", text: "  a: 2," },
    { kind: "same", text: "}" },
  ]);
  expect(diffLines("")).toEqual([]);
});
