/** A model server with manners: `right-key` is answered, `poor-key` has no credit, others are refused; it also lists its models, as Ollama does. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface PickyServer {
  /** `http://127.0.0.1:port`. */
  origin: string;
  baseUrl: string;
  /** Which key and model each question came with. */
  asked: Array<{ key: string; model: string }>;
}

export async function startPickyServer({ open = false }: { open?: boolean } = {}): Promise<PickyServer> {
  const asked: PickyServer["asked"] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const refuse = (status: number, code: string, message: string) =>
      answer(status, { error: { code, message } });
    if (request.url === "/api/tags")
      return answer(200, { models: [{ name: "llama3:8b", model: "llama3:8b" }] });
    if (!open && !["right-key", "poor-key"].includes(key))
      return refuse(401, "invalid_api_key", "Incorrect API key provided");
    if (request.method === "GET") return answer(200, { data: [{ id: "small" }, { id: "large" }] });
    const { model } = JSON.parse(body) as { model: string };
    asked.push({ key, model });
    if (key === "poor-key") return refuse(429, "insufficient_quota", "You exceeded your current quota");
    if (model === "missing") return refuse(404, "model_not_found", "The model does not exist");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, ...fields })}\n\n`,
      );
    send({ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    send({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, baseUrl: `${origin}/v1`, asked };
}
