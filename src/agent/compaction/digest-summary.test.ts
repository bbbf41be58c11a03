import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf, digestSummary } from "./digest-summary.ts";
import { summariseInStages } from "./summarise-in-stages.ts";
import { assistant, conversations, entriesOf, quarterOfChars, result, user } from "./testing/conversation.ts";

const { signal } = new AbortController();
const sumUp = (entries: ReturnType<typeof entriesOf>, previous?: string) =>
  summariseInStages(
    { kind: "history", entries, previous, contextWindow: 32_000, signal },
    { summarise: digestSummary, tokensOf: quarterOfChars },
  );

describe("a digest", () => {
  it("is the beginning of what each said, and which tools were called", () => {
    const messages = [
      user(`look\nat ${"this ".repeat(100)}`),
      assistant("I will.", [{ id: "a" }, { id: "b", name: "list" }]),
      result("a"),
      assistant("", [{ id: "c" }]),
    ];
    const lines = digestOf(messages, 2000).split("\n");
    expect(lines[0]).toMatch(/^- user: look at this this .*…$/u);
    expect(lines[0]?.length).toBe("- user: ".length + 160);
    expect(lines.slice(1)).toEqual(["- assistant: I will. [calls read, list]", "- assistant: [calls read]"]);
  });

  it("keeps the first few and the last ones where they do not all fit", () => {
    const lines = digestOf(
      Array.from({ length: 100 }, (_, index) => user(`number ${index}`)),
      400,
    ).split("\n");
    expect(lines[0]).toBe("- user: number 0");
    expect(lines).toContainEqual(expect.stringMatching(/^- \[\d+ more in between\]$/u));
    expect(lines.at(-1)).toBe("- user: number 99");
  });

  it("tells the beginning of a message, however long it is and whatever blanks it begins with", () => {
    const long = `${" ".repeat(2000)}${"some words, and a line\n".repeat(3000)}`;
    const messages = Array.from({ length: 40 }, () => user(long));
    expect(digestOf(messages, 2000)).toContain("- user: some words, and a line some words");
  });

  it("tells each in one line, whatever stands between its words", () => {
    const told = (text: string) => digestOf([user(text)], 2000);
    for (const text of ["a b", " a b", "a b ", "a  b", "a\tb", "a\u00a0b", "a\u0007b", "a\u2028b", "a \n b"])
      expect(told(text)).toBe("- user: a b");
    for (const text of ["", "  ", "\n", "\u0000"]) expect(told(text)).toBe("");
    const image = { type: "image" as const, media: "m", mimeType: "image/png" };
    expect(digestOf([{ role: "user", content: [image, image] }], 2000)).toBe("- user: [image] [image]");
  });

  it("is never longer than it may be, and the same for the same messages", () => {
    fc.assert(
      fc.property(conversations, fc.integer({ min: 100, max: 2000 }), (said, maxChars) => {
        const messages = said.map(({ message }) => message);
        expect(digestOf(messages, maxChars).length).toBeLessThanOrEqual(maxChars);
        expect(digestOf(messages, maxChars)).toBe(digestOf([...messages], maxChars));
      }),
    );
  });
});

describe("a summary without a model", () => {
  it("COMP-25 names what was said by its numbers, after what came before", async () => {
    const entries = entriesOf([
      user("book a table"),
      assistant("For how many?", [{ id: "a" }]),
      result("a"),
      user("four"),
    ]);
    const summary = await sumUp(entries, "Lives in Bern.");
    expect(summary).toMatchObject({
      type: "summary",
      text: "Lives in Bern.\n- #2 user: book a table\n- #3 assistant: For how many? calls read {}\n- #5 user: four",
    });
  });

  it("stays short, however often it is taken up, and still knows the beginning", async () => {
    let text = "- the very first line";
    for (let round = 0; round < 50; round++) {
      const entries = entriesOf(
        Array.from({ length: 30 }, (_, index) => user(`${round}/${index} ${"word ".repeat(30)}`)),
      );
      const summary = await sumUp(entries, text);
      if (summary.type === "failed") throw new Error(summary.reason);
      ({ text } = summary);
      expect(text.length).toBeLessThanOrEqual(2000);
    }
    expect(text).toContain("- the very first line");
    expect(text).toContain("49/29");
  });
});
