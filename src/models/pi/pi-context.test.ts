import { noUsage, type Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { ModelRecord } from "../model-record.ts";
import { toPiContext, type Media } from "./pi-context.ts";

const record = (...input: ModelRecord["input"]): ModelRecord => ({
  provider: "groq",
  id: "llama",
  name: "llama",
  api: "openai-completions",
  baseUrl: "https://example.com",
  reasoning: false,
  input,
  contextWindow: 8000,
  maxTokens: 1000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
});
const text = (words: string) => ({ type: "text" as const, text: words });
const image = (media: string) => ({ type: "image" as const, media, mimeType: "image/png" });
const kept = new Map<string, Media>([["m1", { data: Buffer.from("one"), mimeType: "image/webp" }]]);
const answer: Message = {
  role: "assistant",
  content: [text("yes")],
  provider: "groq",
  model: "llama",
  usage: { ...noUsage(), input: 700, total: 700 },
  stopReason: "stop",
};

async function converted(messages: Message[], by = record("text", "image")) {
  const read: string[] = [];
  const context = await toPiContext({
    record: by,
    request: { systemPrompt: "", messages, tools: [] },
    readMedia: async (media) => {
      read.push(media);
      return kept.get(media);
    },
  });
  return { messages: context.messages, read };
}

describe("a request in the words of the library", () => {
  it("holds images as they are kept, and says so where one is no longer there", async () => {
    const content = [text("a"), text("b"), image("m1"), image("m2"), text("c")];
    const { messages, read } = await converted([
      { role: "user", content },
      answer,
      { role: "user", content },
    ]);
    const told = [
      { type: "text", text: "a\nb" },
      { type: "image", data: Buffer.from("one").toString("base64"), mimeType: "image/webp" },
      { type: "text", text: "(an image that is no longer there)" },
      { type: "text", text: "c" },
    ];
    expect([messages[0]?.content, messages[2]?.content]).toEqual([told, told]);
    expect(read).toEqual(["m1", "m2", "m1", "m2"]);
  });

  it("reads nothing where there is no image, or none that the model could see", async () => {
    const words = await converted([{ role: "user", content: [text("a")] }, answer]);
    expect(words.read).toEqual([]);
    const blind = await converted([{ role: "user", content: [image("m1")] }], record("text"));
    expect(blind.read).toEqual([]);
    expect(blind.messages[0]?.content).toEqual([text("(an image that this model cannot see)")]);
  });

  it("counts nothing for answers of before, and cannot be made to", async () => {
    const { messages } = await converted([answer, answer]);
    for (const each of messages) {
      expect(each).toMatchObject({ role: "assistant", usage: { input: 0, output: 0, totalTokens: 0 } });
      expect(Object.isFrozen("usage" in each ? each.usage : {})).toBe(true);
    }
  });
});
