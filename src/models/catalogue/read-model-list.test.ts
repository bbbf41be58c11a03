import { describe, expect, it } from "vitest";
import { readModelList } from "./read-model-list.ts";

/** Answers of real providers, shortened. */
describe("the list that a provider gives of its models", () => {
  it("is OpenAI's, without what holds no conversation", () => {
    const data = ["gpt-5.5", "text-embedding-3-small", "tts-1", "whisper-1", "dall-e-3", "gpt-5.5"].map(
      (id) => ({
        id,
        object: "model",
        owned_by: "openai",
      }),
    );
    expect(readModelList({ object: "list", data })).toEqual([{ id: "gpt-5.5" }]);
  });

  it("is OpenRouter's, with its prices per token", () => {
    const row = {
      id: "anthropic/claude-sonnet-5",
      name: "Anthropic: Claude Sonnet 5",
      context_length: 1_000_000,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003" },
      top_provider: { context_length: 1_000_000, max_completion_tokens: 64_000 },
    };
    expect(readModelList({ data: [row] })).toEqual([
      {
        id: "anthropic/claude-sonnet-5",
        name: "Anthropic: Claude Sonnet 5",
        contextWindow: 1_000_000,
        maxTokens: 64_000,
        input: ["text", "image"],
        cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 },
      },
    ]);
  });

  it("is Google's, where methods say what a model is for", () => {
    const models = [
      {
        name: "models/gemini-x",
        displayName: "Gemini X",
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ["generateContent", "countTokens"],
      },
      { name: "models/embedding-001", supportedGenerationMethods: ["embedContent"] },
    ];
    expect(readModelList({ models })).toEqual([
      { id: "gemini-x", name: "Gemini X", contextWindow: 1_048_576, maxTokens: 65_536 },
    ]);
  });

  it.each([
    ["vLLM", { data: [{ id: "m", max_model_len: 8192 }] }, { contextWindow: 8192 }],
    [
      "Mistral",
      { data: [{ id: "m", max_context_length: 32_000, capabilities: { vision: true } }] },
      { contextWindow: 32_000, input: ["text", "image"] },
    ],
    ["Ollama", { models: [{ name: "m", details: { family: "llama" } }] }, {}],
    ["a bare list", [{ id: "m" }], {}],
  ])("is that of %s", (_who, answer, rest) => {
    expect(readModelList(answer)).toEqual([{ id: "m", ...rest }]);
  });

  it.each([undefined, null, "x", 7, {}, { data: {} }])("is not %j", (answer) => {
    expect(readModelList(answer)).toBeUndefined();
  });

  it("loses only the rows that make no sense", () => {
    const rows = [
      null,
      7,
      {},
      { id: "" },
      { id: 5 },
      { id: "ok", context_length: -1, pricing: { prompt: "free" } },
    ];
    expect(readModelList(rows)).toEqual([
      { id: "ok", cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
    ]);
  });
});
