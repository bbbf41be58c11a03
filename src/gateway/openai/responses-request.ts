/** Parses the body of `POST /v1/responses` into a question. */
import { Type, type Static } from "typebox";
import type { AdmittedCall } from "../http/http-route.ts";
import { chooseTools, describeTools, FunctionFields, mostTools } from "./client-tools.ts";
import { badRequest, unsupported } from "./openai-failure.ts";
import type { Question, QuestionPlace } from "./openai-api.ts";
import { readPicture, type KeepPicture } from "./pictures.ts";
import {
  ContentParts,
  digestOf,
  formatWish,
  idempotencyKeyOf,
  joinInstructions,
  longText,
  mostMessages,
  name,
  placeOf,
  speakerOf,
  thinkingOf,
  traceparentOf,
} from "./question-parts.ts";
import { readBody, refuseUnsupported } from "./read-body.ts";
import { readResponseId } from "./response-id.ts";
import { readMessages, type ToldMessage } from "./told-messages.ts";

const Content = Type.Union([longText, ContentParts]);

const Item = Type.Object({
  type: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
  content: Type.Optional(Type.Union([Content, Type.Null()])),
  call_id: Type.Optional(name),
  name: Type.Optional(name),
  arguments: Type.Optional(longText),
  output: Type.Optional(Content),
});
type Item = Static<typeof Item>;

const ResponsesRequest = Type.Object({
  model: name,
  input: Type.Union([longText, Type.Array(Item, { minItems: 1, maxItems: mostMessages })]),
  instructions: Type.Optional(Type.Union([Type.Null(), longText])),
  previous_response_id: Type.Optional(Type.Union([Type.Null(), name])),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  user: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 256 })])),
  tools: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ type: Type.String(), ...Type.Partial(FunctionFields).properties }), {
        maxItems: mostTools,
      }),
    ]),
  ),
  tool_choice: Type.Optional(Type.Unknown()),
  text: Type.Optional(Type.Union([Type.Null(), Type.Object({ format: Type.Optional(Type.Unknown()) })])),
  reasoning: Type.Optional(Type.Union([Type.Null(), Type.Object({ effort: Type.Optional(Type.Unknown()) })])),
});

const refused: Parameters<typeof refuseUnsupported>[1] = {
  background: (value) => value !== false,
  conversation: () => true,
  prompt: () => true,
  top_logprobs: (value) => value !== 0,
};

export interface AskedResponse {
  question: Question;
  stream: boolean;
  previous: string | null;
  /** As they are told back. */
  instructions: string | null;
}

/** Throws OpenAiFailure 400. */
export async function readResponsesRequest(
  body: unknown,
  call: AdmittedCall,
  keep: KeepPicture,
): Promise<AskedResponse> {
  const request = readBody(ResponsesRequest, body);
  refuseUnsupported(request, refused);
  const previous = request.previous_response_id ?? null;
  const place = previous === null ? placeOf(call.headers, request.user ?? undefined) : placeAfter(previous);
  const told = await toldMessages(request.input, keep);
  const { given, instructions } = readMessages(told, {
    speaker: speakerOf(call.caller),
    isAlone: place.type === "alone",
    param: "input",
  });
  const described = describeTools((request.tools ?? []).map(functionOf));
  const { tools, wish } = chooseTools(described, request.tool_choice);
  const format = formatWish(request.text?.format, "text.format");
  return {
    stream: request.stream ?? false,
    previous,
    instructions: request.instructions ?? null,
    question: {
      model: request.model,
      place,
      given,
      tools,
      digest: digestOf(call, request),
      ...joinInstructions("instructions", request.instructions ?? "", instructions, wish, format),
      ...thinkingOf(request.reasoning?.effort, "reasoning.effort"),
      ...idempotencyKeyOf(call.headers),
      ...traceparentOf(call.headers),
    },
  };
}

const placeAfter = (previous: string): QuestionPlace => ({
  type: "after",
  runId: readResponseId(previous, "previous_response_id"),
});

function functionOf(
  tool: { type: string } & Partial<FunctionFields>,
  index: number,
): FunctionFields & { path: string } {
  const path = `tools.${index}`;
  if (tool.type !== "function") throw unsupported(`${path}.type`);
  if (tool.name === undefined)
    throw badRequest("openai.bad-field", `${path}.name`, { reason: "it is missing" });
  const { name: called, description, parameters } = tool;
  return {
    path,
    name: called,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

async function toldMessages(input: string | readonly Item[], keep: KeepPicture): Promise<ToldMessage[]> {
  if (typeof input === "string") return [{ path: "input", role: "user", content: [input] }];
  const told: ToldMessage[] = [];
  for (const [index, item] of input.entries()) {
    const message = await toldItem(item, `input.${index}`, keep);
    const last = told.at(-1);
    // Calls stand as items of their own after the words that they belong to.
    if (message?.role === "assistant" && last?.role === "assistant") {
      told[told.length - 1] = joinAnswers(last, message);
    } else if (message) told.push(message);
  }
  return told;
}

type ToldAnswer = Extract<ToldMessage, { role: "assistant" }>;

const joinAnswers = (one: ToldAnswer, other: ToldAnswer): ToldAnswer => ({
  ...one,
  text: [one.text, other.text].filter(Boolean).join("\n"),
  calls: [...one.calls, ...other.calls],
});

/** Undefined for what nobody but OpenAI's own models can read. */
async function toldItem(item: Item, path: string, keep: KeepPicture): Promise<ToldMessage | undefined> {
  const { type = "message", call_id: callId, name: called } = item;
  switch (type) {
    case "message":
      return toldMessage(item, path, keep);
    case "reasoning":
      return undefined;
    case "function_call":
      if (callId === undefined || called === undefined) {
        throw badRequest("openai.bad-field", path, { reason: "call_id and name are missing" });
      }
      return {
        path,
        role: "assistant",
        text: "",
        calls: [{ id: callId, name: called, arguments: item.arguments ?? "{}" }],
      };
    case "function_call_output":
      if (callId === undefined) {
        throw badRequest("openai.bad-field", `${path}.call_id`, { reason: "it is missing" });
      }
      return { path, role: "tool", callId, text: textIn(item.output, `${path}.output`) };
    default:
      throw unsupported(`${path}.type`);
  }
}

async function toldMessage({ role, content }: Item, path: string, keep: KeepPicture): Promise<ToldMessage> {
  const at = `${path}.content`;
  switch (role) {
    case "system":
    case "developer":
      return { path, role: "instructions", text: textIn(content, at) };
    case "user":
      return { path, role: "user", content: await contentIn(content, at, keep) };
    case "assistant":
      return { path, role: "assistant", text: textIn(content, at), calls: [] };
    default:
      throw badRequest("openai.bad-field", `${path}.role`, {
        reason: "system, developer, user or assistant",
      });
  }
}

const texts: ReadonlySet<string> = new Set(["input_text", "output_text", "text"]);

function textIn(content: Item["content"], path: string): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  const found = content.map((part, index) => {
    if (!texts.has(part.type) || part.text === undefined) throw unsupported(`${path}.${index}.type`);
    return part.text;
  });
  return found.join("\n");
}

async function contentIn(content: Item["content"], path: string, keep: KeepPicture) {
  if (content === undefined || content === null || content.length === 0) {
    throw badRequest("openai.bad-field", path, { reason: "it is missing" });
  }
  if (typeof content === "string") return [content];
  const parts: Extract<ToldMessage, { role: "user" }>["content"] = [];
  for (const [index, part] of content.entries()) {
    const at = `${path}.${index}`;
    if (texts.has(part.type) && part.text !== undefined) parts.push(part.text);
    else if (part.type === "input_image")
      parts.push(await readPicture(part.image_url, `${at}.image_url`, keep));
    else throw unsupported(`${at}.type`);
  }
  return parts;
}
