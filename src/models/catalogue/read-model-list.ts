/** Reads what a provider answers when it is asked for its models: the same question, a different answer from each. */
import type { ModelEntry } from "./model-entry.ts";

/**
 * OpenAI's `{ data: [{ id }] }` with whatever others add to it, Google's and Ollama's `{ models: [{ name }] }`, a bare list. undefined when
 * it is none of these. What cannot hold a conversation is left out.
 */
export function readModelList(answer: unknown): ModelEntry[] | undefined {
  const rows = Array.isArray(answer) ? answer : (listIn(answer, "data") ?? listIn(answer, "models"));
  if (!rows) return undefined;
  const entries = rows.flatMap((row): ModelEntry[] => {
    const entry = isTable(row) ? readRow(row) : undefined;
    return entry && !isForSomethingElse(entry.id, row as Table) ? [entry] : [];
  });
  const unique = new Map(entries.map((entry) => [entry.id, entry]));
  return [...unique.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (answer: unknown, key: string): unknown[] | undefined => {
  const value = isTable(answer) ? answer[key] : undefined;
  return Array.isArray(value) ? value : undefined;
};

function readRow(row: Table): ModelEntry | undefined {
  const id = textAt(row, "id") ?? textAt(row, "name")?.replace(/^models\//, "");
  if (id === undefined) return undefined;
  const inner = isTable(row["top_provider"]) ? row["top_provider"] : {};
  const name = textAt(row, "display_name") ?? textAt(row, "displayName") ?? textAt(row, "name");
  const contextWindow = countAt(row, windowKeys);
  const maxTokens = countAt(row, answerKeys) ?? countAt(inner, answerKeys);
  const cost = costOf(row["pricing"]);
  return {
    id,
    ...(name && name !== id && !name.startsWith("models/") ? { name } : {}),
    ...(contextWindow ? { contextWindow } : {}),
    ...(maxTokens ? { maxTokens } : {}),
    ...(readsImages(row) ? { input: ["text", "image"] } : {}),
    ...(cost ? { cost } : {}),
  };
}

/** OpenRouter and Together; Groq; vLLM; LM Studio and Mistral; Google. */
const windowKeys = [
  "context_length",
  "context_window",
  "max_model_len",
  "max_context_length",
  "inputTokenLimit",
];
const answerKeys = ["max_completion_tokens", "max_output_tokens", "outputTokenLimit"];

const textAt = (row: Table, key: string): string | undefined => {
  const value = row[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

function countAt(row: Table, keys: readonly string[]): number | undefined {
  const found = keys.map((key) => row[key]).find((value) => typeof value === "number" && value >= 1);
  return typeof found === "number" ? Math.floor(found) : undefined;
}

/** OpenRouter's: dollars per token, as text. Others give other units without saying so, and are not believed. */
function costOf(pricing: unknown): ModelEntry["cost"] {
  if (!isTable(pricing) || typeof pricing["prompt"] !== "string") return undefined;
  const perMillion = (key: string) => Math.max(0, Math.round(Number(pricing[key] ?? 0) * 1e12) / 1e6) || 0;
  return {
    input: perMillion("prompt"),
    output: perMillion("completion"),
    cacheRead: perMillion("input_cache_read"),
    cacheWrite: perMillion("input_cache_write"),
  };
}

function readsImages(row: Table): boolean {
  const { architecture, capabilities } = row;
  const kinds = isTable(architecture) ? architecture["input_modalities"] : undefined;
  if (Array.isArray(kinds)) return kinds.includes("image");
  return isTable(capabilities) && capabilities["vision"] === true;
}

const otherTrades =
  /embed|whisper|tts|dall-e|moderation|transcribe|rerank|realtime|image|imagen|veo|sora|audio/i;

function isForSomethingElse(id: string, row: Table): boolean {
  const methods = row["supportedGenerationMethods"];
  if (Array.isArray(methods)) return !methods.includes("generateContent");
  return otherTrades.test(id);
}
