/** Removes secrets from the content of a message, and leaves its structure alone: roles, ids, names. */
import type { AssistantMessage, EntryBody, Message, ToolResultMessage } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import type { TurnEndingRecord } from "../storage/turns/turns.ts";

export function redactMessage(message: Message, redactor: Redactor): Message {
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.map((block) => redactBlock(block, redactor)) };
    case "assistant":
      return {
        ...message,
        content: message.content.map((block) => redactBlock(block, redactor)),
        ...(message.errorMessage === undefined ? {} : { errorMessage: redactor.text(message.errorMessage) }),
      };
    case "toolResult":
      return {
        ...message,
        content: message.content.map((block) => redactBlock(block, redactor)),
        ...(message.details === undefined ? {} : { details: redactor.data(message.details) }),
      };
  }
}

/** What a turn keeps of itself: messages, summaries, events. */
export function redactBody(body: EntryBody, redactor: Redactor): EntryBody {
  switch (body.type) {
    case "message":
      return { ...body, message: redactMessage(body.message, redactor) };
    case "compaction": {
      const { readFiles, modifiedFiles, later } = body;
      return {
        ...body,
        summary: redactor.text(body.summary),
        ...(later !== undefined && { later: redactor.text(later) }),
        ...(readFiles && { readFiles: redactor.data(readFiles) }),
        ...(modifiedFiles && { modifiedFiles: redactor.data(modifiedFiles) }),
      };
    }
    case "event":
      return { ...body, data: redactor.values(body.data) };
    default:
      return body;
  }
}

/** Why a turn ended may be told in words of somebody else: a provider, a tool, the system. */
export const redactEnding = (ending: TurnEndingRecord, redactor: Redactor): TurnEndingRecord =>
  "reason" in ending ? { ...ending, reason: redactor.text(ending.reason) } : ending;

type Block = AssistantMessage["content"][number] | ToolResultMessage["content"][number];

function redactBlock<Each extends Block>(block: Each, redactor: Redactor): Each {
  switch (block.type) {
    case "text":
      return { ...block, text: redactor.text(block.text) };
    case "thinking":
      return { ...block, thinking: redactor.text(block.thinking) };
    case "toolCall":
      return {
        ...block,
        arguments: redactor.data(block.arguments),
        ...(block.invalidArguments === undefined
          ? {}
          : { invalidArguments: redactor.text(block.invalidArguments) }),
      };
    default:
      return block;
  }
}
