import { noUsage, type Message, type ToolCallBlock } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCircle } from "./repeated-calls.ts";

let ids = 0;
const call = (name: string, given: Record<string, unknown> = {}): ToolCallBlock => ({
  type: "toolCall",
  id: `c${++ids}`,
  name,
  arguments: given,
});
const answer = (...calls: ToolCallBlock[]): Message => ({
  role: "assistant",
  content: calls,
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "toolUse",
});
const result = ({ id, name }: ToolCallBlock, text: string): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: name,
  content: [{ type: "text", text }],
  isError: false,
  details: { usage: { durationMs: ++ids } },
});
const said: Message = { role: "user", content: [{ type: "text", text: "hm" }] };

/** One answer per letter; `a` and `A` are the same call with another result. */
const rounds = (letters: string): Message[] =>
  [...letters].flatMap((letter) => {
    if (letter === "-") return [said];
    const made = call(letter.toLowerCase());
    return [answer(made), result(made, letter)];
  });
const circle = (letters: string, next: string, most = 3) =>
  findCircle([said, ...rounds(letters)], [call(next)], most);

describe("a run that turns in circles", () => {
  it.each([
    ["", "a"],
    ["aa", "a"],
    ["aaa", "b"],
    ["aaA", "a"],
    ["aAa", "a"],
    ["aaba", "a"],
    ["aa-a", "a"],
    ["ababab", "a"],
    ["abababaB", "a"],
    ["abababab", "b"],
    ["abcabcabcabc", "a"],
  ])("LOOP-05 is not one that has done %j and wants %s", (letters, next) => {
    expect(circle(letters, next)).toBeUndefined();
  });

  it.each([
    ["aaa", "a", 3],
    ["baaa", "a", 3],
    ["a-aaa", "a", 3],
    ["abababab", "a", 4],
    ["cbabababa", "b", 4],
  ])("LOOP-05 is one that has done %j and wants %s", (letters, next, times) => {
    expect(circle(letters, next)).toEqual({ tool: next, times });
  });

  it("follows the limit that is set", () => {
    expect(circle("aaa", "a", 4)).toBeUndefined();
    expect(circle("a", "a", 1)).toEqual({ tool: "a", times: 1 });
  });

  it("knows the same arguments in whatever order they are written, and others as others", () => {
    const made = [call("a", { x: 1, y: { p: 1, q: [2] } }), call("a", { y: { q: [2], p: 1 }, x: 1 })];
    const turn = [said, ...made.flatMap((each) => [answer(each), result(each, "same")])];
    expect(findCircle(turn, [call("a", { x: 1, y: { q: [2], p: 1 } })], 2)).toEqual({ tool: "a", times: 2 });
    expect(findCircle(turn, [call("a", { x: 2, y: { q: [2], p: 1 } })], 2)).toBeUndefined();
    const broken = { ...call("a", {}), invalidArguments: "{" };
    const again = [said, answer(broken), result(broken, "no JSON")];
    expect(findCircle(again, [{ ...broken, id: "z" }], 1)).toEqual({ tool: "a", times: 1 });
    expect(findCircle(again, [call("a")], 1)).toBeUndefined();
  });

  it("sees it also in calls side by side, and where every answer uses the same ids", () => {
    const made = { ...call("a"), id: "same" };
    const side = { ...call("b"), id: "other" };
    const round = [answer(made, side), result(side, "b"), result(made, "a")];
    expect(findCircle([said, ...round, ...round, ...round, ...round], [made, side], 3)).toEqual({
      tool: "a",
      times: 4,
    });
    expect(findCircle([said, ...round, ...round, ...round], [made, side], 3)).toBeUndefined();
  });

  it("is never one where no call was made before", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abcA") }), (letters) => {
        expect(circle(letters, "z")).toBeUndefined();
      }),
    );
  });
});
