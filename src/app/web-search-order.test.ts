/** Whom web_search asks, in which order, and who is told what was found. */
import { textOf, type Message } from "@pincer/sdk";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openTalkStage } from "./testing/talk-stage.ts";

/** Three services on one server, which all refuse but one. */
async function open(answering: string, search: object = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const [, service = ""] = (request.url ?? "").split("/");
    asked.push(service);
    if (service !== answering) return void response.writeHead(503).end("no");
    const found = { title: "Tea", url: "https://tea.example/", description: "All about tea." };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ web: { results: [found] } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const at = (service: string, more: object = {}) => ({
    baseUrl: `http://127.0.0.1:${port}/${service}/`,
    ...more,
  });
  const providers = {
    perplexity: at("perplexity", { apiKey: "pplx-0123456789" }),
    brave: at("brave", { apiKey: "brave-0123456789" }),
    duckduckgo: at("duckduckgo"),
  };
  const stage = await openTalkStage({
    steps: [{ calls: [{ name: "web_search", arguments: { query: "tea" } }] }, { text: "Done." }],
    config: {
      tools: { network: { allowPrivate: [`127.0.0.1:${port}`] }, web: { search: { providers, ...search } } },
    },
  });
  await stage.say("look for tea");
  const result = stage.model.requests.at(-1)?.messages.find(({ role }) => role === "toolResult");
  return { stage, asked: [...new Set(asked)], result: result ? textOf(result as Message) : "" };
}

it("TOOL-18 asks Perplexity, then Brave, then DuckDuckGo, and goes on where one fails", async () => {
  const { asked, result } = await open("brave");
  expect(asked).toEqual(["perplexity", "brave"]);
  expect(result).toContain("https://tea.example/");
  expect((await open("nobody")).asked).toEqual(["perplexity", "brave", "duckduckgo"]);
});

it("TOOL-18 asks in the order of the config", async () => {
  const { asked } = await open("brave", { order: ["duckduckgo", "brave"] });
  expect(asked).toEqual(["duckduckgo", "brave"]);
});

it("TOOL-18 is not offered where nobody can be asked", async () => {
  const stage = await openTalkStage({
    config: { tools: { web: { search: { providers: { duckduckgo: { enabled: false } } } } } },
  });
  await stage.say("hello");
  const names = stage.model.requests[0]?.tools.map(({ name }) => name);
  expect(names).toContain("web_fetch");
  expect(names).not.toContain("web_search");
});
