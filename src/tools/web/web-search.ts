/** Asks the configured services, one after another, until one finds something. */
import { defineTool, PincerError, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import type { Clock } from "../../infra/clock.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { createEgress } from "../../sandbox/egress/create-egress.ts";
import { EgressError, type Egress } from "../../sandbox/egress/egress.ts";
import type { FoundPage } from "./duckduckgo-page.ts";
import type { PageReader } from "./page-reader.ts";
import {
  brave,
  duckDuckGo,
  perplexity,
  searxng,
  tavily,
  type SearchService,
  type SearchServiceName,
  type ServiceSettings,
} from "./search-services.ts";
import { labelUntrusted } from "./untrusted-text.ts";
import { visibleCharacters } from "./visible-characters.ts";

/** tools.web.search */
export interface SearchSettings {
  enabled: boolean;
  /** The services in this order; empty: all, in the default order. */
  order: readonly string[];
  maxResults: number;
  /** For the first service in the order that needs one. */
  apiKey?: string | undefined;
  providers: {
    perplexity?: ServiceSettings | undefined;
    brave?: ServiceSettings | undefined;
    tavily?: ServiceSettings | undefined;
    searxng?: ServiceSettings | undefined;
    duckduckgo?: (ServiceSettings & { enabled: boolean }) | undefined;
  };
}

export interface WebSearchParts {
  settings: SearchSettings;
  /** Resolves a key of the config, perhaps the name of a secret. If it rejects, that service is skipped. */
  readSecret(text: string): Promise<string>;
  /** Follows the owner's rules; for services whose address the owner did not write. */
  egress: Pick<Egress, "request">;
  pages: Pick<PageReader, "readDuckDuckGo">;
  clock: Clock;
}

/** Undefined if no service is usable: then there is no such tool. */
export function createWebSearchTool(parts: WebSearchParts): Tool | undefined {
  const { settings, pages } = parts;
  const services = servicesOf(settings, pages);
  if (services.length === 0) return undefined;
  return defineTool({
    name: "web_search",
    aliases: ["web.search", "search_web"],
    effect: "read",
    controls: {},
    leaves: ["query"],
    resultOrigin: "web",
    description: "Search the web.",
    input: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 500 }),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    }),
    async run({ query, count = settings.maxResults }, { signal }) {
      const failed: string[] = [];
      for (const { service, isOwners } of services) {
        try {
          const egress = isOwners ? egressTo(service.address, parts.clock) : parts.egress;
          const found = await ask(service, { query, count }, { ...parts, egress, signal });
          if (found.length > 0) return tell(service, found, failed);
          failed.push(`${service.title}: found nothing`);
        } catch (error) {
          signal.throwIfAborted();
          failed.push(`${service.title}: ${reasonOf(error)}`);
        }
      }
      if (failed.every((line) => line.endsWith("found nothing"))) return { text: "Nothing was found." };
      throw new Error(`no search service could answer. ${failed.join("; ")}`);
    },
  });
}

const usualOrder: readonly SearchServiceName[] = ["perplexity", "brave", "tavily", "searxng", "duckduckgo"];
const withKey: readonly SearchServiceName[] = ["perplexity", "brave", "tavily"];

interface PlacedService {
  service: SearchService;
  /** The owner wrote its address. */
  isOwners: boolean;
}

function servicesOf(settings: SearchSettings, pages: WebSearchParts["pages"]): PlacedService[] {
  if (!settings.enabled) return [];
  const named = settings.order.flatMap((name) => usualOrder.find((known) => known === name) ?? []);
  const order = settings.order.length > 0 ? named : usualOrder;
  const first = order.find((name) => withKey.includes(name));
  const keyFor = (name: SearchServiceName) => (name === first ? settings.apiKey : undefined);
  return order.flatMap((name) => {
    const service = serviceFor(name, settings.providers, keyFor(name), pages);
    return service ? [{ service, isOwners: Boolean(settings.providers[name]?.baseUrl) }] : [];
  });
}

/** Undefined if it lacks what it needs. */
function serviceFor(
  name: SearchServiceName,
  providers: SearchSettings["providers"],
  generalKey: string | undefined,
  pages: WebSearchParts["pages"],
): SearchService | undefined {
  const own = providers[name];
  const settings: ServiceSettings = { apiKey: own?.apiKey || generalKey, baseUrl: own?.baseUrl || undefined };
  switch (name) {
    case "perplexity":
      return settings.apiKey ? perplexity(settings) : undefined;
    case "brave":
      return settings.apiKey ? brave(settings) : undefined;
    case "tavily":
      return settings.apiKey ? tavily(settings) : undefined;
    case "searxng":
      return settings.baseUrl ? searxng(settings) : undefined;
    case "duckduckgo":
      return providers.duckduckgo?.enabled ? duckDuckGo(settings, pages) : undefined;
  }
}

const limits = { maxBytes: 3_000_000, timeoutMs: 20_000, maxRedirects: 3 };

/** Reaches only the address that the owner named, which may be on this machine. */
const egressTo = (address: string, clock: Clock): Egress =>
  createEgress({ rules: { allow: [], deny: [], allowPrivate: [placeOf(address)] }, limits, clock });

async function ask(
  service: SearchService,
  question: { query: string; count: number },
  { egress, readSecret, signal }: Pick<WebSearchParts, "egress" | "readSecret"> & { signal: AbortSignal },
): Promise<FoundPage[]> {
  const key = service.apiKey === undefined ? "" : await readSecret(service.apiKey);
  const answer = await egress.request({ ...service.request(question, key), signal, limits });
  if (answer.status !== 200) throw new Refusal(`HTTP ${answer.status}`);
  const found = await service.read(answer, signal).catch((error: unknown) => {
    throw new Refusal(error instanceof Error ? error.message : String(error), { cause: error });
  });
  return found.flatMap((page) => readable(page) ?? []).slice(0, question.count);
}

function placeOf(address: string): string {
  const url = new URL(address);
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

const mostSnippet = 500;

/** Undefined for an unusable result. */
function readable({ title, url, snippet }: FoundPage): FoundPage | undefined {
  const target = URL.parse(url);
  if (target?.protocol !== "http:" && target?.protocol !== "https:") return undefined;
  const words = (text: string, most: number) => shorten(oneLine(visibleCharacters(withoutTags(text))), most);
  return {
    title: words(title, 200) || target.hostname,
    url: target.href,
    snippet: words(snippet, mostSnippet),
  };
}

/** Some services mark the search words. */
const withoutTags = (text: string): string => text.replace(/<\/?(b|strong|em|mark|i|br)\s*\/?>/gi, "");

function tell(service: SearchService, found: readonly FoundPage[], failed: readonly string[]) {
  const lines = found.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, url, snippet].filter(Boolean).join("\n   "),
  );
  const hosts = [...new Set(found.map(({ url }) => new URL(url).hostname.replace(/^www\./, "")))];
  return {
    text: labelUntrusted({ from: `a search with ${service.title}`, text: lines.join("\n") }),
    forUser: `${service.title}: ${hosts.join(", ")}`,
    details: { service: service.name, found, failed },
  };
}

/** Built from the response alone, which does not contain the request. */
class Refusal extends Error {}

/** Only messages that contain no key: an error of a library may quote the request. */
const reasonOf = (error: unknown): string =>
  [EgressError, PincerError, Refusal].some((kind) => error instanceof kind)
    ? (error as Error).message
    : "it could not be asked";
