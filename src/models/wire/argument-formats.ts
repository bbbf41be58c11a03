/** Where each wire format keeps the pieces of a tool call's arguments in its events, and what its end looks like. */
import type { ArgumentBuffer, ShelvedArguments } from "./argument-buffer.ts";
import { isObject } from "./event-bytes.ts";
import { liftFromChat } from "./lift-from-chat.ts";
import { liftFromResponses } from "./lift-from-responses.ts";
import { lifted, nothingElse, type BeginLifting, type Lifted } from "./lifted.ts";

export interface ArgumentFormat {
  /** An event without any of them holds no arguments. For a format that is not strict: of a strict one, every event is parsed. */
  markers: readonly string[];
  /** What a piece is called. */
  pieceKey: string;
  /** What an event begins with after which nothing comes. */
  lastLines: readonly string[];
  /** What says that no words come any more, though the counts may; undefined: its last line is never left out. */
  finish?: FinishMark;
  /** Whether an event that is not JSON ends the answer. */
  isStrict: boolean;
  begin: BeginLifting;
}

/** A text by this name, in the first of a list. */
export interface FinishMark {
  list: string;
  key: string;
}

const chatCompletions: ArgumentFormat = {
  markers: [],
  pieceKey: "arguments",
  lastLines: ["data: [DONE]", "data:[DONE]"],
  finish: { list: "choices", key: "finish_reason" },
  isStrict: true,
  begin: liftFromChat,
};
const mistral: ArgumentFormat = { ...chatCompletions, markers: ['"tool_calls"'], isStrict: false };
const responses: ArgumentFormat = {
  markers: ["function_call", "response.output_item", "response.completed", "response.incomplete"],
  pieceKey: "delta",
  lastLines: ["event: response.completed"],
  isStrict: true,
  begin: liftFromResponses,
};
const codex: ArgumentFormat = { ...responses, isStrict: false };
const anthropic: ArgumentFormat = {
  markers: ["input_json_delta", "tool_use"],
  pieceKey: "partial_json",
  lastLines: ["event: message_stop"],
  isStrict: false,
  begin: liftFromAnthropic,
};
/** There arguments come whole. */
const google: ArgumentFormat = {
  markers: [],
  pieceKey: "",
  lastLines: [],
  finish: { list: "candidates", key: "finishReason" },
  isStrict: false,
  begin: () => () => "keep",
};

/** The formats whose events are known here. */
export const argumentFormats: Readonly<Record<string, ArgumentFormat>> = {
  "openai-completions": chatCompletions,
  "mistral-conversations": mistral,
  "openai-responses": responses,
  "azure-openai-responses": responses,
  "openai-codex-responses": codex,
  "anthropic-messages": anthropic,
  "google-generative-ai": google,
  "google-vertex": google,
};

/** Whether an event may say so: to see it, nothing is parsed. */
export const mayFinish = (event: string, { finish }: ArgumentFormat): boolean =>
  finish !== undefined &&
  // With the space that some servers write.
  (event.includes(`"${finish.key}":"`) || event.includes(`"${finish.key}": "`));

export function hasFinish(value: unknown, { finish }: ArgumentFormat): boolean {
  if (!finish || !isObject(value)) return false;
  const all: unknown = Reflect.get(value, finish.list);
  const first: unknown = Array.isArray(all) ? all[0] : undefined;
  const said: unknown = isObject(first) ? Reflect.get(first, finish.key) : undefined;
  // Some servers write an empty text where others write null.
  return typeof said === "string" && said !== "";
}

interface AnthropicEvent {
  type?: string;
  index?: number;
  content_block?: { type?: string; input?: unknown };
  delta?: { type?: string; partial_json?: string };
}

function liftFromAnthropic(shelf: ArgumentBuffer): (event: unknown) => Lifted {
  const byIndex = new Map<number, { place: ShelvedArguments; isWhole: boolean }>();
  return (event) => {
    const { type, index = 0, content_block: block, delta } = event as AnthropicEvent;
    if (type === "content_block_start" && block?.type === "tool_use") {
      const place = shelf.open();
      const isWhole =
        typeof block.input === "object" && block.input !== null && Object.keys(block.input).length > 0;
      byIndex.set(index, { place, isWhole });
      if (!isWhole) return "keep";
      // Some servers give all of the input at once, where the library looks for pieces only.
      const piece = { type: "input_json_delta", partial_json: lifted(place, JSON.stringify(block.input)) };
      const value = { type: "content_block_delta", index, delta: piece };
      return [{ value: event }, { name: "event: content_block_delta", value }];
    }
    const found = byIndex.get(index);
    if (!found || type !== "content_block_delta" || delta?.type !== "input_json_delta") return "keep";
    const piece = delta.partial_json ?? "";
    if (found.isWhole && piece !== "") {
      found.isWhole = false;
      found.place.replace("");
    }
    delta.partial_json = lifted(found.place, piece);
    return delta.partial_json === "" ? nothingElse(found.place) : [{ value: event }];
  };
}
