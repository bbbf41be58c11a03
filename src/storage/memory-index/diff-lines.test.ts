import type { MemoryLine } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, type StoredLine } from "./diff-lines.ts";

const lines = fc
  .array(
    fc.record({ text: fc.constantFrom("a", "b", "c", "d"), who: fc.constantFrom(undefined, "Ann", "Bob") }),
  )
  .map((all) => all.map((line, at): MemoryLine => ({ ...line, line: at * 2 + 1 })));

const stored = (all: readonly MemoryLine[]): StoredLine[] =>
  all.map((line, position) => ({ ...line, position, lineId: position + 100 }));

describe("the difference between stored lines and wanted ones", () => {
  it("MEM-11 turns the ones into the others", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { added, removed, moved } = diffLines(stored(before), after);
        const rows = new Map(stored(before).map((row) => [row.lineId, row]));
        for (const { lineId } of removed) rows.delete(lineId);
        for (const { stored: row, position, line } of moved)
          rows.set(row.lineId, { ...row, ...line, position });
        const all = [...rows.values(), ...added.map(({ position, line }) => ({ ...line, position }))];
        const result = all.toSorted((a, b) => a.position - b.position);
        expect(result.map(({ position }) => position)).toEqual(after.map((_, at) => at));
        expect(result.map(({ line, text, who }) => ({ line, text, who }))).toEqual(after);
      }),
    );
  });

  it("MEM-11 never makes words anew that are there", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { added, removed } = diffLines(stored(before), after);
        const gone = new Set(removed.map(({ text }) => text));
        expect(added.filter(({ line }) => gone.has(line.text))).toEqual([]);
      }),
    );
  });

  it("MEM-11 finds nothing to do where nothing changed, and one line where one changed", () => {
    fc.assert(
      fc.property(lines, fc.nat(), (before, at) => {
        expect(diffLines(stored(before), before)).toEqual({ added: [], removed: [], moved: [] });
        fc.pre(before.length > 0);
        const place = at % before.length;
        const after = before.map((line, index) => (index === place ? { ...line, text: "new" } : line));
        const diff = diffLines(stored(before), after);
        expect([diff.added.length, diff.removed.length, diff.moved.length]).toEqual([1, 1, 0]);
        expect(diff.removed[0]?.position).toBe(place);
      }),
    );
  });
});
