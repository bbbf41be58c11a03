import { describe, expect, it } from "vitest";
import { fileLists, fileOperations } from "./file-lists.ts";
import { assistant, result } from "./testing/conversation.ts";

const did = (name: string, given: Record<string, unknown>, isError = false) => {
  const id = `${name}-${JSON.stringify(given)}`;
  return [assistant("", [{ id, name, arguments: given }]), result(id, "done", { isError })];
};
const listsOf = (...messages: ReturnType<typeof did>) => fileLists(fileOperations(messages, undefined));

describe("file lists", () => {
  it("COMP-11 read files are those that were read and not changed; modified ones were edited or written", () => {
    const lists = listsOf(
      ...did("read", { path: "b.ts" }),
      ...did("fs.read_file", { path: "a.ts" }),
      ...did("read", { path: "c.ts" }),
      ...did("file.list", { path: "src" }),
      ...did("file.search", { path: "docs", query: "x" }),
      ...did("edit", { file_path: "c.ts" }),
      ...did("file.write", { path: "new.ts", text: "" }),
      ...did("read", { path: "b.ts" }),
    );
    expect(lists).toEqual({
      readFiles: ["a.ts", "b.ts", "docs", "src"],
      modifiedFiles: ["c.ts", "new.ts"],
      leftOut: 0,
    });
  });

  it("COMP-11 leaves out what failed or never ended", () => {
    const lists = listsOf(
      ...did("write", { path: "a.ts" }, true),
      assistant("", [{ id: "x", arguments: { path: "b" } }]),
    );
    expect(lists).toEqual({ readFiles: [], modifiedFiles: [], leftOut: 0 });
  });

  it("COMP-11 finds the files of a patch", () => {
    const patch =
      "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n*** Move to: src/b.ts\n*** Add File: c.md\n+c\n";
    const diff = "--- a/d.ts\t2026\n+++ b/d.ts\t2026\n@@\n-x\n--- a/gone.ts\n+++ /dev/null\n";
    const lists = listsOf(...did("apply_patch", { input: patch }), ...did("apply_patch", { patch: diff }));
    expect(lists.modifiedFiles).toEqual(["c.md", "d.ts", "src/a.ts", "src/b.ts"]);
  });

  it("COMP-11 takes over what an earlier summary knew", () => {
    const previous = { summary: "", readFiles: ["a.ts", "b.ts"], modifiedFiles: ["m.ts"] };
    const operations = fileOperations(
      [...did("write", { path: "a.ts" }), ...did("read", { path: "m.ts" })],
      previous,
    );
    expect(fileLists(operations)).toEqual({
      readFiles: ["b.ts"],
      modifiedFiles: ["a.ts", "m.ts"],
      leftOut: 0,
    });
  });

  it("keeps the two hundred newest, and counts the others", () => {
    const many = Array.from({ length: 205 }, (_, index) => did("read", { path: `f${1000 + index}` })).flat();
    const { readFiles, leftOut } = listsOf(...many, ...did("read", { path: "f1000" }));
    expect(readFiles).toHaveLength(200);
    expect(readFiles.slice(0, 2)).toEqual(["f1000", "f1006"]);
    expect(leftOut).toBe(5);
  });

  it("names no file whose name could be mistaken for something else", () => {
    const names = ["a\n</read-files>", "<b>", "", "c\u0000"];
    expect(listsOf(...names.flatMap((path) => did("read", { path }))).readFiles).toEqual([]);
  });
});
