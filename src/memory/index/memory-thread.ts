/**
 * The memory store on its own thread: its reads, writes and computations never block the main thread. The thread
 * keeps the process alive only while a call is pending.
 */
import { Worker } from "node:worker_threads";
import type { MemoryStore } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { EmbedderSpec } from "../embedders/embedder.ts";
import type { MemoryPlace, SyncedFiles, SyncOptions } from "./sync-files.ts";
import {
  errorFrom,
  type ThreadAnswer,
  type ThreadRequest,
  type ThreadSettings,
  type ThreadVerbs,
} from "./thread-messages.ts";

/** Every verb rejects when the thread has ended, and says so; a new one has to be started then. */
export interface MemoryThread extends MemoryStore {
  /** Brings the index in step with the memory files of a workdir. Rejects as `syncFiles` does. */
  syncFiles(place: MemoryPlace, options?: SyncOptions): Promise<SyncedFiles>;
  /** From now on vectors are made in another way; those of the way before are kept. What runs is cut short. */
  setEmbedder(spec: EmbedderSpec): Promise<void>;
}

export interface MemoryThreadParts extends ThreadSettings {
  /** Where the code of the thread is, unless beside this file. */
  entry?: URL | undefined;
  /** Called once, when the thread has ended for whatever reason; with the error that ended it, if one did. */
  onExit?: ((error: Error | undefined) => void) | undefined;
}

interface Waiting {
  resolve(value: never): void;
  reject(error: unknown): void;
  onProgress: SyncOptions["onProgress"];
}

/** What keeps it from opening the file rejects each call. */
export function startMemoryThread({
  onExit,
  entry = ownEntry(),
  ...settings
}: MemoryThreadParts): MemoryThread {
  const worker = new Worker(entry, {
    workerData: settings,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 96, stackSizeMb: 2 },
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let crash: Error | undefined;
  let hasEnded = false;

  worker.on("error", (error) => {
    crash = error instanceof Error ? error : new Error(String(error));
  });
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(threadHasEnded(crash));
      waiting.clear();
      onExit?.(crash);
      resolve();
    });
  });
  worker.on("message", (answer: ThreadAnswer) => {
    const call = waiting.get(answer.id);
    if (answer.type === "progress") return call?.onProgress?.(answer.progress);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if (answer.type === "result") call?.resolve(answer.value as never);
    else call?.reject(errorFrom(answer.error));
  });
  worker.unref();

  function ask<Verb extends keyof ThreadVerbs>(
    verb: Verb,
    values: Parameters<ThreadVerbs[Verb]>,
    { signal, onProgress }: SyncOptions = {},
  ): ReturnType<ThreadVerbs[Verb]> {
    const answered = new Promise<unknown>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (hasEnded) return reject(threadHasEnded(crash));
      const id = (lastId += 1);
      const abort = () => post({ type: "abort", id });
      const over = () => signal?.removeEventListener("abort", abort);
      signal?.addEventListener("abort", abort, { once: true });
      waiting.set(id, {
        resolve(value) {
          over();
          resolve(value);
        },
        reject(error) {
          over();
          reject(signal?.aborted ? signal.reason : error);
        },
        onProgress,
      });
      worker.ref();
      post({ type: "call", id, verb, values });
    });
    return answered as ReturnType<ThreadVerbs[Verb]>;
  }

  function post(request: ThreadRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request);
  }

  return {
    put: (...values) => ask("put", values),
    append: (...values) => ask("append", values),
    remove: (...values) => ask("remove", values),
    sources: (...values) => ask("sources", values),
    search: (query, signal) => ask("search", [query], { signal }),
    status: () => ask("status", []),
    embedMissing: (options) => ask("embedMissing", [], options),
    clear: (...values) => ask("clear", values),
    syncFiles: (place, options) => ask("syncFiles", [place], options),
    setEmbedder: (spec) => ask("setEmbedder", [spec]),
    async close() {
      // Also closes one that has crashed, or could not open its file.
      if (!hasEnded) await ask("close", []).catch(() => undefined);
      worker.ref();
      await ended;
    },
  };
}

/** Beside this file, under the name that it has in the sources and in the bundle. */
function ownEntry(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./index-thread.ts" : "./memory-thread.mjs", import.meta.url);
}

const threadHasEnded = (crash: Error | undefined) =>
  failure(
    "storage/unavailable",
    "memory.index.thread-ended",
    { reason: crash?.message ?? "it was closed" },
    { hint: "memory.index.thread-ended.hint", cause: crash },
  );
