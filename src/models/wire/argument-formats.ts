/** Where each wire format keeps the pieces of a tool call's arguments in its events, and which call a piece belongs to. */
import type { ArgumentShelf, ShelvedArguments } from "./argument-shelf.ts";

/**
 * `keep`: as it came. `drop`: nothing in it but arguments, in `onlyPieceOf` one piece of these. Else what stands in its place; `name` is
 * the line for an event of another name.
 */
export type Lifted =
  | "keep"
  | "drop"
  | { onlyPieceOf: ShelvedArguments }
  | Array<{ name?: string; value: unknown }>;

export interface ArgumentFormat {
  /** An event without any of them holds no arguments. */
  markers: readonly string[];
  /** What a piece is called. */
  pieceKey: string;
  /** What an event begins with after which nothing comes. */
  lastLines: readonly Buffer[];
  /** Whether an event that is not JSON ends the answer. */
  isStrict: boolean;
  /** For one answer. */
  begin(shelf: ArgumentShelf): (event: unknown) => Lifted;
}

const chatCompletions: ArgumentFormat = {
  markers: ['"arguments"'],
  pieceKey: "arguments",
  lastLines: ["data: [DONE]", "data:[DONE]"].map((line) => Buffer.from(line)),
  isStrict: true,
  begin: (shelf) => liftFromChat(shelf, () => undefined),
};
const mistral: ArgumentFormat = {
  ...chatCompletions,
  isStrict: false,
  // There a piece without number and id goes to the call that others without them went to.
  begin: (shelf) => liftFromChat(shelf, () => ""),
};
const responses: ArgumentFormat = {
  markers: ["function_call"],
  pieceKey: "delta",
  lastLines: [Buffer.from("event: response.completed")],
  isStrict: true,
  begin: liftFromResponses,
};
const codex: ArgumentFormat = { ...responses, isStrict: false };
const anthropic: ArgumentFormat = {
  markers: ["input_json_delta", "tool_use"],
  pieceKey: "partial_json",
  lastLines: [Buffer.from("event: message_stop")],
  isStrict: false,
  begin: liftFromAnthropic,
};

/** The formats that stream arguments in pieces, over a fetch of ours. */
export const argumentFormats: Readonly<Record<string, ArgumentFormat>> = {
  "openai-completions": chatCompletions,
  "mistral-conversations": mistral,
  "openai-responses": responses,
  "azure-openai-responses": responses,
  "openai-codex-responses": codex,
  "anthropic-messages": anthropic,
};

interface ChatCall {
  index?: number | null;
  id?: string | null;
  function?: { name?: string; arguments?: unknown };
}

interface ChatEvent {
  usage?: unknown;
  choices?: Array<{
    finish_reason?: string | null;
    usage?: unknown;
    delta?: Record<string, unknown> & { tool_calls?: ChatCall[] | null };
  }>;
}

interface ChatPlace {
  place: ShelvedArguments;
  hasId: boolean;
  hasName: boolean;
}

function liftFromChat(shelf: ArgumentShelf, anonymous: () => string | undefined): (event: unknown) => Lifted {
  const byIndex = new Map<number, ChatPlace>();
  const byId = new Map<string, ChatPlace>();

  /** As the reader of the stream finds the call of a piece: by number, else by id. */
  function placeOf({ index, id }: ChatCall): ChatPlace {
    const isNumbered = typeof index === "number";
    const name = id || (isNumbered ? undefined : anonymous());
    const known =
      (isNumbered ? byIndex.get(index) : undefined) ?? (name === undefined ? undefined : byId.get(name));
    const found = known ?? { place: shelf.open(), hasId: false, hasName: false };
    if (isNumbered) byIndex.set(index, found);
    if (name !== undefined) byId.set(name, found);
    return found;
  }

  /** Puts the piece on the shelf; answers whether the call still says something to the reader. */
  function liftCall(found: ChatPlace, call: ChatCall, said: NonNullable<ChatCall["function"]>): boolean {
    const isNews =
      !found.place.isAnnounced ||
      (Boolean(call.id) && !found.hasId) ||
      (Boolean(said.name) && !found.hasName);
    found.hasId ||= Boolean(call.id);
    found.hasName ||= Boolean(said.name);
    said.arguments = lifted(found.place, textOf(said.arguments));
    return isNews;
  }

  return (event) => {
    const { usage, choices } = event as ChatEvent;
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    const calls = choice?.delta?.tool_calls;
    if (!Array.isArray(calls) || !calls.every((call) => call?.function)) return "keep";
    let saysMore = Boolean(usage) || Boolean(choice?.finish_reason) || Boolean(choice?.usage);
    let last: ChatPlace | undefined;
    for (const call of calls) {
      last = placeOf(call);
      if (call.function && liftCall(last, call, call.function)) saysMore = true;
    }
    saysMore ||= Object.entries(choice?.delta ?? {}).some(([key, value]) => saysSomething(key, value));
    if (saysMore) return [{ value: event }];
    return last && calls.length === 1 ? nothingElse(last.place) : "drop";
  };
}

const saysSomething = (key: string, value: unknown): boolean =>
  key !== "tool_calls" && key !== "role" && Boolean(value) && !(Array.isArray(value) && value.length === 0);

/** Some servers send the object itself. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** What goes on in place of a piece: the stand-in with the first that says something, nothing with the others. */
function lifted(place: ShelvedArguments, piece: string): string {
  place.append(piece);
  if (place.isAnnounced || piece === "") return "";
  place.isAnnounced = true;
  return place.standIn;
}

/** Those of arguments whose stand-in is still to be given out must each be looked at. */
const nothingElse = (place: ShelvedArguments): Lifted =>
  place.isAnnounced ? { onlyPieceOf: place } : "drop";

interface AnthropicEvent {
  type?: string;
  index?: number;
  content_block?: { type?: string; input?: unknown };
  delta?: { type?: string; partial_json?: string };
}

function liftFromAnthropic(shelf: ArgumentShelf): (event: unknown) => Lifted {
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

interface ResponsesEvent {
  type?: string;
  output_index?: number;
  delta?: string;
  arguments?: string;
  item?: { type?: string; arguments?: string };
}

function liftFromResponses(shelf: ArgumentShelf): (event: unknown) => Lifted {
  const byIndex = new Map<number, ShelvedArguments>();
  const placeAt = (index: number): ShelvedArguments => {
    const place = byIndex.get(index) ?? shelf.open();
    byIndex.set(index, place);
    return place;
  };
  return (event) => {
    const said = event as ResponsesEvent;
    const index = said.output_index ?? 0;
    const { item } = said;
    switch (said.type) {
      case "response.output_item.added":
        if (item?.type !== "function_call") return "keep";
        byIndex.delete(index);
        placeAt(index).append(item.arguments ?? "");
        item.arguments = "";
        return [{ value: event }];
      case "response.function_call_arguments.delta":
        said.delta = lifted(placeAt(index), said.delta ?? "");
        return said.delta === "" ? nothingElse(placeAt(index)) : [{ value: event }];
      case "response.function_call_arguments.done":
        said.arguments = whole(placeAt(index), said.arguments);
        return [{ value: event }];
      case "response.output_item.done":
        if (item?.type !== "function_call") return "keep";
        item.arguments = whole(placeAt(index), item.arguments);
        return [{ value: event }];
      default:
        return "keep";
    }
  };
}

/** What goes on in place of all arguments at once, which counts more than the pieces. */
function whole(place: ShelvedArguments, text: string | undefined): string {
  if (text) place.replace(text);
  if (place.text() === "" && !place.isTooLong()) return "";
  place.isAnnounced = true;
  return place.standIn;
}
