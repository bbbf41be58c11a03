import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { indexSchema } from "./index-schema.ts";
import { wordReaderOf } from "./read-words.ts";

it("tells how many lines have a term, which begin alike, and where they are", () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec(indexSchema);
  const add = connection.prepare("INSERT INTO words (rowid, body, head) VALUES (?, ?, ?)");
  add.run(1, "run running far", "ann");
  connection.exec("INSERT INTO lines VALUES (9, 3, 0, 1, 'runs', NULL, NULL, NULL, x'00')");
  add.run(7, "runner ann", "bob");
  add.run(9, "runs", "ann");
  const words = wordReaderOf(connection);
  expect(words.count("run")).toEqual({ body: 2, head: 0 });
  expect(words.count("ann")).toEqual({ body: 1, head: 2 });
  expect(words.count("nobody")).toEqual({ body: 0, head: 0 });
  expect(words.places("run", "body", 0)).toEqual([1, 1, 9]);
  expect(words.places("run", "body", 2)).toEqual([9]);
  expect(words.places("ann", "head", 0)).toEqual([1, 9]);
  expect(words.placesWithin("run", [3, 4])).toEqual([9]);
  expect(words.placesWithin("run", [])).toEqual([]);
  expect(words.places("nobody", "body", 0)).toEqual([]);
  expect(words.beginningWith("run", 10)).toEqual([
    { term: "run", lines: 2 },
    { term: "runner", lines: 1 },
  ]);
  expect(words.beginningWith("run", 1)).toHaveLength(1);
});
