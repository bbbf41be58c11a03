import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import { holdsAddress } from "../../gate/leaving/guard-reply.ts";
import { createGrowingText } from "./growing-text.ts";

const said = (text: string): TurnEvent => ({ type: "text-delta", text });
const call = { type: "toolCall" as const, id: "c", name: "look", arguments: {} };
const called: TurnEvent = { type: "tool-call-start", call };

function play(events: TurnEvent[], answer: string): { before: string; whole: string } {
  const text = createGrowingText();
  const before = events.map((event) => text.hear(event)).join("");
  return { before, whole: before + text.finish(answer) };
}

const words = fc.array(
  fc.constantFrom(
    "one",
    "two",
    " ",
    "\n",
    "三",
    "。",
    "evil.example/x?q=1",
    "http://a.b/c",
    "![p](http://a.b/c)",
    "(",
    ".",
    "com",
  ),
  {
    maxLength: 30,
  },
);

describe("an answer that grows", () => {
  it("comes to exactly what was answered, wherever it is cut", () => {
    fc.assert(
      fc.property(words, (pieces) => {
        const answer = pieces.join("");
        expect(play(pieces.map(said), answer).whole).toBe(answer);
      }),
    );
  });

  it("tells no address before it is known whether it may be followed", () => {
    fc.assert(
      fc.property(words, (pieces) => {
        expect(holdsAddress(play(pieces.map(said), pieces.join("")).before)).toBe(false);
      }),
    );
  });

  it("ends with the guarded words where an address may not be followed", () => {
    const pieces = ["See ", "http://evil.example/?q=", "secret", " now."];
    expect(play(pieces.map(said), "See hxxp://evil[.]example/?q=secret now.").whole).toBe(
      "See hxxp://evil[.]example/?q=secret now.",
    );
  });

  it("tells what was said between tools as paragraphs, with addresses that nobody follows", () => {
    const events = [said("I look at http://a.example/?x=1"), called, said("It is "), said("three.")];
    expect(play(events, "It is three.").whole).toBe("I look at hxxp://a[.]example/?x=1\n\nIt is three.");
  });

  it("says what counts below what it cannot take back", () => {
    const events = [
      said("Half of "),
      { type: "start-over", reason: "it broke" } as const,
      said("The whole."),
    ];
    expect(play(events, "The whole.").whole).toBe("Half of \n\nThe whole.");
    expect(play([said("Half of it ")], "It was stopped.").whole).toBe("Half of it \n\nIt was stopped.");
  });

  it("tells the words beside calls that are handed over once", () => {
    expect(play([said("I look."), called], "I look.").whole).toBe("I look.");
  });
});
