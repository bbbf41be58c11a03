/**
 * Names for tool calls as the target's format wants them: valid, and unique in the whole history. A name is chosen by looking only at
 * what came before, and the same history always gets the same ones.
 */
import type { AssistantMessage, Message } from "@pincer/sdk";
import { createHash } from "node:crypto";
import type { ModelRecord } from "../model-record.ts";
import { isOwnMessage, isResponsesFormat } from "./is-own-message.ts";

/** Pure. Wants every call followed by its result, and ids that differ. */
export function nameCalls(messages: readonly Message[], record: ModelRecord): readonly Message[] {
  if (!messages.some(isResult)) return messages;
  const used = new Set<string>();
  const calls = new Map<string, { toolCallId: string; toolName: string }>();

  function nameFor(id: string, message: AssistantMessage): string {
    const own = isOwnMessage(message, record);
    if (own && isOwnId(id, record.api) && !used.has(wireKey(id))) return id;
    for (let attempt = 0; ; attempt++) {
      const name = record.api === "mistral-conversations" ? mistralId(id, attempt) : plainId(id, attempt);
      if (!used.has(name)) return name;
    }
  }

  return messages.map((message): Message => {
    if (message.role === "user") return message;
    // Gemini pairs by the tool's name.
    if (message.role === "toolResult") return { ...message, ...calls.get(message.toolCallId) };
    if (!message.content.some(isCall)) return message;
    const content = message.content.map((block) => {
      if (block.type !== "toolCall") return block;
      const id = nameFor(block.id, message);
      used.add(wireKey(id));
      calls.set(block.id, { toolCallId: id, toolName: block.name });
      return id === block.id ? block : { ...block, id };
    });
    return { ...message, content };
  });
}

const isResult = ({ role }: Message): boolean => role === "toolResult";
const isCall = ({ type }: AssistantMessage["content"][number]): boolean => type === "toolCall";

/** Some formats join the id of the call and that of the item; results name the call only. */
const wireKey = (id: string): string => id.split("|", 1)[0] ?? id;

/** Whether a model's own id may go back to it as it is. */
function isOwnId(id: string, api: string): boolean {
  if (isResponsesFormat(api)) return /^[\w-]*[A-Za-z0-9-](\|[\w-]+)?$/.test(id) && wireKey(id).length <= 64;
  if (api === "mistral-conversations") return /^[A-Za-z0-9]{9}$/.test(id);
  // Servers of this kind have manners of their own (`functions.read:0`), and know their own ids again.
  if (api === "openai-completions") return /^[!-{}~]{1,64}$/.test(id);
  return /^[\w-]{1,64}$/.test(id);
}

const mostCharacters = 40;

/** Valid in every format but Mistral's. Does not end in `_`, which some formats cut off. */
function plainId(id: string, attempt: number): string {
  const stem = wireKey(id)
    .replace(/[^\w-]/g, "_")
    .replace(/_+$/, "");
  if (attempt === 0 && stem !== "" && stem.length <= mostCharacters) return stem;
  const digest = digestOf(id, attempt).slice(0, 8);
  return `${stem.slice(0, mostCharacters - 9) || "call"}_${digest}`;
}

function mistralId(id: string, attempt: number): string {
  const letters = id.replace(/[^A-Za-z0-9]/g, "");
  return attempt === 0 && letters.length === 9 ? letters : digestOf(id, attempt).slice(0, 9);
}

const digestOf = (id: string, attempt: number): string =>
  createHash("sha256").update(`${attempt}\0${id}`).digest("hex");
