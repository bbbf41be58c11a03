/** A model server in this process that answers as a test says, by the last words of the person: words as a stream, or a call. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ScriptedAnswer =
  | {
      text: string;
      /** Between two pieces of it. */
      everyMs?: number;
      /**
       * What its last piece waits for: until then it is in the middle of its answer, however slow its reader is.
       * When it comes, all that is left follows at once.
       */
      until?: Promise<unknown>;
    }
  | { call: ScriptedCall }
  | { calls: ScriptedCall[] };

export interface ScriptedCall {
  name: string;
  arguments: object;
}

export interface AskedModel {
  /** The last words that a person wrote. */
  text: string;
  /** Whether a picture came with the request. */
  hasImage: boolean;
  /** The results of calls since those words, in order. */
  results: string[];
  /** The whole request, as it came. */
  body: string;
}

export interface ScriptedModelServer {
  /** `http://127.0.0.1:port/v1`. */
  baseUrl: string;
  asked: AskedModel[];
  /** What it says when somebody asks for its models; nothing while there are none. */
  models: string[];
  close(): Promise<void>;
}

export async function startScriptedModelServer(
  answer: (asked: AskedModel) => ScriptedAnswer,
): Promise<ScriptedModelServer> {
  const asked: AskedModel[] = [];
  const models: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/v1/models" && models.length > 0) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id })) }));
    }
    // Somebody only looks whether it is there.
    if (request.method !== "POST") return void response.writeHead(404).end();
    let body = "";
    request.on("data", (data: Buffer) => (body += data.toString()));
    request.on("end", () => {
      const read = readRequest(body);
      asked.push(read);
      response.writeHead(200, { "content-type": "text/event-stream" });
      tell(response, answer(read));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    models,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Content = string | Array<{ type: string; text?: string }>;

function readRequest(body: string): AskedModel {
  const { messages } = JSON.parse(body) as { messages: Array<{ role: string; content: Content }> };
  const words = (content: Content): string =>
    typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
  const at = messages.findLastIndex(({ role, content }) => role === "user" && words(content) !== "");
  const since = messages.slice(at);
  return {
    text: words(messages[at]?.content ?? ""),
    hasImage: since.some(
      ({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"),
    ),
    results: since.filter(({ role }) => role === "tool").map(({ content }) => words(content)),
    body,
  };
}

const chunk = (choices: object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "small", choices, ...more })}\n\n`;

const end = (reason: string): string =>
  chunk([{ index: 0, delta: {}, finish_reason: reason }]) +
  chunk([], { usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } }) +
  "data: [DONE]\n\n";

function tell(response: ServerResponse, answer: ScriptedAnswer): void {
  if (!("text" in answer)) {
    const given = "call" in answer ? [answer.call] : answer.calls;
    const calls = given.map(({ name, arguments: values }, index) => ({
      index,
      id: `call_${index + 1}`,
      type: "function",
      function: { name, arguments: JSON.stringify(values) },
    }));
    response.end(
      chunk([{ index: 0, delta: { tool_calls: calls }, finish_reason: null }]) + end("tool_calls"),
    );
    return;
  }
  const pieces = answer.text.match(/\S+\s*/g) ?? [];
  const said = (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }]);
  if (answer.everyMs === undefined) {
    response.end(pieces.map(said).join("") + end("stop"));
    return;
  }
  const finish = () => {
    clearInterval(timer);
    response.end(pieces.splice(0).map(said).join("") + end("stop"));
  };
  const timer = setInterval(() => {
    if (pieces.length > 1) response.write(said(pieces.shift() ?? ""));
    else if (!answer.until) finish();
  }, answer.everyMs);
  void answer.until?.then(finish);
  response.on("close", () => clearInterval(timer));
}
