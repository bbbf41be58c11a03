/** The OpenAI-compatible API. A route's code is loaded with its first request: most gateways never get one. */
import type { Clock } from "../../infra/clock.ts";
import { HttpFailure, type AdmittedCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { asOpenAiFailure, failureBody } from "./openai-failure.ts";
import type { OpenAiApi } from "./openai-api.ts";

export interface OpenAiRouteParts {
  /** Loaded when it is first needed. */
  api(): Promise<OpenAiApi>;
  clock: Clock;
  /** Called with what nobody foresaw. */
  onError(error: unknown): void;
}

type Handle = (
  parts: { api: OpenAiApi; clock: Clock },
  call: AdmittedCall,
  reply: HttpReply,
) => Promise<void>;

export function openAiRoutes(parts: OpenAiRouteParts): HttpRoute[] {
  const route = (method: "GET" | "POST", path: string, handle: Handle): HttpRoute => ({
    method,
    path,
    access: { type: "permission", point: "agent.run" },
    failure: failureBody,
    async handle(call: AdmittedCall, reply: HttpReply) {
      try {
        await handle({ api: await parts.api(), clock: parts.clock }, call, reply);
      } catch (error) {
        // A client that has disconnected gets no answer, and that is not our error.
        if (call.signal.aborted) throw new HttpFailure(499, "gone", "The client has disconnected.");
        const failure = asOpenAiFailure(error);
        if (failure.status === 500) parts.onError(error);
        throw failure;
      }
    },
  });

  return [
    route("GET", "/v1/models", async ({ api }, call, reply) =>
      (await import("./models.ts")).listModels(api, call, reply),
    ),
    route("GET", "/v1/models/*", async ({ api }, call, reply) =>
      (await import("./models.ts")).showModel(api, call, reply),
    ),
    route("POST", "/v1/chat/completions", async (given, call, reply) =>
      (await import("./chat-completions.ts")).answerChat(given, call, reply),
    ),
    route("POST", "/v1/responses", async (given, call, reply) =>
      (await import("./responses.ts")).answerResponse(given, call, reply),
    ),
    route("GET", "/v1/responses/:id", async (given, call, reply) =>
      (await import("./responses.ts")).showResponse(given, call, reply),
    ),
    route("POST", "/v1/embeddings", async (given, call, reply) =>
      (await import("./embeddings.ts")).answerEmbeddings(given, call, reply),
    ),
  ];
}
