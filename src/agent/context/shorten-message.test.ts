import { textOf, type UserMessage } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { messageTokens } from "./estimate-tokens.ts";
import { shortenMessage, shortenQuestion, withoutImages } from "./shorten-message.ts";
import { assistant, result, user } from "./testing/session-said.ts";

const long = "word ".repeat(2000);
const image = { type: "image" as const, media: "m", mimeType: "image/png" };

describe("a message that does not fit", () => {
  it("says what is missing and where the whole is", () => {
    const words = textOf(shortenMessage(user(long), 12, 500));
    expect(words.length).toBeLessThanOrEqual(500);
    expect(words).toMatch(/\[… 9,\d{3} of 10,000 characters of entry #12 left out\]/);
    expect(textOf(shortenMessage(result("c", long), 12, 500))).toContain("the whole is r12: result_read");
  });

  it("keeps its calls, with what fits of their arguments, and none of its thoughts", () => {
    const call = (given: Record<string, unknown>) => ({
      type: "toolCall" as const,
      id: "c",
      name: "write",
      arguments: given,
    });
    const thinking = { type: "thinking" as const, thinking: long, signature: "s" };
    const shorten = (given: Record<string, unknown>) =>
      shortenMessage(
        assistant([thinking, { type: "text", text: long, signature: "t" }, call(given)]),
        12,
        500,
      ).content;
    const [text, shortened, ...rest] = shorten({ path: "a.ts", text: long });
    expect(rest).toEqual([]);
    expect(text).toEqual({ type: "text", text: expect.stringContaining("left out") as string });
    expect(shortened).toMatchObject({
      id: "c",
      arguments: { path: "a.ts", text: expect.stringContaining("left out") as string },
    });
    expect(JSON.stringify(shorten({ lines: Array.from({ length: 900 }, () => "x") })).length).toBeLessThan(
      1600,
    );
    expect(shortenMessage(assistant([thinking]), 12, 500).content).toHaveLength(1);
  });

  it("tells of images that there is no room for", () => {
    const seen: UserMessage = { role: "user", content: [{ type: "text", text: "look" }, image] };
    expect(shortenMessage(seen, 12, 500)).toBe(seen);
    expect(withoutImages(seen).content[1]).toMatchObject({ type: "text" });
    expect(textOf(withoutImages(seen))).toContain("an image, left out");
  });

  it("keeps to a number of tokens as the question, note included", () => {
    const question: UserMessage = {
      role: "user",
      content: [image, { type: "text", text: long }],
      note: "[Sun 2026-11-15 18:05 GMT+1]",
    };
    const shown = shortenQuestion(question, 12, 200);
    expect(messageTokens(shown)).toBeLessThanOrEqual(200);
    expect(shown.note).toBe(question.note);
    expect(textOf(shortenQuestion(question, 12, -5))).not.toBe("");
  });
});
