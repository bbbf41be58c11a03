/**
 * Reads one answer out of the library's events. Arguments are parsed here and strictly: what is no JSON object is handed on as it came,
 * to be answered with `invalid_args`; the library would repair it, and a tool would run with a guess.
 */
import type {
  AssistantMessage as PiAssistantMessage,
  AssistantMessageEvent,
  ToolCall as PiToolCall,
} from "@earendil-works/pi-ai";
import type { AssistantMessage, ToolCallBlock } from "@pincer/sdk";
import type { ArgumentBuffer } from "../wire/argument-buffer.ts";
import type { TokenCounts } from "../wire/usage.ts";
import type { WireEvent } from "../wire/wire.ts";

/** An answer as the library sees it at its end. */
export type PiAnswer = Pick<PiAssistantMessage, "content" | "usage" | "stopReason" | "errorMessage">;

export interface AnswerReader {
  /** What is to be passed on of an event that is not the last. */
  take(event: AssistantMessageEvent): WireEvent[];
  /** All that was said, of an answer that is complete. */
  whole(answer: PiAnswer): AssistantMessage["content"];
  /** The words so far, of one that broke off: half a call is none, and thoughts without their signature are of no use. */
  wordsSoFar(): AssistantMessage["content"];
  /** Words, thoughts and calls so far, to estimate what they took. */
  allSoFar(): AssistantMessage["content"];
  /** The calls that are complete, and those whose arguments were beyond the limit. */
  callsSoFar(): ToolCallBlock[];
  usageSoFar(): TokenCounts | undefined;
  /** Whether words and thoughts together are more than an answer may have. */
  isTooLong(): boolean;
}

export interface AnswerParts {
  shelf: ArgumentBuffer;
  maxArgumentsBytes: number;
  makeCallId(): string;
}

/** How much of broken arguments is kept. */
const mostInvalidCharacters = 2000;
/** Of words and thoughts in one answer: far more than any model says, and little enough to be kept. */
const mostSaidCharacters = 8 * 1024 * 1024;

export function createAnswerReader({ shelf, maxArgumentsBytes, makeCallId }: AnswerParts): AnswerReader {
  const texts = new Map<number, string>();
  const thoughts = new Map<number, string>();
  const rawArguments = new Map<number, string>();
  const calls = new Map<number, ToolCallBlock>();
  let partial: PiAssistantMessage | undefined;
  let said = 0;

  function grown(map: Map<number, string>, index: number, delta: string): void {
    map.set(index, (map.get(index) ?? "") + delta);
  }

  function spoken(map: Map<number, string>, index: number, delta: string): void {
    said += delta.length;
    grown(map, index, delta);
  }

  /** Some servers say words only when a block ends. */
  function missing(map: Map<number, string>, index: number, content: string): string {
    const known = map.get(index) ?? "";
    if (content.length <= known.length || !content.startsWith(known)) return "";
    const rest = content.slice(known.length);
    spoken(map, index, rest);
    return rest;
  }

  function callAt(index: number, called: PiToolCall): ToolCallBlock {
    const known = calls.get(index);
    if (known) return known;
    const taken = [...calls.values()].some(({ id }) => id === called.id);
    const call: ToolCallBlock = {
      type: "toolCall",
      id: called.id && !taken ? called.id : makeCallId(),
      name: called.name || "unknown",
      ...argumentsOf(rawArguments.get(index) ?? "", called),
      ...(called.thoughtSignature ? { signature: called.thoughtSignature } : {}),
    };
    calls.set(index, call);
    return call;
  }

  function argumentsOf(
    raw: string,
    called: PiToolCall,
  ): Pick<ToolCallBlock, "arguments" | "invalidArguments"> {
    const shelved = shelf.find(raw) ?? (raw === "" ? shelf.find(called.arguments) : undefined);
    const text = shelved ? shelved.text() : raw;
    if (shelved?.isTooLong() || Buffer.byteLength(text) > maxArgumentsBytes) return tooLong();
    // Some formats hand over an object and no text.
    if (text.trim() === "") return { arguments: shelved ? {} : { ...called.arguments } };
    return parseArguments(text);
  }

  const tooLong = (): Pick<ToolCallBlock, "arguments" | "invalidArguments"> => ({
    arguments: {},
    invalidArguments: `(arguments of more than ${maxArgumentsBytes} bytes)`,
  });

  return {
    take(event) {
      if (event.type === "done" || event.type === "error") return [];
      ({ partial } = event);
      switch (event.type) {
        case "text_delta":
          spoken(texts, event.contentIndex, event.delta);
          return event.delta === "" ? [] : [{ type: "text-delta", text: event.delta }];
        case "text_end": {
          const text = missing(texts, event.contentIndex, event.content);
          return text === "" ? [] : [{ type: "text-delta", text }];
        }
        case "thinking_delta":
          spoken(thoughts, event.contentIndex, event.delta);
          return event.delta === "" ? [] : [{ type: "thinking-delta", text: event.delta }];
        case "toolcall_start":
          rawArguments.set(event.contentIndex, "");
          return [];
        case "toolcall_delta":
          if ((rawArguments.get(event.contentIndex) ?? "").length <= maxArgumentsBytes)
            grown(rawArguments, event.contentIndex, event.delta);
          return [];
        case "toolcall_end":
          return [{ type: "tool-call", call: callAt(event.contentIndex, event.toolCall) }];
        default:
          return [];
      }
    },
    whole: ({ content }) =>
      content.flatMap((block, index): AssistantMessage["content"] => {
        if (block.type === "toolCall") return [callAt(index, block)];
        if (block.type === "text") {
          const text = block.text || (texts.get(index) ?? "");
          const signature = block.textSignature ? { signature: block.textSignature } : {};
          return text === "" ? [] : [{ type: "text", text, ...signature }];
        }
        const { thinkingSignature: signature, redacted } = block;
        const thinking = redacted ? "" : block.thinking || (thoughts.get(index) ?? "");
        if (thinking === "" && !signature) return [];
        return [
          {
            type: "thinking",
            thinking,
            ...(signature ? { signature } : {}),
            ...(redacted ? { redacted } : {}),
          },
        ];
      }),
    wordsSoFar: () => wordsOf(texts),
    allSoFar: () => [...wordsOf(texts), ...wordsOf(thoughts), ...calls.values()],
    callsSoFar() {
      for (const [index, raw] of rawArguments) {
        const block = partial?.content[index];
        if (block?.type === "toolCall" && shelf.find(raw)?.isTooLong()) callAt(index, block);
      }
      return [...calls.values()];
    },
    usageSoFar: () => partial?.usage,
    isTooLong: () => said > mostSaidCharacters,
  };
}

const wordsOf = (texts: ReadonlyMap<number, string>): Array<{ type: "text"; text: string }> =>
  [...texts.values()].filter((text) => text !== "").map((text) => ({ type: "text", text }));

function parseArguments(text: string): Pick<ToolCallBlock, "arguments" | "invalidArguments"> {
  const broken = { arguments: {}, invalidArguments: text.slice(0, mostInvalidCharacters) };
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { arguments: value as Record<string, unknown> } : broken;
  } catch {
    // Not JSON: the model is told so.
    return broken;
  }
}
