/** Sessions as tests need them: entries by hand, and any that could be found. */
import { noUsage, type AssistantMessage, type Message, type MessageEntry, type Usage } from "@pincer/sdk";
import * as fc from "fast-check";
import type { SessionView, ViewSettings } from "../session-view.ts";

export const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

export const assistant = (
  content: AssistantMessage["content"],
  usage: Partial<Usage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  provider: "p",
  model: "m",
  stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
  usage: { ...noUsage(), ...usage },
});
export const answer = (text: string, usage: Partial<Usage> = {}): AssistantMessage =>
  assistant([{ type: "text", text }], usage);
export const call = (...ids: string[]): AssistantMessage =>
  assistant(ids.map((id) => ({ type: "toolCall", id, name: "look", arguments: {} })));

export const result = (id: string, text: string): Message => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "look",
  content: [{ type: "text", text }],
  isError: false,
});

export const begin = Date.parse("2026-11-15T12:00:00.000Z");

/** One entry per message, a second apart unless `pauses` says how many there were before one of them. */
export const entriesOf = (
  messages: readonly Message[],
  { from = 2, pauses = {} }: { from?: number; pauses?: Record<number, number> } = {},
): MessageEntry[] => {
  let at = begin + from * 1000;
  return messages.map((message, index) => {
    at += (pauses[index] ?? 1) * 1000;
    return { type: "message", seq: from + index, time: new Date(at).toISOString(), message };
  });
};

export const viewOf = (said: readonly MessageEntry[], rest: Partial<SessionView> = {}): SessionView => ({
  mark: undefined,
  said,
  isCut: false,
  ...rest,
});

export const settings = (rest: Partial<ViewSettings> = {}): ViewSettings => ({
  maxMessages: 50,
  resultChars: 10_000,
  pruning: { mode: "cache-ttl", ttlMs: 300_000, keepLastAssistants: 3, isUntrusted: false },
  timezone: "UTC",
  limits: { contextWindow: 200_000, maxTokens: 8000 },
  reserveTokens: 20_000,
  ...rest,
});

const text = fc
  .tuple(
    fc.constantFrom("word ", '{"a":1},', "line\n", "你好", "🦀", "é", "ж", "x"),
    fc.oneof({ weight: 6, arbitrary: fc.nat(60) }, { weight: 2, arbitrary: fc.nat(4000) }, fc.nat(40_000)),
  )
  .map(([piece, times]) => piece.repeat(times));

const image = { type: "image" as const, media: "m1", mimeType: "image/png" };
const images = fc
  .oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.nat(8))
  .map((count) => Array.from({ length: count }, () => image));

const anyUser: fc.Arbitrary<Message[]> = fc
  .tuple(text, images)
  .map(([words, pictures]) => [{ role: "user", content: [{ type: "text", text: words }, ...pictures] }]);

const anyExchange: fc.Arbitrary<Message[]> = fc
  .tuple(text, fc.array(fc.tuple(text, text, images), { maxLength: 4 }), fc.constantFrom("a", "b", "c"), text)
  .map(([words, calls, id, thinking]) => [
    assistant([
      { type: "thinking", thinking },
      { type: "text", text: words },
      ...calls.map(([given], index) => ({
        type: "toolCall" as const,
        id: `${id}${index}`,
        name: "look",
        arguments: { path: given },
      })),
    ]),
    ...calls.map(([, found, pictures], index): Message => ({
      role: "toolResult",
      toolCallId: `${id}${index}`,
      toolName: "look",
      content: [{ type: "text", text: found }, ...pictures],
      isError: false,
    })),
  ]);

/** Turns: each begins with a user, and has any number of steps. */
export const anyTurns = (maxLength: number): fc.Arbitrary<Message[]> =>
  fc
    .array(
      fc
        .tuple(anyUser, fc.array(anyExchange, { maxLength: 4 }))
        .map(([asked, steps]) => [...asked, ...steps.flat()]),
      { maxLength },
    )
    .map((turns) => turns.flat());

/** The present turn: somebody asked. */
export const anyTurn: fc.Arbitrary<Message[]> = fc
  .tuple(anyUser, fc.array(fc.oneof({ weight: 5, arbitrary: anyExchange }, anyUser), { maxLength: 12 }))
  .map(([asked, steps]) => [...asked, ...steps.flat()]);
