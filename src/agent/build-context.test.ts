import { wellFormedMessages, type Entry, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildMessages } from "./build-context.ts";

const message = (role: "user" | "assistant", text: string): Message =>
  role === "user"
    ? { role, content: [{ type: "text", text }] }
    : {
        role,
        content: [{ type: "text", text }],
        provider: "p",
        model: "m",
        stopReason: "stop",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
      };

const call = (id: string): Message => ({
  ...(message("assistant", "") as Extract<Message, { role: "assistant" }>),
  content: [{ type: "toolCall", id, name: "look", arguments: {} }],
  stopReason: "toolUse",
});

const result = (id: string): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "look",
  content: [],
  isError: false,
});

const entries = (messages: Message[]): Entry[] =>
  messages.map((each, index) => ({
    type: "message",
    seq: index + 2,
    time: "2026-01-01T00:00:00.000Z",
    message: each,
  }));

describe("the messages of a request", () => {
  it("CFG-06 are the newest ones, up to the limit", () => {
    const said = Array.from({ length: 80 }, (_, index) =>
      message(index % 2 ? "assistant" : "user", String(index)),
    );
    const built = buildMessages(entries(said), 50);
    expect(built).toHaveLength(50);
    expect(built.at(-1)).toEqual(said.at(-1));
  });

  it("leave out everything that is not a message", () => {
    const header: Entry = { type: "event", name: "x", data: {}, seq: 1, time: "2026-01-01T00:00:00.000Z" };
    expect(buildMessages([header, ...entries([message("user", "hi")])], 50)).toEqual([message("user", "hi")]);
  });

  it("SESS-15 never begin inside a tool exchange, wherever the window cuts", () => {
    const said = [
      message("user", "a"),
      call("1"),
      result("1"),
      message("assistant", "b"),
      message("user", "c"),
      call("2"),
      result("2"),
      message("assistant", "d"),
    ];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: said.length }), (limit) => {
        const built = buildMessages(entries(said), limit);
        expect(wellFormedMessages(built).repairs).toEqual([]);
        expect(["user", "assistant"]).toContain(built[0]?.role ?? "user");
      }),
    );
  });
});
