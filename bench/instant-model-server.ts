/** A model server of its own process that answers every chat completion at once, as a stream. Prints its port. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const chunk = (body: object) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "instant", ...body })}\n\n`;
const words = ["Very well, ", "thank you. ", "What can I ", "do for you?"];
const answer =
  words
    .map((content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
    .join("") +
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
  chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 } }) +
  "data: [DONE]\n\n";

/** 400 KB of arguments for one call, four characters at a time; the tool takes none and refuses them. */
function longCall(): string {
  const text = JSON.stringify({ text: "abcd".repeat(100_000) });
  const deltas: string[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const call = { index: 0, function: { arguments: text.slice(at, at + 4) } };
    deltas.push(chunk({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }));
  }
  const head = { index: 0, id: "call_1", type: "function", function: { name: "time_now", arguments: "" } };
  return [
    chunk({ choices: [{ index: 0, delta: { tool_calls: [head] }, finish_reason: null }] }),
    ...deltas,
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
    "data: [DONE]\n\n",
  ].join("");
}

const long = longCall();

/** Once per turn: what follows a tool's result is an answer. */
function wantsLongCall(body: string): boolean {
  if (!body.includes("a very long call")) return false;
  const { messages } = JSON.parse(body) as { messages: Array<{ role: string }> };
  return messages.at(-1)?.role === "user";
}

/** A word every 200 ms, for ten seconds. */
function answerSlowly(response: ServerResponse): void {
  let left = 50;
  const timer = setInterval(() => {
    if (left-- > 0)
      return response.write(
        chunk({ choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] }),
      );
    clearInterval(timer);
    return response.end(answer);
  }, 200);
  response.on("close", () => clearInterval(timer));
}

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (data: Buffer) => (body += data.toString()));
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (body.includes("Take your time, please.")) return answerSlowly(response);
    return response.end(wantsLongCall(body) ? long : answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
