import { describe, expect, it } from "vitest";
import { addQuestion } from "./add-question.ts";
import { parseBenchSet, type BenchSet } from "./bench-set.ts";

const set: BenchSet = {
  name: "mine",
  headline: ["known-item"],
  collections: [
    {
      name: "main",
      docs: [
        { id: "MEMORY.md:1", text: "Ada likes tea", date: null, speaker: null, session: null },
        { id: "memory/2026-11-15.md:3", text: "the demo is on Friday", date: "2026-11-15T13:45" },
      ],
      queries: [{ id: "q1", text: "tea?", category: "known-item", relevant: ["MEMORY.md:1"] }],
    },
  ],
};
const [collection] = set.collections;
const parse = (value: unknown) => parseBenchSet(JSON.stringify(value), "mine.json");
const changed = (fields: object) => parse({ ...set, collections: [{ ...collection, ...fields }] });

describe("a set of questions", () => {
  it("is read as it is, with or without dates, speakers, sessions and categories that count", async () => {
    expect(await parse(set)).toEqual(set);
    const { headline: _headline, ...rest } = set;
    expect(await parse(rest)).toEqual(rest);
  });

  it.each([
    ["no JSON", () => parseBenchSet("{", "mine.json"), "mine.json is not a set of questions: it is not JSON"],
    ["another form", () => parse({ name: "x", collections: [{}] }), "collections.0"],
    [
      "a document without words",
      () => changed({ docs: [{ id: "a", text: " " }] }),
      "collections.0.docs.0.text",
    ],
    ["a date that is none", () => changed({ docs: [{ id: "a", text: "b", date: "May" }] }), "docs.0.date"],
    [
      "a day that does not exist",
      () => changed({ docs: [{ id: "a7", text: "b", date: "2026-02-30" }] }),
      "document a7 of main has a date that does not exist: 2026-02-30",
    ],
    [
      "a time that does not exist",
      () => changed({ docs: [{ id: "a8", text: "b", date: "2026-02-03T25:00" }] }),
      "document a8 of main",
    ],
    [
      "a doubled document",
      () => changed({ docs: [...(collection?.docs ?? []), collection?.docs[0]] }),
      "MEMORY.md:1",
    ],
    [
      "an answer that is not there",
      () => changed({ queries: [{ id: "q", text: "x", category: "y", relevant: ["gone"] }] }),
      "question q names gone, which is not a document of main",
    ],
  ])("is refused for %s, with the place", async (_name, parsing, message) => {
    await expect(parsing()).rejects.toMatchObject({
      code: "usage/bad-argument",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("--make"),
    });
  });
});

describe("a question of one's own", () => {
  it("is added to the collection that has its places, and counts from then on", () => {
    const places = ["MEMORY.md:1", "memory/2026-11-15.md:3", "MEMORY.md:1"];
    const added = addQuestion(set, { text: "what?", relevant: places });
    expect(added.id).toBe("own-1");
    expect(added.set.headline).toEqual(["known-item", "own"]);
    expect(added.set.collections[0]?.queries.at(-1)).toEqual({
      id: "own-1",
      text: "what?",
      category: "own",
      relevant: ["MEMORY.md:1", "memory/2026-11-15.md:3"],
    });
    expect(addQuestion(added.set, { text: "and?", relevant: [] }).id).toBe("own-2");
    expect(collection?.queries).toHaveLength(1);
  });

  it("is refused where the set does not have the place", () => {
    expect(() => addQuestion(set, { text: "?", relevant: ["MEMORY.md:1", "MEMORY.md:2"] })).toThrow(
      "The set has no line MEMORY.md:2.",
    );
  });
});
