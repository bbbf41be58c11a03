/**
 * A history as one model takes it. Whatever was kept, and whoever said it, what comes out is never refused for its form: a refused
 * history would be refused again on every turn. Looks only at what came before, so that a growing conversation keeps its beginning
 * byte for byte, which is what the providers' caches live on.
 */
import { wellFormedMessages, type Message } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { nameCalls } from "./call-ids.ts";
import { flattenExchanges } from "./flatten-exchanges.ts";
import { sanitizeSessionHistory } from "./sanitize-history.ts";
import { validateAnthropicTurns, validateGeminiTurns, validateMistralTurns } from "./validate-turns.ts";

/** `plain` is words and nothing else: tried once when a provider refused the request all the same. */
export type HistoryLevel = "normal" | "plain";

/** Pure. Calls without a result count as interrupted. Ends with a message that wants an answer. */
export function prepareHistory(
  messages: readonly Message[],
  record: ModelRecord,
  level: HistoryLevel,
): Message[] {
  const paired = wellFormedMessages([...messages]).messages;
  if (level === "plain") return plainHistory(paired, record);
  const named = nameCalls(paired, record);
  const clean = sanitizeSessionHistory(named, record);
  if (record.api.startsWith("google-")) return validateGeminiTurns(clean, record);
  if (record.api === "mistral-conversations") return validateMistralTurns(clean, record);
  return validateAnthropicTurns(clean, record);
}

function plainHistory(messages: Message[], record: ModelRecord): Message[] {
  // A stranger to everybody: nothing that was signed is its own.
  const stranger: ModelRecord = { ...record, api: "plain", input: ["text"] };
  const words = flattenExchanges(sanitizeSessionHistory(messages, stranger), () => true);
  return validateAnthropicTurns(words, stranger);
}
