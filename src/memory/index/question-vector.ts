/** The vector of a question, or why there is none: then the search goes by words alone. */
import type { Clock } from "../../infra/clock.ts";
import type { Say } from "../../infra/texts.ts";
import { type Embedder, EmbedderError, embedderError, sayProblem } from "../embedders/embedder.ts";
import { hasDirection } from "../embedders/quantise.ts";

const longestWaitMs = 3_000;

interface AskParts {
  clock: Clock;
  signal: AbortSignal;
  /** The language of problem messages. */
  say: Say;
}

/** Undefined where the embedder takes no such text, or knows nothing in it. Rejects only with the signal's reason. */
export async function askForVector(
  embedder: Embedder,
  text: string,
  { clock, signal, say }: AskParts,
): Promise<{ vector: Float32Array } | { problem: string } | undefined> {
  if (text.trim() === "" || embedder.accepts?.(text) === false) return undefined;
  const limit = new AbortController();
  const done = new AbortController();
  const tooLong = clock.sleep(longestWaitMs, AbortSignal.any([signal, done.signal])).then(
    () => {
      const about = { embedder: embedder.id, seconds: longestWaitMs / 1000 };
      const late = embedderError("embedder.failed.late", about, { retryable: true });
      limit.abort(late);
      throw late;
    },
    (reason: unknown) => {
      throw reason;
    },
  );
  try {
    const asking = embedder.embed([text], "query", AbortSignal.any([signal, limit.signal]));
    const [vector] = await Promise.race([asking, tooLong]);
    return vector && hasDirection(vector) ? { vector } : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EmbedderError) return { problem: sayProblem(error, say) };
    throw error;
  } finally {
    done.abort();
    // A late result is ignored.
    tooLong.catch(() => undefined);
  }
}
