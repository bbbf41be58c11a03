/** The tools of a caller, and its wishes about them. */
import type { ToolDescription } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { badRequest, unsupported } from "./openai-failure.ts";

export const FunctionFields = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 8192 }), Type.Null()])),
  parameters: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
});
export type FunctionFields = Static<typeof FunctionFields>;

export const mostTools = 128;
const mostToolCharacters = 256_000;
const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws OpenAiFailure 400. `paths` name each of them in the request. */
export function describeTools(tools: ReadonlyArray<FunctionFields & { path: string }>): ToolDescription[] {
  const names = new Set<string>();
  const described = tools.map(({ name, description, parameters, path }) => {
    if (!toolName.test(name))
      throw badRequest("openai.bad-field", `${path}.name`, {
        reason: "letters, digits, _ and -, at most 64",
      });
    if (names.has(name))
      throw badRequest("openai.bad-field", `${path}.name`, { reason: `${name} is there twice` });
    names.add(name);
    return {
      name,
      description: description ?? "",
      parameters: parameters ?? { type: "object", properties: {} },
    };
  });
  if (JSON.stringify(described).length > mostToolCharacters) {
    throw badRequest("openai.bad-field", "tools", { reason: `more than ${mostToolCharacters} characters` });
  }
  return described;
}

export interface ToolUse {
  /** As the model is shown them. */
  tools: ToolDescription[];
  /** What is told to it besides: no model can be forced here. */
  wish?: string;
}

/** Throws OpenAiFailure 400. Chat completions name a function one level deeper than responses do. */
export function chooseTools(tools: ToolDescription[], choice: unknown): ToolUse {
  if (choice === undefined || choice === null || choice === "auto") return { tools };
  if (choice === "none") return { tools: [] };
  if (choice === "required")
    return tools.length === 0
      ? { tools }
      : { tools, wish: `Call at least one of these tools now: ${namesOf(tools)}.` };
  const name = namedFunction(choice);
  if (name === undefined) throw unsupported("tool_choice");
  if (!tools.some((tool) => tool.name === name)) {
    throw badRequest("openai.bad-field", "tool_choice", { reason: `there is no tool ${name}` });
  }
  return { tools, wish: `Call the tool ${name} now.` };
}

const namesOf = (tools: readonly ToolDescription[]): string => tools.map(({ name }) => name).join(", ");

function namedFunction(choice: unknown): string | undefined {
  const {
    type,
    name,
    function: deeper,
  } = choice as { type?: unknown; name?: unknown; function?: { name?: unknown } };
  const named = deeper?.name ?? name;
  return type === "function" && typeof named === "string" ? named : undefined;
}
