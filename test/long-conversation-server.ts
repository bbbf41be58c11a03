/** A provider over HTTP, in the format that most speak: it knows what each request is for, and a test may hold it there. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WireMessage {
  role: string;
  content: unknown;
  tool_call_id?: string;
}

export interface WireRequest {
  messages: WireMessage[];
  tools?: Array<{ function: { name: string } }>;
}

/** What a request is for, in the order in which a session that has grown too large meets them. */
export type Moment = "flush" | "flush-noted" | "summary" | "merge" | "turn" | "turn-called";

export interface SeenMoment {
  moment: Moment;
  request: WireRequest;
  bytes: number;
}

export type Reply = { text: string } | { call: { name: string; arguments: object } };

export interface ProviderParts {
  reply(seen: SeenMoment): Reply;
  /** Answers true for a request that is not to be answered. */
  isHeld?(seen: SeenMoment): boolean;
  /** Called as soon as the answer has been handed to the system. */
  answered?(seen: SeenMoment): void;
}

export interface Provider {
  baseUrl: string;
  seen: SeenMoment[];
  close(): Promise<void>;
}

export async function startProvider(parts: ProviderParts): Promise<Provider> {
  const seen: SeenMoment[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      if (incoming.method !== "POST") return void response.writeHead(404).end();
      const body = Buffer.concat(chunks);
      const request = JSON.parse(body.toString()) as WireRequest;
      const one = { moment: momentOf(request), request, bytes: body.length };
      seen.push(one);
      if (parts.isHeld?.(one)) return;
      send(response, parts.reply(one), { id: `call_${seen.length}`, tokens: Math.ceil(body.length / 4) });
      response.once("finish", () => parts.answered?.(one));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const wordsOf = ({ content }: WireMessage): string =>
  typeof content === "string" ? content : JSON.stringify(content ?? "");

function momentOf({ messages, tools = [] }: WireRequest): Moment {
  const isCalled = messages.at(-1)?.role === "tool";
  if (
    messages.some((message) => message.role === "user" && wordsOf(message).includes("Write durable notes to"))
  )
    return isCalled ? "flush-noted" : "flush";
  if (tools.length > 0) return isCalled ? "turn-called" : "turn";
  return wordsOf(messages[0] ?? { role: "", content: "" }).includes("Merge these partial summaries")
    ? "merge"
    : "summary";
}

function send(response: ServerResponse, reply: Reply, { id, tokens }: { id: string; tokens: number }): void {
  const delta =
    "text" in reply
      ? { content: reply.text }
      : {
          tool_calls: [
            {
              index: 0,
              id,
              type: "function",
              function: { name: reply.call.name, arguments: JSON.stringify(reply.call.arguments) },
            },
          ],
        };
  const finish = "text" in reply ? "stop" : "tool_calls";
  const events = [
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage: { prompt_tokens: tokens, completion_tokens: 10 } },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    events.map((event) => `data: ${JSON.stringify({ id: "x", model: "m", ...event })}\n\n`).join("") +
      "data: [DONE]\n\n",
  );
}
