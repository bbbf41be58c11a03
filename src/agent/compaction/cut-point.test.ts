import { wellFormedMessages, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPoint } from "./cut-point.ts";
import { assistant, conversations, entriesOf, quarterOfChars, result, user } from "./testing/conversation.ts";

/** Every message counts ten. */
const ten = () => 10;
const exchange = (id: string): Message[] => [assistant("", [{ id }]), result(id)];
const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, turn) => [user(`ask ${turn}`), assistant(`answer ${turn}`)]).flat();

describe("by the number of messages", () => {
  it("COMP-01 keeps the last 12 of 26", () => {
    expect(cutPoint(entriesOf(talk(13)), { messages: 12 }, ten)).toEqual({ firstKept: 14, turnStart: 14 });
  });

  it("cuts nothing off where there are no more than that", () => {
    expect(cutPoint(entriesOf(talk(6)), { messages: 12 }, ten)).toBeUndefined();
  });

  it("keeps a turn whole, however many messages it has", () => {
    const long = [user("work"), ...["a", "b", "c", "d", "e", "f", "g"].flatMap(exchange), assistant("done")];
    const said = entriesOf([...talk(2), ...long]);
    expect(cutPoint(said, { messages: 12 }, ten)).toEqual({ firstKept: 4, turnStart: 4 });
  });
});

describe("by size", () => {
  it("keeps what fits, from a person's message on", () => {
    const said = entriesOf(talk(5));
    expect(cutPoint(said, { tokens: 40 }, ten)).toEqual({ firstKept: 6, turnStart: 6 });
    expect(cutPoint(said, { tokens: 55 }, ten)).toEqual({ firstKept: 6, turnStart: 6 });
    expect(cutPoint(said, { tokens: 100 }, ten)).toBeUndefined();
  });

  it("COMP-13 cuts a turn in two that is larger than what may stay, before an answer and never inside an exchange", () => {
    const said = entriesOf([...talk(1), user("work"), ...["a", "b", "c", "d"].flatMap(exchange)]);
    expect(cutPoint(said, { tokens: 35 }, ten)).toEqual({ firstKept: 9, turnStart: 2 });
    expect(cutPoint(said, { tokens: 40 }, ten)).toEqual({ firstKept: 7, turnStart: 2 });
  });

  it("COMP-13 cuts the turn before the last where the last alone is next to nothing", () => {
    const said = entriesOf([
      user("work"),
      ...["a", "b", "c", "d"].flatMap(exchange),
      assistant("done"),
      user("thanks"),
    ]);
    expect(cutPoint(said, { tokens: 60 }, ten)).toEqual({ firstKept: 5, turnStart: 0 });
  });

  it("keeps the last exchange even where it is larger than that", () => {
    const said = entriesOf([
      ...talk(2),
      user("work"),
      ...exchange("a"),
      assistant("", [{ id: "b" }]),
      result("b"),
    ]);
    expect(cutPoint(said, { tokens: 1 }, ten)).toEqual({ firstKept: 7, turnStart: 4 });
  });

  it("keeps the newest message of a person even where it is larger than that", () => {
    expect(cutPoint(entriesOf([...talk(2), user("huge")]), { tokens: 1 }, ten)).toEqual({
      firstKept: 4,
      turnStart: 4,
    });
  });

  it("knows that a person who spoke in the middle of a turn did not begin one", () => {
    const messages = [user("work"), ...exchange("a"), user("quick"), ...exchange("b"), ...exchange("c")];
    const said = entriesOf(messages).map((entry) => ({ ...entry, runId: "run-1" }));
    expect(cutPoint(said, { tokens: 60 }, ten)).toEqual({ firstKept: 3, turnStart: 0 });
    expect(cutPoint(entriesOf(messages), { tokens: 60 }, ten)).toEqual({ firstKept: 3, turnStart: 3 });
  });
});

describe("whatever was said", () => {
  const keeps = fc.oneof(
    fc.record({ tokens: fc.integer({ min: 0, max: 1500 }) }),
    fc.record({ messages: fc.integer({ min: 1, max: 40 }) }),
  );

  it("a cut leaves both sides well-formed, and the newest message of a person unless its turn is cut", () => {
    fc.assert(
      fc.property(conversations, keeps, (said, keep) => {
        const cut = cutPoint(said, keep, quarterOfChars);
        if (!cut) return;
        const messages = said.map(({ message }) => message);
        expect(cut.firstKept).toBeGreaterThan(0);
        expect(cut.turnStart).toBeLessThanOrEqual(cut.firstKept);
        const kept = messages.slice(cut.firstKept);
        expect(wellFormedMessages(kept).messages).toBe(kept);
        expect(wellFormedMessages(messages.slice(0, cut.firstKept)).repairs).toEqual([]);
        const newest = messages.findLastIndex(({ role }) => role === "user");
        expect(cut.firstKept <= newest || cut.turnStart < cut.firstKept).toBe(true);
      }),
    );
  });

  it("what stays is within the limit, unless it is a single exchange", () => {
    fc.assert(
      fc.property(conversations, fc.integer({ min: 0, max: 1500 }), (said, tokens) => {
        const cut = cutPoint(said, { tokens }, quarterOfChars);
        if (!cut) return;
        const kept = said.slice(cut.firstKept).map(({ message }) => message);
        const size = kept.reduce((sum, message) => sum + quarterOfChars(message), 0);
        const isOneExchange = kept.slice(1).every(({ role }) => role === "toolResult");
        expect(size <= tokens || isOneExchange).toBe(true);
      }),
    );
  });
});
