import { noUsage, wellFormedMessages, type Entry, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildMessages, recentHistory } from "./build-context.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const assistant = (content: Extract<Message, { role: "assistant" }>["content"]): Message => ({
  role: "assistant",
  content,
  provider: "p",
  model: "m",
  stopReason: "stop",
  usage: noUsage(),
});
const answer = (text: string) => assistant([{ type: "text", text }]);
const call = (id: string) => assistant([{ type: "toolCall", id, name: "look", arguments: {} }]);
const result = (id: string): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "look",
  content: [],
  isError: false,
});
const entries = (messages: Message[]): Entry[] =>
  messages.map((message, index) => ({
    type: "message",
    seq: index + 2,
    time: "2026-01-01T00:00:00.000Z",
    message,
  }));

describe("the messages of a request", () => {
  it("CFG-06 are the newest of the history, up to the limit", () => {
    const said = Array.from({ length: 80 }, (_, index) =>
      index % 2 ? answer(`${index}`) : user(`${index}`),
    );
    const history = recentHistory(entries(said), 50);
    expect(history.length).toBeGreaterThan(25);
    expect(history.length).toBeLessThanOrEqual(50);
    expect(history.at(-1)).toEqual(said.at(-1));
    expect(recentHistory(entries(said), 0)).toEqual([]);
    expect(recentHistory(entries(said.slice(0, 48)), 50)).toHaveLength(48);
  });

  it("begin at the same place for a while, so that the provider finds them in its cache", () => {
    const said = Array.from({ length: 400 }, (_, index) =>
      index % 2 ? answer(`${index}`) : user(`${index}`),
    );
    const begins = said.map((_, index) => recentHistory(entries(said.slice(0, index + 1)), 50)[0]);
    const moves = begins.filter((message, index) => index > 0 && message !== begins[index - 1]).length;
    expect(moves).toBeLessThanOrEqual(400 / 25);
    expect(moves).toBeGreaterThan(10);
  });

  it("leave out everything that is not a message", () => {
    const event: Entry = { type: "event", name: "x", data: {}, seq: 1, time: "2026-01-01T00:00:00.000Z" };
    expect(recentHistory([event, ...entries([user("hi")])], 50)).toEqual([user("hi")]);
  });

  it("SESS-15 never begin inside a tool exchange, wherever the window cuts", () => {
    const said = [
      user("a"),
      call("1"),
      result("1"),
      answer("b"),
      user("c"),
      call("2"),
      result("2"),
      answer("d"),
    ];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: said.length }), (limit) => {
        const history = recentHistory(entries(said), limit);
        expect(history.length === 0 || history[0]?.role === "user").toBe(true);
        expect(wellFormedMessages(history).repairs).toEqual([]);
      }),
    );
  });

  it("CFG-06 always hold the question of the present turn, however many steps it has taken", () => {
    const steps = Array.from({ length: 60 }, (_, index) => [call(`${index}`), result(`${index}`)]).flat();
    const built = buildMessages(recentHistory(entries([user("old"), answer("older")]), 2), [
      user("now?"),
      ...steps,
    ]);
    expect(built[2]).toEqual(user("now?"));
    expect(built).toHaveLength(123);
  });
});
