import { expect, it } from "vitest";
import { createMemoryAppendTool } from "./memory-append-tool.ts";
import type { NewNote } from "./memory-files.ts";

const call = { callId: "c", sessionKey: "s", signal: new AbortController().signal };

function remembering() {
  const notes: NewNote[] = [];
  const tool = createMemoryAppendTool({
    todayPath: () => "memory/2026-11-15.md",
    async append(note) {
      const added = !notes.some(({ text }) => text === note.text);
      notes.push(note);
      return { path: "memory/2026-11-15.md", line: 3, added };
    },
  });
  return { notes, tool };
}

it("names the path and the line of what it wrote, or of what was there", async () => {
  const { notes, tool } = remembering();
  expect(await tool.run({ text: "tea" }, call)).toEqual({
    text: "Written: memory/2026-11-15.md, line 3",
    details: { path: "memory/2026-11-15.md", line: 3, added: true },
  });
  expect((await tool.run({ text: "tea", file: "MEMORY.md" }, call)).text).toMatch(/^Already there: /);
  expect(notes.map(({ file }) => file)).toEqual([undefined, "MEMORY.md"]);
});

it("says which files it may change", () => {
  const { tool } = remembering();
  expect(tool.changes?.({ text: "tea" })).toEqual(["memory/2026-11-15.md"]);
  expect(tool.changes?.({ text: "tea", file: "MEMORY.md" })).toContain("MEMORY.md");
});

it("may run again after a crash, and costs few words in every request", () => {
  const { tool } = remembering();
  expect([tool.effect, tool.idempotent, tool.controlArguments]).toEqual(["write", true, []]);
  expect(tool.description.length / 4).toBeLessThanOrEqual(40);
});
