/** How each provider is asked for vectors, and where they stand in its answer. Limits are those of the public documentation. */

export type RemoteType = "openai" | "gemini" | "voyage" | "ollama" | "compatible";
export type Purpose = "document" | "query";

export interface Dialect {
  /** As people call it. */
  name: string;
  baseUrl: string;
  model: string;
  /** Texts of one request. */
  batchSize: number;
  /** UTF-8 bytes of one text. No tokenizer makes more tokens than bytes; most make far fewer. */
  bytesPerText: number;
  timeoutMs: number;
  /** The path behind the base address. */
  path(model: string): string;
  headers(apiKey: string): Record<string, string>;
  body(model: string, texts: readonly string[], purpose: Purpose): unknown;
  /** The raw vectors of the answer, in the order of the texts; undefined if there is no such list. */
  vectors(answer: unknown): unknown[] | undefined;
  /** What the vectors depend on besides the model. */
  variant?(model: string): string | undefined;
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

const openAiShape = {
  path: () => "/embeddings",
  headers: bearer,
  /** Each names its text; the order is not guaranteed. */
  vectors(answer: unknown): unknown[] | undefined {
    const data = field(answer, "data");
    if (!Array.isArray(data)) return undefined;
    const inOrder: unknown[] = Array.from({ length: data.length });
    for (const [position, item] of data.entries()) {
      const index = field(item, "index") ?? position;
      if (typeof index !== "number" || !(index in inOrder) || inOrder[index] !== undefined) return undefined;
      inOrder[index] = field(item, "embedding");
    }
    return inOrder;
  },
};

/** A quarter of its 3,072 numbers, which the model is trained for: hardly worse, and a quarter of the disk. */
const geminiSize = (model: string): number | undefined =>
  model.startsWith("gemini-embedding") ? 768 : undefined;

export const dialects: Record<RemoteType, Dialect> = {
  openai: {
    ...openAiShape,
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    model: "text-embedding-3-small",
    batchSize: 128,
    bytesPerText: 8_191,
    timeoutMs: 60_000,
    body: (model, texts) => ({ model, input: texts, encoding_format: "base64" }),
  },
  gemini: {
    name: "Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-embedding-001",
    batchSize: 100,
    bytesPerText: 6_000,
    timeoutMs: 60_000,
    path: (model) => `/models/${encodeURIComponent(model)}:batchEmbedContents`,
    headers: (apiKey) => ({ "x-goog-api-key": apiKey }),
    body: (model, texts, purpose) => ({
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
        outputDimensionality: geminiSize(model),
      })),
    }),
    vectors(answer) {
      const embeddings = field(answer, "embeddings");
      return Array.isArray(embeddings) ? embeddings.map((each) => field(each, "values")) : undefined;
    },
    variant: (model) => geminiSize(model)?.toString(),
  },
  voyage: {
    ...openAiShape,
    name: "Voyage",
    baseUrl: "https://api.voyageai.com/v1",
    model: "voyage-4-lite",
    batchSize: 128,
    bytesPerText: 16_000,
    timeoutMs: 60_000,
    body: (model, texts, purpose) => ({ model, input: texts, input_type: purpose, truncation: true }),
  },
  ollama: {
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434",
    model: "nomic-embed-text",
    batchSize: 32,
    bytesPerText: 6_000,
    // The first request loads the model, on a small machine for a long time.
    timeoutMs: 180_000,
    path: () => "/api/embed",
    headers: bearer,
    body: (model, texts, purpose) => ({
      model,
      input: texts.map((text) => ollamaPrefix(model, purpose) + text),
      truncate: true,
    }),
    vectors(answer) {
      const embeddings = field(answer, "embeddings");
      return Array.isArray(embeddings) ? embeddings : undefined;
    },
  },
  compatible: {
    ...openAiShape,
    name: "The embedder",
    baseUrl: "",
    model: "",
    batchSize: 32,
    bytesPerText: 6_000,
    timeoutMs: 180_000,
    // Neither an encoding nor a purpose: not every server that speaks this knows them.
    body: (model, texts) => ({ model, input: texts }),
  },
};

/** Its makers trained it with these words in front; Ollama hands texts on as they are. */
function ollamaPrefix(model: string, purpose: Purpose): string {
  return /^nomic-embed-text(?=$|:)/.test(model) ? `search_${purpose}: ` : "";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
