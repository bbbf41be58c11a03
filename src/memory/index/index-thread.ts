/** The thread that owns the index: started with `ThreadSettings`, it takes requests, and ends when it is closed. */
import { parentPort, workerData } from "node:worker_threads";
import type { MemoryStore } from "@pincer/sdk";
import { systemClock } from "../../infra/clock.ts";
import type { Embedder, EmbedderSpec } from "../embedders/embedder.ts";
import { openMemoryStore } from "./sqlite-memory-store.ts";
import { syncFiles } from "./sync-files.ts";
import {
  plainError,
  type ThreadAnswer,
  type ThreadRequest,
  type ThreadSettings,
  type ThreadVerbs,
} from "./thread-messages.ts";

interface Call {
  signal: AbortSignal;
  onProgress(progress: { done: number; total: number }): void;
}

const port = parentPort;
if (port) serve(port, workerData as ThreadSettings);

function serve(to: NonNullable<typeof parentPort>, { embedder: first, ...settings }: ThreadSettings): void {
  const running = new Map<number, AbortController>();
  let opened = openIndex(first);

  async function openIndex(
    spec: EmbedderSpec,
  ): Promise<{ store: MemoryStore; embedder: Embedder | undefined }> {
    const embedder = spec.type === "none" ? undefined : await makeEmbedder(spec);
    return { embedder, store: await openMemoryStore({ ...settings, embedder, clock: systemClock }) };
  }

  async function closeIndex(): Promise<void> {
    const { store, embedder } = await opened;
    await store.close();
    await embedder?.close();
  }

  const verbsFor = ({ signal, onProgress }: Call, store: MemoryStore): ThreadVerbs => ({
    ...store,
    search: (query) => store.search(query, signal),
    embedMissing: () => store.embedMissing({ signal, onProgress }),
    syncFiles: (place) =>
      syncFiles(store, place, {
        signal,
        language: settings.language,
        onProgress,
      }),
    async setEmbedder(spec) {
      // Also where the file could not be opened before.
      const closed = closeIndex().catch(() => undefined);
      opened = closed.then(() => openIndex(spec));
      await opened;
    },
    close: closeIndex,
  });

  async function answer({ id, verb, values }: Extract<ThreadRequest, { type: "call" }>): Promise<void> {
    const control = new AbortController();
    running.set(id, control);
    const onProgress: Call["onProgress"] = (progress) => say({ type: "progress", id, progress });
    try {
      const { store } = await opened;
      const verbs = verbsFor({ signal: control.signal, onProgress }, store);
      const call = verbs[verb] as (...given: unknown[]) => Promise<unknown>;
      say({ type: "result", id, value: await call(...values) });
    } catch (error) {
      say({ type: "failure", id, error: plainError(error) });
    } finally {
      running.delete(id);
    }
    if (verb === "close") to.close();
  }

  function say(message: ThreadAnswer): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    to.postMessage(message);
  }

  // Each call reports why the file cannot be opened.
  opened.catch(() => undefined);
  to.on("message", (request: ThreadRequest) => {
    if (request.type === "abort") running.get(request.id)?.abort();
    else void answer(request);
  });
}

/** What it takes is loaded only where there is one. */
async function makeEmbedder(spec: EmbedderSpec): Promise<Embedder | undefined> {
  const { createEmbedder } = await import("../embedders/create-embedder.ts");
  return createEmbedder(spec);
}
