/** Reads the recording of a run. */
import {
  PincerError,
  type AssistantMessage,
  type Entry,
  type EntryBody,
  type ToolResult,
  type ToolResultMessage,
} from "@pincer/sdk";
import type { TurnStop } from "../turn-run.ts";
import type { TurnEndingRecord } from "../../storage/turns/turns.ts";

/** The answer that ended the run; -1 where something else did. */
export function finalOf(recorded: readonly Entry[], ending: TurnEndingRecord | null): number {
  const index = recorded.findLastIndex((entry) => entry.type === "message");
  const entry = recorded[index];
  if (ending === null || ending.type === "handed-over") return -1;
  if (entry?.type !== "message" || entry.message.role !== "assistant") return -1;
  return entry.message.content.some((block) => block.type === "toolCall") ? -1 : index;
}

/** Tools of the caller: those that the last answer calls and that did not run here. */
export function handedOver(recorded: readonly Entry[], ending: TurnEndingRecord | null): ReadonlySet<string> {
  if (ending?.type !== "handed-over") return new Set();
  const answer = recorded.findLastIndex(
    (entry) => entry.type === "message" && entry.message.role === "assistant",
  );
  return new Set(
    recorded.slice(answer + 1).flatMap((entry) => {
      const message = entry.type === "message" ? entry.message : undefined;
      return message?.role === "toolResult" && message.origin === "system" && !message.isError
        ? [message.toolName]
        : [];
    }),
  );
}

/** Who stopped the run while the model spoke, or before it was asked. */
export function stopIn(
  ending: TurnEndingRecord | null,
  message: AssistantMessage,
): TurnStop["by"] | undefined {
  if (ending?.type === "aborted") return ending.by;
  return ending?.type === "breaker" && message.stopReason === "aborted" ? "overdue" : undefined;
}

/** The words are ours then: the model had none. */
export const saidNothing = (ending: TurnEndingRecord | null, message: AssistantMessage): boolean =>
  ending?.type === "model-failed" && message.stopReason !== "error";

/** Why a call ended the run; undefined where it did not. */
export function brokeRun(
  ending: TurnEndingRecord | null,
  last: AssistantMessage | undefined,
  message: ToolResultMessage,
): string | undefined {
  if (ending?.type !== "breaker" || !isBrokenByCall(ending, last) || !message.isError) return undefined;
  const { error } = (message.details ?? {}) as Pick<ToolResult, "error">;
  return error?.message === `not run: ${ending.reason}` ? ending.reason : undefined;
}

const isBrokenByCall = (ending: TurnEndingRecord | null, last: AssistantMessage | undefined): boolean =>
  ending?.type === "breaker" && last?.stopReason === "stop";

export const thrownThen = ({ code, reason }: Extract<TurnEndingRecord, { type: "failed" }>): PincerError =>
  new PincerError(code as PincerError["code"], reason);

export function resultOf({ details, content, isError, origin, from, label }: ToolResultMessage): ToolResult {
  return {
    ...(details as Omit<ToolResult, "content">),
    ok: !isError,
    content,
    ...(origin !== undefined && { origin }),
    ...(from !== undefined && { from }),
    ...(label !== undefined && { label }),
  };
}

/** Without what an answer says of its request, which is not built again. */
export function withoutLabel(body: EntryBody): EntryBody {
  if (body.type !== "message" || body.message.role !== "assistant") return body;
  const { label: _, ...message } = body.message;
  return { ...body, message };
}

export function bodyOf({ seq: _seq, time: _time, ...body }: Entry): EntryBody {
  return body;
}
