/**
 * What a provider would refuse a history for, by its wire format. Written from the providers' rules and not from our code, which is what
 * it judges.
 */
import type { AssistantMessage, Message, ToolCallBlock } from "@pincer/sdk";
import type { ModelRecord } from "../../model-record.ts";

export function historyFaults(messages: readonly Message[], record: ModelRecord): string[] {
  const faults: string[] = [];
  const say = (index: number, fault: string) => faults.push(`${index}: ${fault}`);
  if (messages[0]?.role !== "user") say(0, "does not begin with the user");
  if (messages.at(-1)?.role === "assistant") say(messages.length, "ends with the assistant");

  const ids = new Set<string>();
  let owed: ToolCallBlock[] = [];
  let before: Message["role"] | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) say(index, "is empty");
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() === "" && !mayBeBlank(block, record))
        say(index, "blank text");
      if (block.type === "image" && !record.input.includes("image")) say(index, "image for a blind model");
    }
    if (!JSON.stringify(message.content).isWellFormed() || hasEscapedHalf(message))
      say(index, "half a character");

    if (message.role === "toolResult") {
      const call = owed.shift();
      if (!call) say(index, "result without a call");
      else if (call.id !== message.toolCallId) say(index, "result for another call");
      else if (call.name !== message.toolName) say(index, "result of another tool");
    } else {
      if (owed.length > 0) say(index, "call without a result");
      owed = [];
      if (message.role === before) say(index, `two in a row: ${before}`);
    }
    if (message.role === "user" && before === "toolResult" && record.api === "mistral-conversations") {
      say(index, "question right after results");
    }
    if (message.role === "assistant") {
      owed = message.content.filter((block) => block.type === "toolCall");
      for (const fault of faultsOfAnswer(message, record, ids)) say(index, fault);
    }
    before = message.role;
  }
  if (owed.length > 0) say(messages.length, "call without a result");
  return faults;
}

function faultsOfAnswer(message: AssistantMessage, record: ModelRecord, ids: Set<string>): string[] {
  const faults: string[] = [];
  const isOwn =
    message.provider === record.provider && message.model === record.id && message.api === record.api;
  if (message.stopReason === "error" || message.stopReason === "aborted") faults.push("would be left out");
  if (message.content.every(({ type }) => type === "thinking")) faults.push("nothing but thinking");
  for (const block of message.content) {
    if (block.signature !== undefined && !isOwn) faults.push("somebody else's signature");
    if (block.type === "thinking" && (!isOwn || !block.signature)) faults.push("thinking that is not signed");
    if (block.type !== "toolCall") continue;
    const key = record.api === "openai-responses" ? (block.id.split("|")[0] ?? "") : block.id;
    if (ids.has(key)) faults.push("id used twice");
    ids.add(key);
    if (!idPattern(record.api, isOwn).test(key)) faults.push(`bad id ${block.id}`);
    if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(block.name)) faults.push(`bad tool name ${block.name}`);
    if (record.id.startsWith("gemini-3") && !isOwn) faults.push("call that Gemini did not sign");
  }
  return faults;
}

function idPattern(api: string, isOwn: boolean): RegExp {
  if (api === "mistral-conversations") return /^[A-Za-z0-9]{9}$/;
  if (api === "openai-completions") return isOwn ? /^\S{1,64}$/ : /^[A-Za-z0-9_-]{1,40}$/;
  return /^[A-Za-z0-9_-]{1,64}$/;
}

const mayBeBlank = (block: { signature?: string }, { api }: ModelRecord) =>
  api.startsWith("google-") && block.signature !== undefined;

const hasEscapedHalf = (message: Message) => /\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(message.content));
