import { describe, expect, it } from "vitest";
import { knownItemQuestions } from "./known-items.ts";

const docs = [
  { id: "a", text: "The report about Lisbon went to Ada in March" },
  { id: "b", text: "The report about Oslo went to Bob in March" },
  { id: "c", text: "我们在里斯本的会议上讨论了预算" },
  { id: "d", text: "ok" },
];

describe("known items", () => {
  it("are asked by the rarest words of a line, in their order", () => {
    expect(knownItemQuestions(docs.slice(0, 2), 9)).toEqual([
      { id: "known-item-1", text: "report lisbon ada", category: "known-item", relevant: ["a"] },
      { id: "known-item-2", text: "report oslo bob", category: "known-item", relevant: ["b"] },
    ]);
  });

  it("are asked in Chinese as well, and not of lines with few words", () => {
    const questions = knownItemQuestions(docs, 9);
    expect(questions.map(({ relevant }) => relevant[0])).toEqual(["a", "b", "c"]);
    expect(questions[2]?.text.split(" ")).toHaveLength(3);
  });

  it("are spread over all lines, as many as wanted, and the same each time", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      id: String(at),
      text: `alpha beta gamma delta number${at}`,
    }));
    const questions = knownItemQuestions(many, 10);
    expect(questions.map(({ relevant }) => Number(relevant[0]))).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90,
    ]);
    expect(questions[3]?.text).toContain("number30");
    expect(knownItemQuestions(many, 10)).toEqual(questions);
  });
});
