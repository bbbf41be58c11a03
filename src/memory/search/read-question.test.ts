import { describe, expect, it } from "vitest";
import { readQuestion } from "./read-question.ts";

const read = (text: string) =>
  readQuestion(text, { now: Date.parse("2026-11-15T12:00:00Z"), timezone: "UTC" });

describe("reading a question", () => {
  it("keeps what it is about and leaves what only asks", () => {
    expect(read("When did Caroline's sister go to the lake?").words).toEqual([
      "caroline",
      "sister",
      "go",
      "lake",
    ]);
    expect(read("他的生日是什么时候？").words).toEqual(["他的", "的生", "生日", "日是"]);
  });

  it("has nothing left of a question without content", () => {
    expect(read("who are you and what is it?").words).toEqual([]);
  });

  it("still looks for Chinese characters where there are only stop words", () => {
    expect(read("什么").words).toEqual(["什么"]);
  });

  it("MEM-10 tells identifiers from prose", () => {
    const identifiers = (text: string) => [...read(text).identifiers];
    expect(identifiers("why ERR_CONN_RESET in src/a.ts:12 since v1.2.3?")).toEqual([
      "errːconnːreset",
      "srcːaːtsː12",
      "v1ː2ː3",
    ]);
    expect(identifiers("what does E1234 mean")).toEqual(["e1234"]);
    expect(identifiers("the 2nd well-being course at 10:30, e.g. Ann's")).toEqual([]);
  });

  it("knows names by their capitals, but not the first word", () => {
    expect([...read("Where did Ann meet Bob?").names]).toEqual(["ann", "bob"]);
  });

  it("keeps quoted words together and joins neighbours", () => {
    expect(read('who said "Ice Cream"?')).toMatchObject({
      phrases: ["ice cream"],
      compounds: ["sayice", "icecream"],
    });
  });
});
