import { wellFormedMessages, type MessageEntry } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitByShare, sumOf } from "./split-by-share.ts";
import { assistant, conversations, entriesOf, quarterOfChars, result, user } from "./testing/conversation.ts";

const tokensOf = ({ message }: MessageEntry) => quarterOfChars(message);

describe("parts by token share", () => {
  it("COMP-05 parts six messages of the same size in the middle", () => {
    const said = entriesOf(["1", "2", "3", "4", "5", "6"].map((text) => user(text.repeat(40))));
    const chunks = splitByShare(said, { parts: 2, tokensOf });
    expect(chunks.map((chunk) => chunk.map(({ seq }) => seq))).toEqual([
      [2, 3, 4],
      [5, 6, 7],
    ]);
  });

  it("COMP-05 goes by tokens, not by the number of messages", () => {
    const said = entriesOf([user("x".repeat(4000)), user("a"), user("b"), user("c")]);
    expect(splitByShare(said, { tokensOf }).map((chunk) => chunk.length)).toEqual([1, 3]);
  });

  it("keeps a call together with its results, however large they are", () => {
    const said = entriesOf([
      user("look"),
      assistant("", [{ id: "a" }, { id: "b" }]),
      result("a", "x".repeat(4000)),
      result("b", "y".repeat(4000)),
      assistant("done"),
    ]);
    expect(splitByShare(said, { parts: 2, tokensOf }).map((chunk) => chunk.length)).toEqual([1, 4]);
  });

  it("gives back the whole, in order, in well-formed parts", () => {
    fc.assert(
      fc.property(conversations, fc.integer({ min: 1, max: 5 }), (said, parts) => {
        const chunks = splitByShare(said, { parts, tokensOf });
        expect(chunks.flat()).toEqual(said);
        expect(chunks.length).toBeLessThanOrEqual(parts);
        for (const chunk of chunks) {
          expect(chunk).not.toEqual([]);
          expect(wellFormedMessages(chunk.map(({ message }) => message)).repairs).toEqual([]);
        }
      }),
    );
  });

  it("always finds two parts where there are two exchanges", () => {
    fc.assert(
      fc.property(conversations, (said) => {
        const users = said.filter(({ message }) => message.role === "user").length;
        fc.pre(users >= 2 && sumOf(said, tokensOf) > 0);
        expect(splitByShare(said, { parts: 2, tokensOf })).toHaveLength(2);
      }),
    );
  });
});
