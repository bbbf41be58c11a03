/** Vectors by a provider over HTTP: texts are cut and divided within its limits, and its answers checked before anybody trusts them. */
import { systemClock, type Clock } from "../../infra/clock.ts";
import { createJsonAsker, type JsonAsker, type RawAnswer } from "./ask-json.ts";
import { dialects, type Purpose, type RemoteType } from "./dialects.ts";
import type { Embedder, EmbedderSpec } from "./embedder.ts";
import { createFailureReader, type FailureReader } from "./http-failure.ts";
import { hasDirection } from "./quantise.ts";
import { readVectors } from "./read-vectors.ts";

export type RemoteSpec = Extract<EmbedderSpec, { type: RemoteType }>;

/** All texts of one request: below what any provider takes, as it counts tokens, and there are never more of them than bytes. */
const bytesPerRequest = 100_000;
/** A text that is refused for its length is halved until so little is left. */
const leastBytesPerText = 256;

export function createHttpEmbedder(
  spec: RemoteSpec,
  { clock = systemClock }: { clock?: Clock } = {},
): Embedder {
  const dialect = dialects[spec.type];
  const asker = createJsonAsker({ clock });
  const failures = createFailureReader(spec, dialect.name, clock);
  const ask = createQuestion(spec, asker, failures);
  let bytesPerText = dialect.bytesPerText;

  /** Texts that fit into one request. `size`: that of earlier vectors, if any. */
  async function request(
    texts: readonly string[],
    purpose: Purpose,
    { size, signal }: { size: number | undefined; signal: AbortSignal },
  ): Promise<Float32Array[]> {
    for (;;) {
      const answer = await ask(
        texts.map((text) => cutToBytes(text, bytesPerText)),
        purpose,
        signal,
      );
      if (answer.status >= 200 && answer.status < 300) return vectorsOf(answer, texts.length, size);
      const isTooLong = failures.isTooLong(answer) && bytesPerText > leastBytesPerText;
      if (!isTooLong) throw failures.ofAnswer(answer);
      // The refusal does not say which text: the new limit applies to all texts of this model.
      bytesPerText = Math.ceil(Math.min(bytesPerText, longest(texts)) / 2);
    }
  }

  function vectorsOf(answer: RawAnswer, count: number, size: number | undefined): Float32Array[] {
    const read = readVectors(dialect.vectors(parsed(answer.body)), count, size);
    if ("wrong" in read) throw failures.wrongAnswer(read.wrong);
    // A model that knows languages has a direction for any text.
    if (!read.vectors.every(hasDirection)) throw failures.wrongAnswer("a vector is all zeros");
    return read.vectors;
  }

  return {
    id: idOf(spec),
    strength: "strong",
    batchSize: dialect.batchSize,
    async embed(texts, purpose, signal) {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts, dialect.batchSize, bytesPerText))
        vectors.push(...(await request(batch, purpose, { size: vectors[0]?.length, signal })));
      return vectors;
    },
    async close() {
      asker.close();
    },
  };
}

/** Its vectors are others where the model, or how it is asked, is another. Who serves a known model does not matter. */
function idOf({ type, baseUrl, model }: RemoteSpec): string {
  const variant = dialects[type].variant?.(model);
  const named = type === "ollama" ? model.replace(/:latest$/, "") : model;
  const where = type === "compatible" ? `${type}:${baseUrl.replace(/\/+$/, "")}` : type;
  return [where, named, ...(variant ? [variant] : [])].join(":");
}

function createQuestion(spec: RemoteSpec, asker: JsonAsker, failures: FailureReader) {
  const dialect = dialects[spec.type];
  const url = addressOf(spec) + dialect.path(spec.model);
  const headers = {
    ...(spec.apiKey ? dialect.headers(spec.apiKey) : {}),
    ...Object.fromEntries(
      Object.entries(spec.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  };
  return async (texts: readonly string[], purpose: Purpose, signal: AbortSignal): Promise<RawAnswer> => {
    const body = dialect.body(spec.model, texts, purpose);
    try {
      return await asker.ask({ url, headers, body, timeoutMs: dialect.timeoutMs, signal });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw failures.ofSilence(error);
    }
  };
}

/** Ollama's address for those who speak OpenAI's dialect with it is taken as well. */
function addressOf({ type, baseUrl }: RemoteSpec): string {
  const bare = baseUrl.replace(/\/+$/, "");
  return type === "ollama" ? bare.replace(/\/(v1|api)$/, "") : bare;
}

function batchesOf(texts: readonly string[], most: number, bytesPerText: number): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Math.min(Buffer.byteLength(text), bytesPerText);
    const last = batches.at(-1);
    if (last && last.length < most && bytes + size <= bytesPerRequest) last.push(text);
    else {
      batches.push([text]);
      bytes = 0;
    }
    bytes += size;
  }
  return batches;
}

/** Never through a character. No provider takes an empty text. */
function cutToBytes(text: string, most: number): string {
  if (text.trim() === "") return ".";
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text);
  let end = most;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

const longest = (texts: readonly string[]): number =>
  Math.max(...texts.map((text) => Buffer.byteLength(text)));

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON: as little of an answer as JSON without vectors, and told in the same words.
    return undefined;
  }
}
