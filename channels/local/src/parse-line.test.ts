import { describe, expect, it } from "vitest";
import { parseLine } from "./parse-line.ts";

const parse = (value: unknown) =>
  parseLine(typeof value === "string" ? value : JSON.stringify(value), { fallbackId: "line-0", now: 5 });

describe("a line of the local channel", () => {
  it("is a direct message when it says nothing but its text", () => {
    expect(parse({ text: "hello" })).toEqual({
      type: "message",
      message: {
        peer: { kind: "user", id: "local" },
        sender: { id: "local" },
        message: { type: "text", id: "line-0", text: "hello", attachments: [], mentioned: true },
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
        message: { id: "m1", replyTo: { id: "m0" } },
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
      message: { message: { type: "edit", id: "e1", of: "m1", text: "better" } },
    });
    expect(parse({ id: "d1", delete: "m1" })).toMatchObject({
      message: { message: { type: "delete", id: "d1", of: "m1" } },
    });
  });

  it("may have the older form", () => {
    expect(parse({ requestId: "r1", input: "hello", sessionKey: "main" })).toMatchObject({
      message: { peer: { kind: "user", id: "main" }, message: { id: "r1", text: "hello" } },
    });
  });

  it.each(["{", "[]", "7", "null", '{"text":5}', '{"id":"x"}', '{"id":5,"text":"x"}'])(
    "is refused as %s",
    (line) => {
      expect(parse(line)).toMatchObject({ type: "bad", reason: expect.any(String) });
    },
  );
});
