/** `POST /v1/embeddings`, with the embedder of memory. */
import { Type } from "typebox";
import type { AdmittedCall, HttpReply } from "../http/http-route.ts";
import { asOpenAiFailure, badRequest, unsupported } from "./openai-failure.ts";
import type { OpenAiApi } from "./openai-api.ts";
import { name } from "./question-parts.ts";
import { readBody } from "./read-body.ts";

const mostTexts = 256;
const mostCharacters = 100_000;
const Text = Type.String({ minLength: 1, maxLength: mostCharacters });

const EmbeddingsRequest = Type.Object({
  model: name,
  input: Type.Union([Text, Type.Array(Text, { minItems: 1, maxItems: mostTexts })]),
  encoding_format: Type.Optional(Type.Enum(["float", "base64"])),
  dimensions: Type.Optional(Type.Unknown()),
});

export async function answerEmbeddings(
  { api }: { api: Pick<OpenAiApi, "embed"> },
  call: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const { input, encoding_format: format, dimensions } = readBody(EmbeddingsRequest, await call.json());
  if (dimensions !== undefined && dimensions !== null) throw unsupported("dimensions");
  const texts = typeof input === "string" ? [input] : input;
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > mostCharacters) {
    throw badRequest("openai.bad-field", "input", { reason: `at most ${mostCharacters} characters in all` });
  }
  const { model, vectors } = await api.embed(texts, call.signal).catch((error: unknown) => {
    throw asOpenAiFailure(error);
  });
  const tokens = Math.ceil(characters / charactersPerToken);
  reply.json(200, {
    object: "list",
    model,
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: format === "base64" ? inBase64(vector) : Array.from(vector),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** Embedders do not say what they counted. */
const charactersPerToken = 4;

/** Little-endian, as clients read it. */
function inBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
