import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countOf, createDamageStage, type DamageStage } from "./testing/damage-stage.ts";

const seed = Number(process.env["PINCER_TEST_SEED"] ?? 1);
let stage: DamageStage;
beforeAll(() => void (stage = createDamageStage(12)));
afterAll(() => stage.remove());

describe("reading a damaged database", () => {
  it("reads every row of every table of a whole one, as SQLite does", () => {
    const { contents, lost } = stage.read();
    for (const [table, rows] of stage.whole)
      expect({ table, rows: new Set(contents.get(table)) }).toEqual({ table, rows: new Set(rows) });
    expect(countOf(contents)).toBe(countOf(stage.whole));
    expect(lost).toBe(0);
  });

  it("one damaged page costs what lies on it and nothing else", () => {
    const sample = stage.pages.filter((page) => page < 6 || (page * 31 + seed) % 12 === 0);
    for (const page of sample) {
      for (const filling of [Buffer.alloc(4096), Buffer.alloc(4096, 0x5a)]) {
        const { contents, onPage } = stage.damage(page, filling);
        expect(countOf(stage.whole) - countOf(contents), `page ${page}`).toBeLessThanOrEqual(onPage);
        for (const [table, rows] of contents) {
          const real = new Set(stage.whole.get(table));
          expect(
            rows.filter((row) => !real.has(row)),
            `${table}: rows that nobody wrote`,
          ).toEqual([]);
        }
      }
    }
  });
});
