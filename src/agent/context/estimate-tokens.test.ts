import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conservative, estimateTokens, messageTokens, toolTokens } from "./estimate-tokens.ts";
import { assistant, result, user } from "./testing/session-said.ts";

describe("our own count of tokens", () => {
  it("takes four ASCII characters for one, a CJK character for one, others for less", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcdefgh")).toBe(2);
    expect(estimateTokens("你好，世界")).toBe(5);
    expect(estimateTokens("こんにちは")).toBe(5);
    expect(estimateTokens("안녕")).toBe(2);
    expect(estimateTokens("привет")).toBe(5);
    expect(estimateTokens("🦀")).toBe(2);
    expect(estimateTokens("abcd你")).toBe(2);
  });

  it("takes two for one where there are no words but keys or encoded data", () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 89 + index ** 2) % 256));
    for (const text of [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")]) {
      expect(estimateTokens(text)).toBeGreaterThan(text.length * 0.48);
      expect(estimateTokens(`the key: ${text} and more`)).toBeGreaterThan(text.length * 0.48);
      expect(estimateTokens(`键 ${text}`)).toBeGreaterThan(text.length * 0.48);
    }
    const word = "abcdefghij".repeat(4);
    expect(estimateTokens(`${word} ${word}.${word}`)).toBe(Math.ceil(122 / 4));
    expect(estimateTokens(`${word}k`)).toBe(21);
    expect(estimateTokens("-".repeat(400))).toBe(100);
  });

  it("finds such data wherever it begins", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 41, max: 200 }), fc.nat(200), (before, length, after) => {
        const data = Array.from({ length }, (_, index) => (index % 2 ? "a" : "b")).join("");
        const text = `${" ".repeat(before)}${data}${" ".repeat(after)}`;
        expect(estimateTokens(text)).toBe(Math.ceil((text.length + length - 1) / 4));
      }),
    );
  });

  it("counts what goes over the wire with a message: note, calls, results, images", () => {
    const plain = messageTokens(user("hello"));
    const noted = { ...user("hello"), role: "user" as const, content: [], note: "x".repeat(40) };
    expect(messageTokens(noted)).toBeGreaterThanOrEqual(10);
    const image = { type: "image" as const, media: "m", mimeType: "image/png" };
    expect(messageTokens({ role: "user", content: [image] })).toBeGreaterThanOrEqual(1200);
    const called = assistant([
      { type: "toolCall", id: "c", name: "look", arguments: { path: "x".repeat(400) } },
    ]);
    expect(messageTokens(called)).toBeGreaterThan(100);
    expect(messageTokens(result("c", "x".repeat(400)))).toBeGreaterThan(100 + plain / 2);
    const hidden = assistant([
      { type: "thinking", thinking: "", signature: "s".repeat(400), redacted: true },
    ]);
    expect(messageTokens(hidden)).toBeGreaterThan(100);
  });

  it("counts the descriptions of tools with their schemas", () => {
    const tool = { name: "look", description: "d".repeat(40), parameters: { type: "object" } };
    expect(toolTokens([tool])).toBeGreaterThan(14);
    expect(toolTokens([tool, { ...tool }])).toBe(2 * toolTokens([tool]));
    expect(toolTokens([])).toBe(0);
  });

  it("counts a description that says something else under the same schema anew", () => {
    const parameters = { type: "object" };
    const count = (name: string, description: string) => toolTokens([{ name, description, parameters }]);
    const short = count("look", "d".repeat(40));
    expect(count("look", "d".repeat(80))).toBe(short + 10);
    expect(count("look".repeat(5), "d".repeat(40))).toBe(short + 4);
    expect(count("look", "d".repeat(40))).toBe(short);
    expect(
      toolTokens([{ name: "look", description: "d".repeat(40), parameters: { type: "o" } }]),
    ).toBeLessThan(short);
  });

  it("allows a fifth for what it may have missed", () => {
    expect(conservative(100)).toBe(135);
    expect(conservative(1)).toBe(2);
  });
});
