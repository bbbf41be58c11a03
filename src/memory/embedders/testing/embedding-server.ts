/** A server that answers as a provider of vectors does, by its public documentation, until a test makes it misbehave. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RemoteType } from "../dialects.ts";

export interface SeenRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Answers by itself; undefined leaves the answer to the server. */
export type Misbehave = (request: SeenRequest, response: ServerResponse) => Reply | "answered" | undefined;
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface EmbeddingServer extends AsyncDisposable {
  origin: string;
  requests: SeenRequest[];
  /** From the next request on. */
  misbehave(how: Misbehave): void;
}

export async function startEmbeddingServer(type: RemoteType): Promise<EmbeddingServer> {
  const requests: SeenRequest[] = [];
  let misbehave: Misbehave = () => undefined;
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const body = JSON.parse(text || "{}") as Record<string, unknown>;
    const seen: SeenRequest = { url: request.url ?? "", headers: request.headers, body };
    requests.push(seen);
    const reply = misbehave(seen, response) ?? { body: answersOf[type](body) };
    if (reply === "answered") return;
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    misbehave: (how) => void (misbehave = how),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Not of length 1, and different for each text: its length and its first and last letter. */
export function vectorOf(text: string): number[] {
  return [text.length, text.charCodeAt(0), text.charCodeAt(text.length - 1), 1];
}

const base64 = (numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

function openAiAnswer({ input, model, encoding_format }: Record<string, unknown>): unknown {
  const data = (input as string[]).map((text, index) => {
    const vector = vectorOf(text);
    return { object: "embedding", index, embedding: encoding_format === "base64" ? base64(vector) : vector };
  });
  return { object: "list", data: data.toReversed(), model, usage: { prompt_tokens: 8, total_tokens: 8 } };
}

interface GeminiRequest {
  content: { parts: [{ text: string }] };
}

const answersOf: Record<RemoteType, (body: Record<string, unknown>) => unknown> = {
  openai: openAiAnswer,
  compatible: openAiAnswer,
  voyage: openAiAnswer,
  gemini: ({ requests }) => ({
    embeddings: (requests as GeminiRequest[]).map(({ content }) => ({
      values: vectorOf(content.parts[0].text),
    })),
  }),
  ollama: ({ model, input }) => ({
    model,
    embeddings: (input as string[]).map(vectorOf),
    total_duration: 14_143_917,
    load_duration: 1_019_500,
    prompt_eval_count: 8,
  }),
};
