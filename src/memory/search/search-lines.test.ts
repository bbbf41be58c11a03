import { DatabaseSync } from "node:sqlite";
import type { MemoryLine, MemoryQuery, MemorySourceKind } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexSchema } from "../../storage/memory-index/index-schema.ts";
import { indexTerms } from "./index-terms.ts";
import { searchLines, isAnswered } from "./search-lines.ts";
import type { VectorScores } from "./vector-scores.ts";
import type { Spot } from "./rank-lines.ts";
import type { WeighedTerm } from "./weigh-terms.ts";

interface TestSource {
  name?: string;
  kind?: MemorySourceKind;
  agentId?: string;
  sessionKey?: string;
  tenantId?: string;
  lines: Array<string | Omit<MemoryLine, "line">>;
}

function indexOf(...sources: TestSource[]) {
  const connection = new DatabaseSync(":memory:");
  connection.exec(indexSchema);
  const addSource = connection.prepare("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, '')");
  const addLine = connection.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, x'00')");
  const addWords = connection.prepare("INSERT INTO words (rowid, body, head) VALUES (?, ?, ?)");
  let lineId = 0;
  for (const [
    at,
    { name = `s${at}`, kind = "note", agentId = "main", sessionKey, tenantId = "t", lines },
  ] of sources.entries()) {
    addSource.run(at + 1, tenantId, name, kind, agentId, sessionKey ?? null, `${name}.md`);
    for (const [position, given] of lines.entries()) {
      const line: MemoryLine = {
        line: position + 1,
        ...(typeof given === "string" ? { text: given } : given),
      };
      lineId += 1;
      addLine.run(
        lineId,
        at + 1,
        position,
        line.line,
        line.text,
        line.who ?? null,
        line.time ?? null,
        line.label ?? null,
      );
      const { body, head } = indexTerms(line);
      addWords.run(lineId, body, head);
    }
  }
  const search = (text: string, query: Partial<MemoryQuery> = {}, vectors?: VectorScores) =>
    searchLines(
      { connection, tenantId: "t", vectors },
      {
        text,
        limit: 10,
        scope: { agentId: "main", kinds: ["memory", "note", "conversation"] },
        now: Date.parse("2026-11-15T12:00:00Z"),
        timezone: "UTC",
        ...query,
      },
    );
  return {
    search,
    texts: (text: string, query?: Partial<MemoryQuery>) => search(text, query).map((hit) => hit.text),
  };
}

const filler = Array.from(
  { length: 40 },
  (_, at) => `Something else about topic number ${at}, quite ordinary.`,
);

/** Half characters too. */
const anyString = fc
  .array(fc.nat({ max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe("searching lines", () => {
  it("MEM-07 gives place, line, words, who, when and label, the best first, with scores from 0 to 1", () => {
    const { search } = indexOf({
      name: "memory/2026-11-01",
      lines: [
        ...filler,
        { text: "We bought a red canoe.", who: "Ann", time: "2026-11-01", label: "telegram:42" },
      ],
    });
    const hits = search("What kind of canoe did we buy?");
    expect(hits[0]).toEqual({
      sourceId: "memory/2026-11-01",
      kind: "note",
      path: "memory/2026-11-01.md",
      line: 41,
      text: "We bought a red canoe.",
      who: "Ann",
      time: "2026-11-01",
      label: "telegram:42",
      score: expect.any(Number),
    });
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it("finds the answer behind the question that holds the words", () => {
    const { texts } = indexOf({
      lines: [...filler, "Which colour has your new canoe?", "Red, like the old one.", ...filler],
    });
    expect(texts("colour of the canoe")[0]).toBe("Red, like the old one.");
  });

  it("prefers what the person said who is asked about", () => {
    const { texts } = indexOf(
      { lines: [...filler, { text: "I like swimming.", who: "Bob" }] },
      { lines: [...filler, { text: "I like swimming.", who: "Ann" }, "x"] },
    );
    const { search } = indexOf(
      { lines: [{ text: "I like swimming in lakes.", who: "Bob" }, ...filler] },
      { lines: [{ text: "I like swimming in rivers.", who: "Ann" }, ...filler] },
    );
    expect(search("Where does Bob like swimming?")[0]?.text).toBe("I like swimming in lakes.");
    expect(search("Where does Ann like swimming?")[0]?.text).toBe("I like swimming in rivers.");
    expect(texts("What does Ann like, swimming?")[0]).toBe("I like swimming.");
  });

  it("prefers the day that is asked about, and finds a day without any other word", () => {
    const { texts } = indexOf(
      {
        lines: [
          { text: "Lunch was soup.", time: "2026-11-10" },
          { text: "Rain all day.", time: "2026-11-10" },
        ],
      },
      {
        lines: [
          { text: "Lunch was rice.", time: "2026-10-02" },
          ...filler,
          { text: "Snow.", time: "2026-11-14" },
        ],
      },
    );
    expect(texts("What was lunch last Tuesday?")[0]).toBe("Lunch was soup.");
    expect(texts("What was lunch in October?")[0]).toBe("Lunch was rice.");
    expect(texts("昨天我们聊了什么")).toEqual(["Snow."]);
    expect(texts("What happened last Tuesday?").toSorted()).toEqual(["Lunch was soup.", "Rain all day."]);
  });

  it("finds other forms, compounds and slips of the pen", () => {
    const { texts } = indexOf({
      lines: [...filler, "I am allergic to cats.", "We made icecream.", "She teaches biology at school."],
    });
    expect(texts("allergies")).toContain("I am allergic to cats.");
    expect(texts("ice cream")[0]).toBe("We made icecream.");
    expect(texts("who taught bioligy")[0]).toBe("She teaches biology at school.");
  });

  it("says nothing rather than noise", () => {
    const { texts } = indexOf({
      lines: [...filler, { text: "Ann went to the dentist in Rome.", who: "Bob" }, "It did help."],
    });
    expect(texts("help")[0]).toBe("It did help.");
    expect(texts("What is the capital of Mongolia?")).toEqual([]);
    expect(texts("How do I configure nginx as reverse proxy?")).toEqual([]);
    expect(texts("who are you")).toEqual([]);
    expect(texts("Can you help me with something?")).toEqual([]);
    expect(texts("")).toEqual([]);
    expect(texts("dentist")).toContain("Ann went to the dentist in Rome.");
  });

  it("lets lines outside of the scope neither be found nor take the place of others", () => {
    const many = Array.from({ length: 1500 }, () => "The launch code is secret.");
    const { search } = indexOf(
      { name: "oldest", lines: ["An old launch code, no longer secret."] },
      { agentId: "other", lines: many },
      { tenantId: "elsewhere", lines: many },
      { kind: "conversation", sessionKey: "key-b", lines: many },
      { kind: "conversation", sessionKey: "key-a", lines: ["My launch code is in the drawer, secret."] },
      { kind: "memory", lines: [...filler, "The launch code was changed, it is secret."] },
    );
    const scope = {
      agentId: "main",
      kinds: ["memory", "note", "conversation"],
      sessionKey: "key-a",
    } as const;
    expect(
      new Set(search("secret launch code", { scope, limit: 50 }).map(({ sourceId }) => sourceId)),
    ).toEqual(new Set(["oldest", "s4", "s5"]));
    expect(search("launch", { scope: { agentId: "main", kinds: [] } })).toEqual([]);
  });

  it("MEM-10 finds any identifier exactly, before all else", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcdefgXYZ"), minLength: 2, maxLength: 6 });
    const digits = fc.nat({ max: 99_999 }).map(String);
    const identifier = fc.oneof(
      fc.tuple(letters, digits).map(([word, number]) => word + number),
      fc.tuple(letters, letters, letters).map((parts) => parts.join("_").toUpperCase()),
      fc.tuple(letters, letters, letters).map(([a, b, c]) => `${a}/${b}-${c}.ts`),
      fc.tuple(digits, digits, digits).map((parts) => `v${parts.join(".")}`),
      fc.uuid(),
    );
    fc.assert(
      fc.property(identifier, identifier, (wanted, other) => {
        fc.pre(
          !wanted.toLowerCase().includes(other.toLowerCase()) &&
            !other.toLowerCase().includes(wanted.toLowerCase()),
        );
        const parts = wanted.split(/[^A-Za-z0-9]+/u).join(" ");
        const decoy = parts === wanted ? `${wanted}9` : parts;
        const { texts } = indexOf({
          lines: [`About ${decoy}`, `Why ${other}?`, ...filler, `Does ${wanted} fail?`, "Yes."],
        });
        expect(texts(`What about ${wanted}?`)[0]).toBe(`Does ${wanted} fail?`);
      }),
      { numRuns: 40 },
    );
  });

  it("finds a line by any two or more of its Chinese characters that stand together", () => {
    const character = fc.constantFrom(
      ...Array.from("的是我在有他这中大来上国和地到说时要就出会可你对生能子那得于着下自之年"),
    );
    fc.assert(
      fc.property(
        fc.array(character, { minLength: 2, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (characters, a, b) => {
          const from = a % (characters.length - 1);
          const to = from + 2 + (b % (characters.length - from - 1));
          const text = characters.join("");
          const { texts } = indexOf({ lines: [...filler, text] });
          expect(texts(characters.slice(from, to).join(""))[0]).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("never throws, whatever is asked", () => {
    const { search } = indexOf({ lines: [...filler, "今天天气很好"] });
    const syntax = fc.constantFrom(
      '"',
      "*",
      "AND",
      "OR",
      "NEAR(",
      ")",
      "^",
      "-",
      ":",
      "body:",
      "\uD800",
      "\0",
      "'",
      "?",
      "今天",
      "May",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(syntax, anyString), { maxLength: 12 }), (parts) => {
        for (const text of [parts.join(""), parts.join(" ")])
          for (const { score } of search(text)) expect(score).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
    expect(() => search("number ".repeat(50_000) + "x".repeat(100_000))).not.toThrow();
  });

  it("gives the same answer to the same question", () => {
    const { search } = indexOf({ lines: filler }, { lines: filler });
    expect(search("ordinary topic number")).toEqual(search("ordinary topic number"));
    expect(search("ordinary topic number", { limit: 3 })).toEqual(
      search("ordinary topic number").slice(0, 3),
    );
  });

  it("adds what only its meaning finds, by the weights that are asked for", () => {
    const { search } = indexOf({
      lines: [...filler, "We own a kayak.", ...filler, "The boat show is in May."],
    });
    const scores = new Map([
      [41, 0.9],
      [82, 0.2],
    ]);
    const vectors: VectorScores = {
      strength: "strong",
      scores: (lineIds) => new Map([...scores].filter(([lineId]) => lineIds.includes(lineId))),
      nearest: (limit) => [...scores].map(([lineId, score]) => ({ lineId, score })).slice(0, limit),
    };
    expect(search("Which boat do we have?", {}, vectors)[0]?.text).toBe("We own a kayak.");
    expect(search("Which boat do we have?", { weights: { vector: 0, text: 1 } }, vectors)[0]?.text).toBe(
      "The boat show is in May.",
    );
  });

  it("does not take the nearest of lines that are all far away", () => {
    const { search } = indexOf({ lines: [...filler, "We own a kayak."] });
    const vectors = (strength: VectorScores["strength"], score: number): VectorScores => ({
      strength,
      scores: (lineIds) => new Map(lineIds.map((lineId) => [lineId, score])),
      nearest: () => [{ lineId: 41, score }],
    });
    expect(search("Mongolia", {}, vectors("strong", 0.1))).toEqual([]);
    expect(search("Mongolia", {}, vectors("weak", 0.9))).toEqual([]);
    expect(search("Mongolia", {}, vectors("strong", 0.6)).map(({ text }) => text)).toEqual([
      "We own a kayak.",
    ]);
  });
});

const term = (more: Partial<WeighedTerm> = {}): WeighedTerm => ({
  stem: "word",
  forms: [{ stem: "word", share: 1, lines: 1 }],
  weight: 1,
  isName: false,
  isProper: false,
  isIdentifier: false,
  isAsking: false,
  isPair: false,
  ...more,
});
const spot = (covered: number, isExact = false): Spot => ({
  sourceId: 1,
  position: 0,
  score: 1,
  covered,
  isExact,
});
const unknown = { forms: [] };

describe("whether a question is answered", () => {
  it("needs a quarter of what the words weigh", () => {
    expect(isAnswered([spot(0.24)], [term()])).toBe(false);
    expect(isAnswered([spot(0.1), spot(0.26)], [term()])).toBe(true);
    expect(isAnswered([], [term()])).toBe(false);
  });

  it("needs more where somebody is named who is nowhere, and little where they are known", () => {
    const stranger = term({ ...unknown, isProper: true });
    expect(isAnswered([spot(0.35)], [term(), stranger])).toBe(false);
    expect(isAnswered([spot(0.45)], [term(), stranger])).toBe(true);
    expect(isAnswered([spot(0.06)], [term({ isName: true }), term()])).toBe(true);
  });

  it("forgives pairs of characters that reach over the end of a word", () => {
    const loose = term({ ...unknown, isPair: true });
    expect(isAnswered([spot(0.2)], [term({ isPair: true }), loose, loose])).toBe(true);
    expect(isAnswered([spot(0.2)], [term(), term(unknown), term(unknown)])).toBe(false);
  });

  it("MEM-10 is content with an identifier", () => {
    expect(isAnswered([spot(0.01, true)], [term({ isIdentifier: true }), term(unknown)])).toBe(true);
  });
});
