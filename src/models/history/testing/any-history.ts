/** Histories as they are found after crashes, imports and changes of the model: whole, cut, out of order, mixed. */
import { noUsage, type AssistantMessage, type Message, type ToolResultMessage } from "@pincer/sdk";
import * as fc from "fast-check";
import type { ModelRecord } from "../../model-record.ts";

const record = (provider: string, id: string, api: string, input: ModelRecord["input"]): ModelRecord => ({
  provider,
  id,
  name: id,
  api,
  baseUrl: "https://example.com",
  reasoning: true,
  input,
  contextWindow: 200_000,
  maxTokens: 8000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
});

/** One model of each wire format. */
export const targets: readonly ModelRecord[] = [
  record("anthropic", "claude", "anthropic-messages", ["text", "image"]),
  record("openai", "gpt", "openai-responses", ["text", "image"]),
  record("groq", "llama", "openai-completions", ["text"]),
  record("google", "gemini-2.5-flash", "google-generative-ai", ["text", "image"]),
  record("google", "gemini-3-pro", "google-generative-ai", ["text"]),
  record("mistral", "large", "mistral-conversations", ["text"]),
  record("aws", "nova", "bedrock-converse-stream", ["text"]),
];

const words = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("hello", "read it", "你好", "a\nb", "🦀") },
  { weight: 1, arbitrary: fc.constantFrom("", "  ", "\n", "half \ud83e", "\udd80 half") },
);
const ids = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("call_1", "call_2", "toolu_01AbC", "abcDEF123") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "a.b", "a_b", "functions.read:0", "call_1|fc_9", "call_1|fc_8", "x_", "|"),
  },
  { weight: 1, arbitrary: fc.constantFrom("long".repeat(30), `${"long".repeat(30)}er`, "工具") },
);
const toolNames = fc.constantFrom("read", "time.now", "9lives", "", "工具", "a".repeat(80));
const signatures = fc.constantFrom(
  "",
  "c2lnbmF0dXJl",
  '{"type":"reasoning","id":"rs_1"}',
  "reasoning_content",
);
const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((each) => (each === undefined ? {} : { [key]: each }));

const text = fc.tuple(words, maybe("signature", signatures)).map(([said, signature]) => ({
  type: "text" as const,
  text: said,
  ...signature,
}));
const image = fc.constant({ type: "image" as const, media: "m1", mimeType: "image/png" });
const thinking = fc.tuple(words, maybe("signature", signatures)).map(([thought, signature]) => ({
  type: "thinking" as const,
  thinking: thought,
  ...signature,
}));
const call = fc
  .tuple(ids, toolNames, words, maybe("signature", signatures))
  .map(([id, name, value, rest]) => ({
    type: "toolCall" as const,
    id,
    name,
    arguments: { path: value },
    ...rest,
  }));

const user: fc.Arbitrary<Message> = fc
  .array(fc.oneof({ weight: 3, arbitrary: text }, image), { maxLength: 3 })
  .map((content) => ({ role: "user", content }));

const result = (id: fc.Arbitrary<string>, name: fc.Arbitrary<string>): fc.Arbitrary<ToolResultMessage> =>
  fc
    .tuple(id, name, fc.array(fc.oneof(text, image), { maxLength: 2 }), fc.boolean())
    .map(([toolCallId, toolName, content, isError]) => ({
      role: "toolResult",
      toolCallId,
      toolName,
      content,
      isError,
    }));

const answer: fc.Arbitrary<AssistantMessage> = fc
  .tuple(
    fc.array(fc.oneof(text, thinking, call), { maxLength: 4 }),
    fc.constantFrom(...targets),
    fc.constantFrom("stop", "length", "toolUse", "error", "aborted"),
    fc.boolean(),
  )
  .map(([content, made, stopReason, hasApi]) => ({
    role: "assistant",
    content: content as AssistantMessage["content"],
    provider: made.provider,
    model: made.id,
    ...(hasApi ? { api: made.api } : {}),
    usage: noUsage(),
    stopReason: stopReason as AssistantMessage["stopReason"],
  }));

/** An answer with the results of its calls. */
const exchange: fc.Arbitrary<Message[]> = answer.chain((message) => {
  const results = message.content.flatMap((block) =>
    block.type === "toolCall" ? [result(fc.constant(block.id), fc.constant(block.name))] : [],
  );
  return fc.tuple(...results).map((each) => [message, ...each]);
});

/** Questions and whole exchanges, in order. */
export const wholeHistory: fc.Arbitrary<Message[]> = fc
  .array(
    fc.oneof(
      user.map((each) => [each]),
      exchange,
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.flat());

/** Whatever could be found. */
export const anyHistory: fc.Arbitrary<Message[]> = fc.oneof(
  wholeHistory,
  wholeHistory.chain((messages) => fc.shuffledSubarray(messages)),
  wholeHistory.chain((messages) => fc.nat(messages.length).map((end) => messages.slice(end))),
  wholeHistory.chain((messages) => fc.nat(messages.length).map((end) => messages.slice(0, end))),
  fc.array(fc.oneof(user, answer, result(ids, toolNames)), { maxLength: 10 }),
);
