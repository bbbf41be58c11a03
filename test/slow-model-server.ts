/** A model server in this process that takes its time: a word now and then, so that something can happen in the middle of an answer. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SlowModelServer {
  /** `http://127.0.0.1:port/v1`. */
  baseUrl: string;
  /** How many answers have been begun. */
  begun(): number;
  close(): Promise<void>;
}

/** What it answers to a question: the question, and then words. */
export const slowAnswer = (question: string): string => `${question}: ${words.join("")}`;

const words = Array.from({ length: 20 }, (_, index) => `word${index} `);

export async function startSlowModelServer(betweenMs: number): Promise<SlowModelServer> {
  let begun = 0;
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "slow", choices, ...more })}\n\n`;
  const said = (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }]);
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data: Buffer) => (body += data.toString()));
    request.on("end", () => {
      begun += 1;
      const { messages } = JSON.parse(body) as { messages: Array<{ role: string; content: unknown }> };
      const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content ?? "");
      const question = /Question \d+/.exec(asked)?.[0] ?? "Nothing";
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(said(`${question}: `));
      let next = 0;
      const timer = setInterval(() => {
        const word = words[next++];
        if (word !== undefined) return void response.write(said(word));
        clearInterval(timer);
        const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
        response.end(
          `${chunk([{ index: 0, delta: {}, finish_reason: "stop" }])}${chunk([], { usage })}data: [DONE]\n\n`,
        );
      }, betweenMs);
      response.on("close", () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    begun: () => begun,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
