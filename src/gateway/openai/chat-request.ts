/** Parses the body of `POST /v1/chat/completions` into a question. */
import { Type, type Static } from "typebox";
import type { AdmittedCall } from "../http/http-route.ts";
import { chooseTools, describeTools, FunctionFields, mostTools } from "./client-tools.ts";
import { badRequest, unsupported } from "./openai-failure.ts";
import type { Question } from "./openai-api.ts";
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
import { readMessages, type ToldMessage } from "./told-messages.ts";

const ChatMessage = Type.Object({
  role: Type.String(),
  content: Type.Optional(Type.Union([longText, Type.Null(), ContentParts])),
  tool_calls: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          id: name,
          type: Type.Literal("function"),
          function: Type.Object({ name, arguments: longText }),
        }),
        { maxItems: mostTools },
      ),
    ]),
  ),
  tool_call_id: Type.Optional(name),
});
type ChatMessage = Static<typeof ChatMessage>;

const ChatRequest = Type.Object({
  model: name,
  messages: Type.Array(ChatMessage, { minItems: 1, maxItems: mostMessages }),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([Type.Null(), Type.Object({ include_usage: Type.Optional(Type.Boolean()) })]),
  ),
  user: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 256 })])),
  tools: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ type: Type.String(), function: Type.Optional(FunctionFields) }), {
        maxItems: mostTools,
      }),
    ]),
  ),
  tool_choice: Type.Optional(Type.Unknown()),
  response_format: Type.Optional(Type.Unknown()),
  reasoning_effort: Type.Optional(Type.Unknown()),
});

/** These would change what an answer is; anything else that is not read only tunes a model, and is left to its own settings. */
const refused: Parameters<typeof refuseUnsupported>[1] = {
  n: (value) => value !== 1,
  logprobs: (value) => value !== false,
  top_logprobs: (value) => value !== 0,
  logit_bias: (value) => Object.keys(value as object).length > 0,
  audio: () => true,
  modalities: (value) => JSON.stringify(value) !== '["text"]',
  functions: () => true,
  function_call: () => true,
  web_search_options: () => true,
};

export interface AskedChat {
  question: Question;
  stream: boolean;
  includeUsage: boolean;
}

/** Throws OpenAiFailure 400. */
export async function readChatRequest(
  body: unknown,
  call: AdmittedCall,
  keep: KeepPicture,
): Promise<AskedChat> {
  const request = readBody(ChatRequest, body);
  refuseUnsupported(request, refused);
  const place = placeOf(call.headers, request.user ?? undefined);
  const told: ToldMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    told.push(await toldMessage(message, `messages.${index}`, keep));
  }
  const { given, instructions } = readMessages(told, {
    speaker: speakerOf(call.caller),
    isAlone: place.type === "alone",
    param: "messages",
  });
  const described = describeTools((request.tools ?? []).map(functionOf));
  const { tools, wish } = chooseTools(described, request.tool_choice);
  const format = formatWish(request.response_format, "response_format");
  return {
    stream: request.stream ?? false,
    includeUsage: request.stream_options?.include_usage ?? false,
    question: {
      model: request.model,
      place,
      given,
      tools,
      digest: digestOf(call, request),
      ...joinInstructions("messages", instructions, wish, format),
      ...thinkingOf(request.reasoning_effort, "reasoning_effort"),
      ...idempotencyKeyOf(call.headers),
      ...traceparentOf(call.headers),
    },
  };
}

function functionOf(
  tool: { type: string; function?: FunctionFields },
  index: number,
): FunctionFields & { path: string } {
  if (tool.type !== "function" || !tool.function) throw unsupported(`tools.${index}.type`);
  return { ...tool.function, path: `tools.${index}.function` };
}

async function toldMessage(message: ChatMessage, path: string, keep: KeepPicture): Promise<ToldMessage> {
  const { role, content } = message;
  switch (role) {
    case "system":
    case "developer":
      return { path, role: "instructions", text: textIn(content, path) };
    case "user":
      return { path, role: "user", content: await contentIn(content, path, keep) };
    case "assistant":
      return {
        path,
        role: "assistant",
        text: textIn(content, path),
        calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
      };
    case "tool": {
      const { tool_call_id: callId } = message;
      if (callId === undefined) {
        throw badRequest("openai.bad-field", `${path}.tool_call_id`, { reason: "it is missing" });
      }
      return { path, role: "tool", callId, text: textIn(content, path) };
    }
    default:
      throw badRequest("openai.bad-field", `${path}.role`, {
        reason: "system, developer, user, assistant or tool",
      });
  }
}

/** What is no text has no place there. */
function textIn(content: ChatMessage["content"], path: string): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  const texts = content.map((part, index) => {
    if (part.type !== "text" || part.text === undefined) throw unsupported(`${path}.content.${index}.type`);
    return part.text;
  });
  return texts.join("\n");
}

async function contentIn(content: ChatMessage["content"], path: string, keep: KeepPicture) {
  if (content === undefined || content === null) {
    throw badRequest("openai.bad-field", `${path}.content`, { reason: "it is missing" });
  }
  if (typeof content === "string") return [content];
  const parts: Extract<ToldMessage, { role: "user" }>["content"] = [];
  for (const [index, part] of content.entries()) {
    const at = `${path}.content.${index}`;
    if (part.type === "text" && part.text !== undefined) parts.push(part.text);
    else if (part.type === "image_url") {
      const { url } = (part.image_url ?? {}) as { url?: unknown };
      parts.push(await readPicture(url, `${at}.image_url.url`, keep));
    } else throw unsupported(`${at}.type`);
  }
  if (parts.length === 0) throw badRequest("openai.bad-field", `${path}.content`, { reason: "it is empty" });
  return parts;
}
