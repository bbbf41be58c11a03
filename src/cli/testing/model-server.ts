/** A server that speaks the completions format: each question is answered by the script of the model that it names. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ModelServer {
  baseUrl: string;
  /** The texts of what was said to a model, one list for each question. */
  asked: string[][];
  /** `held` waits after its first words until this is called. */
  release(): void;
}

interface Question {
  model: string;
  messages: Array<{ role: string; content: unknown }>;
}

/** `ok` answers; `held` answers in two parts; `loop` never stops calling a tool. */
export async function startModelServer(): Promise<ModelServer> {
  const asked: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { model, messages } = JSON.parse(body) as Question;
    asked.push(messages.map(({ content }) => JSON.stringify(content)));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, ...fields })}\n\n`,
      );
    const say = (delta: object, finish: string | null = null) =>
      send({ choices: [{ index: 0, delta, finish_reason: finish }] });
    if (model === "loop") {
      const call = { name: "tools_echo", arguments: JSON.stringify({ text: `x${asked.length}` }) };
      say({ tool_calls: [{ index: 0, id: `call_${asked.length}`, type: "function", function: call }] });
      say({}, "tool_calls");
    } else {
      say({ content: "Hello " });
      if (model === "held") await gate.promise;
      say({ content: "world." });
      say({}, "stop");
    }
    const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
    send({ choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 400 } } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    gate.resolve();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, asked, release: () => gate.resolve() };
}
