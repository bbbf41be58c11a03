import type { AssistantMessage } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";

/**
 * Whether the target itself made the message, whole: only then may its thinking, its signatures and its own ids go back. They hang
 * together, so one part that is missing spoils the others.
 */
export function isOwnMessage(message: AssistantMessage, record: ModelRecord): boolean {
  const { provider, model, api, stopReason, content } = message;
  if (provider !== record.provider || model !== record.id || api !== record.api) return false;
  if (stopReason === "error" || stopReason === "aborted") return false;
  for (const block of content)
    // What was signed cannot be mended.
    if (
      block.type === "thinking" &&
      !(block.thinking.isWellFormed() && isUsable(block.signature, record.api))
    )
      return false;
  return true;
}

function isUsable(signature: string | undefined, api: string): boolean {
  if (signature === undefined || signature.trim() === "") return false;
  return !isResponsesFormat(api) || isReasoningItem(signature);
}

/** These formats sign thinking with a whole item of JSON; anything else there could not even be sent. */
function isReasoningItem(signature: string): boolean {
  try {
    const item: unknown = JSON.parse(signature);
    return typeof item === "object" && item !== null && "type" in item && item.type === "reasoning";
  } catch {
    // Not JSON, so not such an item.
    return false;
  }
}

/** `openai-responses`, and those of Azure and Codex. */
export const isResponsesFormat = (api: string): boolean => api.endsWith("-responses");
