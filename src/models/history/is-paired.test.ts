import { noUsage, wellFormedMessages, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPaired } from "./is-paired.ts";
import { anyHistory, wholeHistory } from "./testing/any-history.ts";

const calling = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
  provider: "groq",
  model: "llama",
  usage: noUsage(),
  stopReason: "toolUse",
});
const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "done" }],
  isError: false,
});

describe("a history that needs no repair", () => {
  it("is known without one: exactly where nothing would be repaired", () => {
    const isWhole = (messages: Message[]) => wellFormedMessages(messages).repairs.length === 0;
    fc.assert(
      fc.property(fc.oneof(anyHistory, wholeHistory), (messages) => {
        expect(isPaired(messages)).toBe(isWhole(messages));
      }),
      { numRuns: 2000 },
    );
  });

  it("has each result behind its call, in the order of the calls", () => {
    expect(isPaired([])).toBe(true);
    expect(isPaired([calling("a", "b"), result("a"), result("b"), calling("c"), result("c")])).toBe(true);
    expect(isPaired([calling("a", "b"), result("b"), result("a")])).toBe(false);
    expect(isPaired([calling("a"), result("a"), result("a")])).toBe(false);
    expect(isPaired([calling("a"), result("a"), calling("a"), result("a")])).toBe(false);
    expect(isPaired([calling(""), result("")])).toBe(false);
    expect(isPaired([calling("a")])).toBe(false);
  });
});
