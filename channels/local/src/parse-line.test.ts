import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineIdOf } from "./message-id.ts";
import { parseLine } from "./parse-line.ts";

const parse = (value: unknown) =>
  parseLine(typeof value === "string" ? value : JSON.stringify(value), { fallbackId: "line-0", now: 5 });

describe("a line of the local channel", () => {
  it("is a direct message when it says nothing but its text", () => {
    expect(parse({ text: "hello" })).toEqual({
      type: "message",
      id: "line-0",
      message: {
        peer: { kind: "user", id: "local" },
        sender: { id: "local" },
        message: { type: "text", id: "user:local/line-0", text: "hello", attachments: [], mentioned: true },
        timestamp: 5,
      },
    });
  });

  it("can say who writes where, in a thread, and as an answer", () => {
    const line = {
      id: "m1",
      text: "hi",
      from: { id: "ann", name: "Ann" },
      chat: "c1",
      thread: "t1",
      replyTo: "m0",
    };
    expect(parse({ ...line, timestamp: 9 })).toMatchObject({
      message: {
        peer: { kind: "user", id: "c1" },
        threadId: "t1",
        sender: { id: "ann", name: "Ann" },
        message: { id: "user:c1:t1/m1", replyTo: { id: "m0" } },
        timestamp: 9,
      },
    });
  });

  it("speaks to us in a group only when it says so", () => {
    const inGroup = (more: object) => parse({ text: "hi", from: "ann", group: true, chat: "g1", ...more });
    expect(inGroup({})).toMatchObject({
      message: { peer: { kind: "group", id: "g1" }, message: { mentioned: false } },
    });
    expect(inGroup({ mentioned: true })).toMatchObject({ message: { message: { mentioned: true } } });
  });

  it("can change a message or take it back", () => {
    expect(parse({ id: "e1", edit: "m1", text: "better" })).toMatchObject({
      message: { message: { type: "edit", id: "user:local/e1", of: "user:local/m1", text: "better" } },
    });
    expect(parse({ id: "d1", delete: "m1" })).toMatchObject({
      message: { message: { type: "delete", id: "user:local/d1", of: "user:local/m1" } },
    });
  });

  it("may have the older form", () => {
    expect(parse({ requestId: "r1", input: "hello", sessionKey: "main" })).toMatchObject({
      message: { peer: { kind: "user", id: "main" }, message: { id: "user:main/r1", text: "hello" } },
    });
  });

  it("has an id of its chat and thread alone, and gets the one back that it gave", () => {
    const part = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a:b", "a/b", "a%3Ab", "user:x/1"));
    const line = fc.record({
      id: part,
      chat: part,
      thread: fc.option(part, { nil: "" }),
      group: fc.boolean(),
    });
    const idOf = (given: object) => {
      const parsed = parse({ ...given, text: "x" });
      return parsed.type === "message" ? parsed.message.message.id : "";
    };
    fc.assert(
      fc.property(line, line, (one, other) => {
        expect(idOf(one) === idOf(other)).toBe(isDeepStrictEqual({ ...one }, { ...other }));
        expect(lineIdOf(idOf(one))).toBe(one.id);
      }),
      {
        examples: [
          [
            { id: "1", chat: "a:b", thread: "", group: false },
            { id: "1", chat: "a", thread: "b", group: false },
          ],
          [
            { id: "b/1", chat: "a", thread: "", group: true },
            { id: "1", chat: "a/b", thread: "", group: true },
          ],
        ],
      },
    );
  });

  it.each(["{", "[]", "7", "null", '{"text":5}', '{"id":"x"}', '{"id":5,"text":"x"}', '{"text":"  "}'])(
    "is refused as %s",
    (line) => {
      expect(parse(line)).toMatchObject({ type: "bad", reason: expect.any(String) });
    },
  );
});
