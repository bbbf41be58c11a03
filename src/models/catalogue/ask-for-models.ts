/** Asks a provider which models it has, in the manner of its wire format. */
import type { RequestAuth } from "../wire/wire.ts";
import { fetchJson, type JsonAsker } from "./fetch-json.ts";
import type { ModelEntry, ProviderFacts } from "./model-entry.ts";
import { readModelList } from "./read-model-list.ts";
import { findVendor } from "./vendors/vendors.ts";

export type ModelListAnswer =
  | { ok: true; models: ModelEntry[] }
  | {
      ok: false;
      reason: "unsupported" | "unreachable" | "refused" | "malformed";
      detail: string;
      /** Of an HTTP answer that was no yes. */
      status?: number;
    };

const patienceMs = 15_000;

/** Throws nothing but the signal's reason. */
export async function askForModels(
  asker: JsonAsker,
  facts: ProviderFacts,
  { auth = {}, signal }: { auth?: RequestAuth | undefined; signal?: AbortSignal | undefined },
): Promise<ModelListAnswer> {
  const { api, provider } = facts;
  const way = wayOf(api);
  const base = (auth.baseUrl ?? facts.baseUrl).replace(/\/+$/, "");
  // Some addresses are filled from the credential (`{CLOUDFLARE_ACCOUNT_ID}`); they have no list for everybody.
  if (!way || base === "" || base.includes("{")) return { ok: false, reason: "unsupported", detail: api };
  const ownServer = facts.baseUrl === findVendor(provider)?.baseUrl ? findVendor(provider)?.local : undefined;
  const headers = {
    ...facts.headers,
    ...(auth.apiKey ? way.headers(auth.apiKey) : {}),
    ...auth.headers,
  };
  const answer = await fetchJson(asker, ownServer ?? `${base}${way.path}`, {
    headers,
    withinMs: patienceMs,
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok) return answer;
  const models = readModelList(answer.value);
  return models ? { ok: true, models } : { ok: false, reason: "malformed", detail: "no list of models" };
}

interface Way {
  path: string;
  headers(key: string): Record<string, string>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

function wayOf(api: string): Way | undefined {
  switch (api) {
    case "openai-completions":
    case "openai-responses":
      return { path: "/models", headers: bearer };
    case "mistral-conversations":
      return { path: "/v1/models", headers: bearer };
    case "anthropic-messages":
      return {
        path: "/v1/models?limit=1000",
        headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
      };
    case "google-generative-ai":
      return { path: "/models?pageSize=1000", headers: (key) => ({ "x-goog-api-key": key }) };
    default:
      return undefined;
  }
}
