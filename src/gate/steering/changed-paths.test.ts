import { describe, expect, it } from "vitest";
import { changedPaths, type ChangingCall } from "./changed-paths.ts";

const call = (given: Partial<ChangingCall>): ChangingCall => ({
  tool: "write",
  effect: "write",
  controls: {},
  arguments: {},
  ...given,
});

describe("the files that a call would change", () => {
  it("SEC-02 are found in paths and in patches, with what a patch moves", () => {
    expect(changedPaths(call({ arguments: { path: "Agents.md", content: "x" } }))).toEqual(["Agents.md"]);
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.md",
      "*** Move to: ./SOUL.md",
      "@@",
      "-*** Delete File: USER.md",
      "*** Add File: skills/x/SKILL.md ",
      "+x",
      "*** Delete File: b.md\r",
      "*** End Patch",
    ].join("\n");
    expect(
      changedPaths(call({ tool: "apply_patch", arguments: { patch }, controls: { patch: "path" } })),
    ).toEqual(["a.md", "./SOUL.md", "skills/x/SKILL.md", "b.md"]);
  });

  it("SEC-02 are those that a tool declares, under whatever names of arguments", () => {
    const controls = { into: "path" } as const;
    expect(changedPaths(call({ tool: "export", controls, arguments: { into: ".envrc" } }))).toEqual([
      ".envrc",
    ]);
    expect(changedPaths(call({ tool: "export", changes: [".envrc"] }))).toEqual([".envrc"]);
    expect(
      changedPaths(call({ tool: "save", effect: "act", changes: [".envrc"], arguments: { path: "x" } })),
    ).toEqual([".envrc"]);
  });

  it("are none where nothing is written, notes are added, or arguments have another shape", () => {
    expect(changedPaths(call({ effect: "read", arguments: { path: "AGENTS.md" } }))).toEqual([]);
    expect(
      changedPaths(call({ tool: "memory_append", arguments: { text: "x", file: "MEMORY.md" } })),
    ).toEqual([]);
    expect(
      changedPaths(call({ effect: "act", changes: "anything", arguments: { path: "AGENTS.md" } })),
    ).toEqual([]);
    for (const path of [undefined, null, 7, {}, []])
      expect(changedPaths(call({ arguments: { path } }))).toEqual([]);
  });
});
