/**
 * The body of a chat completion as it goes over the wire. More than half of it is the tools, which are the same in every request; the
 * library's client would write all of them out each time. It is given what it has to know of the request, and the body is written here.
 */
import { isObject } from "../wire/event-bytes.ts";

export interface ChatBody {
  /** For the library: takes the request that it made, and answers with what its client is to be told of it. */
  onPayload(request: unknown): unknown;
  /** The request in JSON, once; undefined when there is none, or none any more. */
  take(): string | undefined;
}

export function createChatBody(): ChatBody {
  let text: string | undefined;
  return {
    onPayload(request) {
      if (!isObject(request) || Array.isArray(request)) return undefined;
      text = chatBodyOf(request);
      const { model, stream } = request as { model?: unknown; stream?: unknown };
      return { model, messages: [], stream };
    },
    take() {
      const taken = text;
      text = undefined;
      return taken;
    },
  };
}

/** To the letter what `JSON.stringify` makes of it. */
export function chatBodyOf(request: object): string {
  const members: string[] = [];
  for (const [key, value] of Object.entries(request) as Array<[string, unknown]>) {
    const text = key === "tools" && Array.isArray(value) ? listOf(value) : JSON.stringify(value);
    // Undefined for what JSON has no word for.
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

const listOf = (tools: readonly unknown[]): string => `[${tools.map(toolText).join(",")}]`;

interface ChatTool {
  type?: unknown;
  function: { name?: unknown; description?: unknown; parameters: object; strict?: unknown };
}

interface KnownTool {
  type: unknown;
  name: unknown;
  description: unknown;
  strict: unknown;
  /** How many members the tool's function has. */
  members: number;
  text: string;
}

/** By the schema, which can no longer change; what else there is to a tool is looked at each time. */
const known = new WeakMap<object, KnownTool>();

function toolText(tool: unknown): string {
  if (!isPlainTool(tool)) return JSON.stringify(tool) ?? "null";
  const { type, function: called } = tool;
  const { name, description, parameters, strict } = called;
  const members = Object.keys(called).length;
  const before = known.get(parameters);
  if (
    before?.name === name &&
    before?.description === description &&
    before?.type === type &&
    before?.strict === strict &&
    before?.members === members
  )
    return before.text;
  const text = JSON.stringify(tool);
  known.set(parameters, { type, name, description, strict, members, text });
  return text;
}

/** One that is nothing but its type, its name, its description, its schema, and whether that is strict. */
function isPlainTool(tool: unknown): tool is ChatTool {
  if (!isObject(tool)) return false;
  for (const key of Object.keys(tool)) if (key !== "type" && key !== "function") return false;
  const called: unknown = Reflect.get(tool, "function");
  if (!isObject(called)) return false;
  for (const key of Object.keys(called)) if (!plainMembers.has(key)) return false;
  const parameters: unknown = Reflect.get(called, "parameters");
  return isObject(parameters) && Object.isFrozen(parameters);
}

const plainMembers = new Set(["name", "description", "parameters", "strict"]);
