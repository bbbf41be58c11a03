/** An embedder whose vectors come from the words of a text, and which remembers what it was asked. */
import { type Embedder, EmbedderError } from "../../embedders/embedder.ts";

export interface CountingEmbedder extends Embedder {
  /** The texts that vectors were made of, in order. */
  asked: string[];
  /** This many of the next requests fail in this way. */
  failNext(times: number, failure: { retryable: boolean; retryAfterMs?: number; message?: string }): void;
  /** From now on its vectors have this many numbers; 0 makes all of them zero. */
  resize(...sizes: number[]): void;
  /** The next requests never answer. */
  hang(): void;
}

const dimensions = 64;

export function createCountingEmbedder({
  id = "test:words",
  batchSize = 4,
  accepts,
}: { id?: string; batchSize?: number; accepts?: (text: string) => boolean } = {}): CountingEmbedder {
  const asked: string[] = [];
  const failures: EmbedderError[] = [];
  let hangs = false;
  let sizes = [dimensions];
  let answers = 0;
  return {
    id,
    strength: "strong",
    batchSize,
    ...(accepts ? { accepts } : {}),
    asked,
    failNext(times, { message = "the embedder is away", ...options }) {
      for (let at = 0; at < times; at += 1) failures.push(new EmbedderError(message, options));
    },
    resize(...wanted) {
      sizes = wanted;
      answers = 0;
    },
    hang() {
      hangs = true;
    },
    async embed(texts, purpose) {
      if (hangs) return new Promise<never>(() => undefined);
      const failure = failures.shift();
      if (failure) throw failure;
      if (purpose === "document") asked.push(...texts);
      const size = sizes[answers++ % sizes.length] ?? dimensions;
      return texts.map((text) => (size === 0 ? new Float32Array(dimensions) : vectorOf(text, size)));
    },
    close: async () => undefined,
  };
}

/** Each word points in a direction of its own. */
function vectorOf(text: string, size: number): Float32Array {
  const vector = new Float32Array(size).fill(-0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let place = 7;
    for (const character of word) place = (place * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
    vector[place % size] = (vector[place % size] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
