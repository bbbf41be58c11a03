import { describe, expect, it } from "vitest";
import { anyTable, createSettledReads, tableWrittenBy } from "./settled-reads.ts";

const orders = { sql: "SELECT ids FROM orders WHERE agent = ?", parameters: ["main"] };
const uses = {
  sql: "SELECT u.id FROM uses u\n JOIN credentials c ON c.id = u.id WHERE u.tenant = ?",
  parameters: ["acme"],
};
const rows = [{ ids: "a" }];

describe("settled reads", () => {
  it("finds what was kept, by its text and its parameters", () => {
    const settled = createSettledReads();
    expect(settled.find(orders)).toBeUndefined();
    settled.keep(orders, rows);
    expect(settled.find({ ...orders, parameters: ["main"] })).toBe(rows);
    expect(settled.find({ ...orders, parameters: ["other"] })).toBeUndefined();
    expect(settled.find({ ...orders, parameters: [] })).toBeUndefined();
  });

  it("takes no list of parameters for another", () => {
    const settled = createSettledReads();
    const lists = [
      ["1:"],
      ["", ""],
      [1, 2],
      [12],
      [null],
      ["null"],
      [1],
      ["1"],
      ["", "1:1"],
      ["1:1", ""],
      [],
    ];
    const kept = lists.map((parameters) => {
      const found = [{ parameters }];
      settled.keep({ ...orders, parameters }, found);
      return found;
    });
    expect(lists.map((parameters) => settled.find({ ...orders, parameters }))).toEqual(kept);
  });

  it("forgets what was read of a table that is written to, and nothing else", () => {
    const settled = createSettledReads();
    for (const table of ["uses", "credentials"]) {
      settled.keep(orders, rows);
      settled.keep(uses, rows);
      settled.forget(table);
      expect(settled.find(uses)).toBeUndefined();
      expect(settled.find(orders)).toBe(rows);
    }
    settled.forget(anyTable);
    expect(settled.find(orders)).toBeUndefined();
  });

  it("forgets everything when another process has committed", () => {
    const settled = createSettledReads();
    settled.at(1);
    settled.keep(orders, rows);
    settled.at(1);
    expect(settled.find(orders)).toBe(rows);
    settled.at(2);
    expect(settled.find(orders)).toBeUndefined();
  });

  it("does not grow without end", () => {
    const settled = createSettledReads();
    const statement = (agent: number) => ({ ...orders, parameters: [agent] });
    for (let agent = 0; agent < 10_000; agent++) settled.keep(statement(agent), rows);
    const kept = Array.from({ length: 10_000 }, (_, agent) => settled.find(statement(agent)));
    expect(kept.filter((found) => found !== undefined).length).toBeLessThan(1000);
  });

  it("counts what it keeps, not what it was given to keep", () => {
    const settled = createSettledReads();
    for (let time = 0; time < 10_000; time++) {
      settled.keep(uses, rows);
      settled.forget("uses");
      settled.keep(orders, rows);
    }
    settled.keep(uses, rows);
    expect([settled.find(orders), settled.find(uses)]).toEqual([rows, rows]);
  });
});

describe("what a statement writes to", () => {
  it.each([
    ["SELECT 1 FROM rows", undefined],
    ["  PRAGMA data_version", undefined],
    ["BEGIN IMMEDIATE", undefined],
    ["COMMIT", undefined],
    ["INSERT INTO rows (word) VALUES (?)", "rows"],
    ["UPDATE rows SET word = ? WHERE id = ?", "rows"],
    ["\n  DELETE FROM rows WHERE id = ? RETURNING id", "rows"],
    // What does not say it plainly might write anywhere.
    ["WITH old AS (SELECT 1) DELETE FROM rows", anyTable],
    ["INSERT OR REPLACE INTO rows VALUES (?)", anyTable],
    ["DROP TABLE rows", anyTable],
  ])("%s: %s", (sql, table) => {
    expect(tableWrittenBy(sql)).toBe(table);
  });
});
