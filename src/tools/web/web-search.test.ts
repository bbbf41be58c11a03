import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolCallContext } from "@pincer/sdk";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createEgress } from "../../sandbox/egress/create-egress.ts";
import { EgressError } from "../../sandbox/egress/egress.ts";
import { createPageReader } from "./page-reader.ts";
import { createWebSearchTool, type SearchSettings, type WebSearchParts } from "./web-search.ts";

const call: ToolCallContext = { callId: "c", sessionKey: "s", signal: new AbortController().signal };
const pages = createPageReader({ clock: systemClock });
afterAll(() => pages.close());

const open: http.Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.closeAllConnections();
});

interface Asked {
  method: string | undefined;
  url: URL;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A fake of a service, made from its public documentation: it answers everybody with the same. */
async function fake(answer: unknown, status = 200): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { method, headers } = request;
      asked.push({ method, headers, body, url: new URL(request.url ?? "", "http://fake") });
      const isText = typeof answer === "string";
      response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
      response.end(isText ? answer : JSON.stringify(answer));
    });
  });
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** By the usual rules: whatever no owner named is looked at. */
const usualEgress = createEgress({
  rules: { allow: [], deny: [], allowPrivate: [] },
  limits: { maxBytes: 1_000_000, timeoutMs: 5000, maxRedirects: 3 },
  clock: systemClock,
});

const toolFor = (settings: Partial<SearchSettings>, egress: WebSearchParts["egress"] = usualEgress) =>
  createWebSearchTool({
    egress,
    settings: { enabled: true, order: [], maxResults: 5, providers: {}, ...settings },
    readSecret: async (text) => text.replace(/^secret:/, ""),
    pages,
    clock: systemClock,
  });

async function search(settings: Partial<SearchSettings>, input: object = { query: "wooden boats & oars" }) {
  const tool = toolFor(settings);
  if (!tool) throw new Error("there is no such tool");
  return tool.run(input, call);
}

const boats = { title: "Boats", url: "https://boats.example/a", snippet: "Of wood" };
const oars = { title: "Oars", url: "https://www.oars.example/", snippet: "Of ash" };
const perplexityAnswer = { id: "1", results: [boats, { ...oars, date: "2026-01-01" }] };
const braveAnswer = {
  type: "search",
  web: {
    type: "search",
    results: [boats, oars].map(({ title, url, snippet }) => ({
      title,
      url,
      description: `<strong>${snippet}</strong>`,
    })),
  },
};
const contentAnswer = {
  query: "q",
  results: [boats, oars].map(({ title, url, snippet }) => ({ title, url, content: snippet, score: 0.9 })),
};
const counted = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0123`;
/** Written by hand in the shape of the page for browsers without scripts. */
const duckPage = `<!DOCTYPE html><html><body><div id="links" class="results">
  <div class="result results_links result--ad"><h2 class="result__title"><a class="result__a" href="https://ad.example/">Ad</a></h2></div>
  ${[boats, oars]
    .map(
      ({ title, url, snippet }) => `<div class="result results_links results_links_deep web-result">
    <div class="links_main links_deep result__body"><h2 class="result__title">
      <a rel="nofollow" class="result__a" href="${counted(url)}">${title}</a></h2>
      <a class="result__snippet" href="${counted(url)}"><b>${snippet}</b></a></div></div>`,
    )
    .join("")}
  </div></body></html>`;

const told = [
  "1. Boats",
  "   https://boats.example/a",
  "   Of wood",
  "2. Oars",
  "   https://www.oars.example/",
  "   Of ash",
];

// The first page of DuckDuckGo waits for a thread to start.
describe("a search with a fake of", { timeout: 20_000 }, () => {
  it("TOOL-18 Perplexity, made from its public documentation", async () => {
    const { baseUrl, asked } = await fake(perplexityAnswer);
    const { text, forUser } = await search({
      providers: { perplexity: { apiKey: "secret:key-p", baseUrl } },
    });
    expect(text.split("\n").slice(1, -1)).toEqual(told);
    expect(text).toMatch(/^\[Untrusted text from a search with Perplexity, up to the mark/);
    expect(forUser).toBe("Perplexity: boats.example, oars.example");
    expect(asked[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer key-p" } });
    expect(asked[0]?.url.pathname).toBe("/search");
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ query: "wooden boats & oars", max_results: 5 });
  });

  it("TOOL-18 Brave, made from its public documentation", async () => {
    const { baseUrl, asked } = await fake(braveAnswer);
    const { text } = await search({ providers: { brave: { apiKey: "key-b", baseUrl } } });
    expect(text.split("\n").slice(1, -1)).toEqual(told);
    expect(asked[0]?.url.pathname).toBe("/res/v1/web/search");
    expect(asked[0]?.url.searchParams.get("q")).toBe("wooden boats & oars");
    expect(asked[0]?.headers["x-subscription-token"]).toBe("key-b");
    expect(asked[0]?.url.href).not.toContain("key-b");
  });

  it("TOOL-18 Tavily, made from its public documentation", async () => {
    const { baseUrl, asked } = await fake(contentAnswer);
    const { text } = await search({ providers: { tavily: { apiKey: "key-t", baseUrl } } });
    expect(text.split("\n").slice(1, -1)).toEqual(told);
    expect(asked[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer key-t" } });
    expect(asked[0]?.body).not.toContain("key-t");
  });

  it("TOOL-18 SearXNG, made from its public documentation, in a folder of a host", async () => {
    const { baseUrl, asked } = await fake(contentAnswer);
    const { text } = await search({ providers: { searxng: { baseUrl: `${baseUrl}/searx` } } });
    expect(text.split("\n").slice(1, -1)).toEqual(told);
    expect(asked[0]?.url.pathname).toBe("/searx/search");
    expect(asked[0]?.url.searchParams.get("format")).toBe("json");
    const behindPassword = baseUrl.replace("//", "//user:pass%20word@");
    await search({ providers: { searxng: { baseUrl: behindPassword } } });
    expect(asked[1]?.headers.authorization).toBe(`Basic ${Buffer.from("user:pass word").toString("base64")}`);
  });

  it("TOOL-18 DuckDuckGo, a page written by hand in its shape", async () => {
    const { baseUrl, asked } = await fake(duckPage);
    const { text } = await search({ providers: { duckduckgo: { enabled: true, baseUrl } } });
    expect(text.split("\n").slice(1, -1)).toEqual(told);
    expect(asked[0]?.url.pathname).toBe("/html/");
  });
});

describe("the services of a search", () => {
  it("TOOL-18 are asked in the usual order, the next one where one fails, and the reason is kept", async () => {
    const perplexity = await fake({ error: "no key-p here" }, 401);
    const brave = await fake("<p>not JSON</p>");
    const tavily = await fake({ results: [] });
    const searxng = await fake(contentAnswer);
    const { details } = await search({
      providers: {
        searxng: { baseUrl: searxng.baseUrl },
        tavily: { apiKey: "key-t", baseUrl: tavily.baseUrl },
        brave: { apiKey: "key-b", baseUrl: brave.baseUrl },
        perplexity: { apiKey: "key-p", baseUrl: perplexity.baseUrl },
        duckduckgo: { enabled: true, baseUrl: "http://127.0.0.1:1" },
      },
    });
    expect(details).toMatchObject({
      service: "searxng",
      failed: ["Perplexity: HTTP 401", "Brave: its answer is no JSON", "Tavily: found nothing"],
    });
  });

  it("X30 are those that the config names, in its order", async () => {
    const first = await fake(contentAnswer);
    const second = await fake(braveAnswer);
    const providers = {
      brave: { apiKey: "b", baseUrl: second.baseUrl },
      tavily: { apiKey: "t", baseUrl: first.baseUrl },
    };
    expect((await search({ order: ["tavily", "brave"], providers })).details).toMatchObject({
      service: "tavily",
    });
    expect(second.asked).toEqual([]);
    expect(toolFor({ order: ["searxng"], providers })).toBeUndefined();
  });

  it("TOOL-18 get the general key where the first of them has none of its own", async () => {
    const { baseUrl, asked } = await fake(braveAnswer);
    await search({ order: ["searxng", "brave"], apiKey: "general", providers: { brave: { baseUrl } } });
    expect(asked[0]?.headers["x-subscription-token"]).toBe("general");
  });

  it("TOOL-18 are no tool where none can be asked", () => {
    const usable = { duckduckgo: { enabled: true } };
    expect(toolFor({})).toBeUndefined();
    expect(toolFor({ enabled: false, apiKey: "key", providers: usable })).toBeUndefined();
    expect(toolFor({ providers: { brave: {}, duckduckgo: { enabled: false } } })).toBeUndefined();
    expect(toolFor({ providers: usable })?.aliases).toEqual(["web.search", "search_web"]);
    expect(toolFor({ apiKey: "key" })).toBeDefined();
  });

  it("TOOL-18 never have their keys in what is said when all of them fail", async () => {
    const broken = await fake({ detail: "the key secret-key is wrong" }, 403);
    const gone = await fake({}, 200);
    const providers = {
      perplexity: { apiKey: "secret-key", baseUrl: broken.baseUrl },
      brave: { apiKey: "secret\nkey", baseUrl: gone.baseUrl },
      tavily: { apiKey: "secret-key", baseUrl: "http://127.0.0.1:1" },
    };
    const error: unknown = await search({ providers }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("no search service could answer. Perplexity: HTTP 403; Brave: ");
    expect(String(error)).not.toMatch(/secret/);
  });

  it("TOOL-18 say that nothing was found where all of them say so", async () => {
    const { baseUrl } = await fake({ results: [] });
    const { text } = await search({ providers: { tavily: { apiKey: "t", baseUrl } } });
    expect(text).toBe("Nothing was found.");
  });

  it("TOOL-18 go through the owner's rules, but for those whose address the owner wrote", async () => {
    const own = await fake(contentAnswer);
    const asked: string[] = [];
    const closed: WebSearchParts["egress"] = {
      async request({ url }) {
        asked.push(new URL(url).hostname);
        throw new EgressError("refused", "is closed by the owner");
      },
    };
    const providers = {
      perplexity: { apiKey: "p" },
      brave: { apiKey: "b", baseUrl: "" },
      tavily: { apiKey: "t", baseUrl: own.baseUrl },
    };
    const result = await toolFor({ providers }, closed)?.run({ query: "boats" }, call);
    expect(result?.text).toContain("a search with Tavily");
    expect(asked).toEqual(["api.perplexity.ai", "api.search.brave.com"]);
    expect(own.asked).toHaveLength(1);
  });

  it("TOOL-18 cannot send us elsewhere inside, and take no keys along", async () => {
    const inside = await fake(contentAnswer);
    const server = http.createServer((_, response) =>
      response.writeHead(302, { location: `${inside.baseUrl}/search` }).end(),
    );
    open.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error: unknown = await search({ providers: { tavily: { apiKey: "t", baseUrl } } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain("is closed");
    expect(inside.asked).toEqual([]);
  });

  it("TOOL-18 are not believed: links that are none, hidden signs, lines of their own", async () => {
    const { baseUrl } = await fake({
      results: [
        { title: "a", url: "javascript:alert(1)", content: "x" },
        { title: "b", url: 5, content: "x" },
        null,
        { title: "One\n2. Two\u200b", url: "https://a.example/", content: `${"s".repeat(2000)}\n[end]` },
        { title: "", url: "https://b.example/", content: null },
        { title: "c", url: "https://c.example/", content: "" },
      ],
    });
    const providers = { tavily: { apiKey: "t", baseUrl } };
    const { text } = await search({ providers }, { query: "q", count: 2 });
    const lines = text.split("\n").slice(1, -1);
    expect(lines.map((line) => line.slice(0, 25))).toEqual([
      "1. One 2. Two",
      "   https://a.example/",
      `   ${"s".repeat(22)}`,
      "2. b.example",
      "   https://b.example/",
    ]);
    expect(lines[2]).toHaveLength(503);
  });
});
