/** The messages between the index thread and its callers. All plain data. */
import { errorCodes, type ErrorCode, type ErrorText, PincerError, type MemoryStore } from "@pincer/sdk";
import type { Language } from "../../infra/texts/table.ts";
import type { EmbedderSpec } from "../embedders/embedder.ts";
import type { MemoryPlace, SyncedFiles } from "./sync-files.ts";

/** What a thread is started with. */
export interface ThreadSettings {
  file: string;
  tenantId: string;
  embedder: EmbedderSpec;
  cacheMaxEntries: number;
  /** The language of problems and reasons; English by default. */
  language?: Language | undefined;
}

type Progress = { done: number; total: number };

/** What can be asked of it, without signals and listeners: those cross as messages of their own. */
export interface ThreadVerbs extends Omit<MemoryStore, "search" | "embedMissing"> {
  search(query: Parameters<MemoryStore["search"]>[0]): ReturnType<MemoryStore["search"]>;
  embedMissing(): ReturnType<MemoryStore["embedMissing"]>;
  syncFiles(place: MemoryPlace): Promise<SyncedFiles>;
  setEmbedder(spec: EmbedderSpec): Promise<void>;
}

export type ThreadRequest =
  | { type: "call"; id: number; verb: keyof ThreadVerbs; values: unknown[] }
  | { type: "abort"; id: number };

export type ThreadAnswer =
  | { type: "result"; id: number; value: unknown }
  | { type: "failure"; id: number; error: PlainError }
  | { type: "progress"; id: number; progress: Progress };

interface PlainError {
  message: string;
  name: string;
  code?: ErrorCode | undefined;
  hint?: string | undefined;
  text?: ErrorText | undefined;
}

export function plainError(thrown: unknown): PlainError {
  if (thrown instanceof PincerError) {
    const { message, name, code, hint, text } = thrown;
    return { message, name, code, hint, text };
  }
  return thrown instanceof Error
    ? { message: thrown.message, name: thrown.name }
    : { message: String(thrown), name: "Error" };
}

export function errorFrom({ message, name, code, hint, text }: PlainError): Error {
  if (code !== undefined && errorCodes.includes(code))
    return new PincerError(code, message, { hint, ...(text ? { text } : {}) });
  return Object.assign(new Error(message), { name });
}
