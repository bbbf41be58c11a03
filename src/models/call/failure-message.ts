/** What is left of a call that nobody answered. */
import { noUsage, type AssistantMessage } from "@pincer/sdk";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord } from "../model-record.ts";

export const failureMessage = (
  { provider, id, api, contextWindow }: ModelRecord,
  { code }: Pick<ModelFailure, "code">,
  errorMessage: string,
): AssistantMessage => ({
  role: "assistant",
  content: [],
  provider,
  model: id,
  api,
  usage: noUsage(),
  stopReason: "error",
  errorCode: code,
  errorMessage,
  ...(code === "context_overflow" && { contextWindow }),
});

/** The words of an answer that broke off. */
export const textsOf = (message: AssistantMessage | undefined): AssistantMessage["content"] =>
  message?.content.filter((block) => block.type === "text") ?? [];
