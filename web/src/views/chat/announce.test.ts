import { describe, expect, it } from "vitest";
import { announce, type Announced } from "./announce.ts";
import type { AnswerRow, Row } from "./row.ts";

const answer = (seq: number, text: string, isLast = true): Row =>
  ({ key: `entry:${seq}`, type: "answer", seq, text, isLast }) as AnswerRow & { key: string };

const session = (sessionId: string | null) => ({ sessionKey: "agent:main:main", sessionId });

/** What is read out after each of these looks at the conversation. */
function heard(...looks: Array<[sessionId: string | null, rows: Row[]]>): string[] {
  let announced: Announced | undefined;
  return looks.map(([sessionId, rows]) => {
    announced = announce(announced, session(sessionId), rows);
    return announced?.text ?? "";
  });
}

describe("what a screen reader hears", () => {
  it("is each new answer, when it is whole, and nothing that was there before", () => {
    const [one, two] = [answer(3, "one"), answer(6, "two")];
    expect(heard(["s1", [one]], ["s1", [one, answer(5, "tw", false)]], ["s1", [one, two]])).toEqual([
      "",
      "",
      "two",
    ]);
  });

  it("is the first answer of a new conversation", () => {
    expect(heard([null, []], ["s1", [answer(2, "hello")]])).toEqual(["", "hello"]);
  });

  it("goes on in the next session, which counts from the beginning", () => {
    const looks = heard(["s1", [answer(9, "old")]], ["s2", []], ["s2", [answer(2, "new")]]);
    expect(looks.at(-1)).toBe("new");
  });

  it("is no older answer that somebody scrolled to", () => {
    const looks = heard(["s1", [answer(90, "new")]], ["s1", [answer(3, "old")]], ["s1", [answer(90, "new")]]);
    expect(looks).toEqual(["", "", ""]);
  });

  it("is nothing before the conversation has come", () => {
    expect(announce(undefined, { sessionKey: "", sessionId: null }, [])).toBeUndefined();
  });
});
