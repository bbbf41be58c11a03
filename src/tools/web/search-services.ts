/** The web search services, each called as its public documentation describes. */
import type { EgressRequest, EgressResponse } from "../../sandbox/egress/egress.ts";
import type { FoundPage } from "./duckduckgo-page.ts";
import type { PageReader } from "./page-reader.ts";

export type SearchServiceName = "perplexity" | "brave" | "tavily" | "searxng" | "duckduckgo";

export interface SearchQuestion {
  query: string;
  count: number;
}

export interface SearchService {
  name: SearchServiceName;
  /** The display name. */
  title: string;
  address: string;
  /** From the config: perhaps the name of a secret. */
  apiKey?: string | undefined;
  /** `key` is the secret itself, or empty. It goes into headers and nowhere else. */
  request(question: SearchQuestion, key: string): Omit<EgressRequest, "signal">;
  /** Throws for an invalid response. */
  read(answer: EgressResponse, signal: AbortSignal): Promise<FoundPage[]>;
}

/** A service's key, if any, and its address, unless the default. */
export interface ServiceSettings {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

const json = { accept: "application/json", "content-type": "application/json" };

export function perplexity({
  apiKey,
  baseUrl = "https://api.perplexity.ai",
}: ServiceSettings): SearchService {
  return {
    name: "perplexity",
    title: "Perplexity",
    address: baseUrl,
    apiKey,
    request: ({ query, count }, key) => ({
      url: under(baseUrl, "search"),
      method: "POST",
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    read: async (answer) => listed(fieldOf(jsonOf(answer), "results"), "snippet"),
  };
}

export function brave({ apiKey, baseUrl = "https://api.search.brave.com" }: ServiceSettings): SearchService {
  return {
    name: "brave",
    title: "Brave",
    address: baseUrl,
    apiKey,
    request: ({ query, count }, key) => ({
      url: under(baseUrl, "res/v1/web/search", { q: query, count: String(count), text_decorations: "false" }),
      headers: { accept: "application/json", "x-subscription-token": key },
    }),
    read: async (answer) => listed(fieldOf(fieldOf(jsonOf(answer), "web"), "results"), "description"),
  };
}

export function tavily({ apiKey, baseUrl = "https://api.tavily.com" }: ServiceSettings): SearchService {
  return {
    name: "tavily",
    title: "Tavily",
    address: baseUrl,
    apiKey,
    request: ({ query, count }, key) => ({
      url: under(baseUrl, "search"),
      method: "POST",
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    read: async (answer) => listed(fieldOf(jsonOf(answer), "results"), "content"),
  };
}

export function searxng({ baseUrl = "" }: ServiceSettings): SearchService {
  return {
    name: "searxng",
    title: "SearXNG",
    address: baseUrl,
    request: ({ query }) => ({
      url: under(baseUrl, "search", { q: query, format: "json" }),
      headers: { accept: "application/json", ...basicAuthorization(baseUrl) },
    }),
    read: async (answer) => listed(fieldOf(jsonOf(answer), "results"), "content"),
  };
}

export function duckDuckGo(
  { baseUrl = "https://html.duckduckgo.com" }: ServiceSettings,
  pages: Pick<PageReader, "readDuckDuckGo">,
): SearchService {
  return {
    name: "duckduckgo",
    title: "DuckDuckGo",
    address: baseUrl,
    request: ({ query }) => ({
      url: under(baseUrl, "html/", { q: query }),
      headers: { accept: "text/html", "user-agent": "Mozilla/5.0 (compatible; Pincer)" },
    }),
    read: ({ body, headers }, signal) =>
      pages.readDuckDuckGo({ bytes: body, contentType: headers["content-type"] ?? "" }, signal),
  };
}

/** A path below the address, with or without a trailing slash. */
function under(base: string, path: string, parameters: Record<string, string> = {}): string {
  const url = new URL(path, base.endsWith("/") ? base : `${base}/`);
  url.username = "";
  url.password = "";
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** For an address with a user and a password in it. */
function basicAuthorization(address: string): Record<string, string> {
  const { username, password } = new URL(address);
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function jsonOf({ body, truncated }: EgressResponse): unknown {
  if (truncated) throw new Error("its answer is too large");
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch (cause) {
    throw new Error("its answer is no JSON", { cause });
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function listed(results: unknown, snippet: string): FoundPage[] {
  if (!Array.isArray(results)) return [];
  return results.map((result: unknown) => ({
    title: textOf(fieldOf(result, "title")),
    url: textOf(fieldOf(result, "url")),
    snippet: textOf(fieldOf(result, snippet)),
  }));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
