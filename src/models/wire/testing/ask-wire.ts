/** A wire and one question, for tests that look at the answer. */
import type { AssistantMessage, ToolCallBlock } from "@pincer/sdk";
import { systemClock, type Clock } from "../../../infra/clock.ts";
import type { ModelFailure } from "../../model-failure.ts";
import type { ModelRecord } from "../../model-record.ts";
import type { WireSettings } from "../../pi/pi-request.ts";
import { createWire } from "../create-wire.ts";
import type { Fetch } from "../http-fetch.ts";
import type { RequestAuth, Wire, WireEvent, WireRequest } from "../wire.ts";

export const testRecord = (api: string, baseUrl: string, more: Partial<ModelRecord> = {}): ModelRecord => ({
  provider: "tested",
  id: "model-1",
  name: "Model 1",
  api,
  baseUrl,
  reasoning: false,
  input: ["text"],
  contextWindow: 200_000,
  maxTokens: 4096,
  cost: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 3 },
  ...more,
});

export const testWire = (
  parts: {
    clock?: Clock;
    fetch?: Fetch;
    settings?: Partial<WireSettings>;
    images?: Record<string, Buffer>;
  } = {},
): Wire => {
  let calls = 0;
  const { clock = systemClock, fetch, settings, images = {} } = parts;
  return createWire({
    clock,
    readMedia: async (media) => {
      const data = images[media];
      return data && { data, mimeType: "image/png" };
    },
    settings: () => ({ maxArgumentsBytes: 2_000_000, cacheRetention: "short", ...settings }),
    makeCallId: () => `made_${++calls}`,
    ...(fetch ? { fetch } : {}),
  });
};

export const question = (more: Partial<WireRequest> = {}): WireRequest => ({
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "What is in my notes?" }] }],
  tools: [],
  thinking: "off",
  signal: new AbortController().signal,
  ...more,
});

export interface Heard {
  events: WireEvent[];
  text: string;
  thinking: string;
  message: AssistantMessage;
  failure: ModelFailure | undefined;
}

/** Listens to the end. Throws when the last event is not the end. */
export async function listen(events: AsyncIterable<WireEvent>): Promise<Heard> {
  const all = await Array.fromAsync(events);
  const last = all.at(-1);
  if (last?.type !== "end") throw new Error("the answer has no end");
  const said = (type: "text-delta" | "thinking-delta"): string =>
    all.map((event) => (event.type === type ? event.text : "")).join("");
  return {
    events: all,
    text: said("text-delta"),
    thinking: said("thinking-delta"),
    message: last.message,
    failure: last.failure,
  };
}

export const ask = (
  wire: Wire,
  record: ModelRecord,
  { auth = { apiKey: "key-of-the-test" }, ...request }: Partial<WireRequest> & { auth?: RequestAuth } = {},
): Promise<Heard> => listen(wire.stream(record, auth, question(request)));

/** Answers every request with these bytes, cut as given. */
export const fetchOf =
  (...pieces: Uint8Array[]): Fetch =>
  async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
          controller.close();
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );

/** What is made of this answer, without a connection. */
export const askFor = (
  body: string,
  record: ModelRecord = testRecord("openai-completions", "http://127.0.0.1:1"),
): Promise<Heard> => ask(testWire({ fetch: fetchOf(Buffer.from(body)) }), record);

export const callsOf = ({ content }: AssistantMessage): ToolCallBlock[] =>
  content.filter((block) => block.type === "toolCall");
