/**
 * The wire formats that the library speaks. Each is loaded with its first request, and none through the library's root, which would
 * load them all.
 */
import type { Api, Model, ProviderStreams } from "@earendil-works/pi-ai";
import { withLentGlobals } from "./library-globals.ts";

export type PiModel = Model<Api>;
export type StreamSimple = ProviderStreams["streamSimple"];

const loaders: Readonly<Record<string, () => Promise<{ streamSimple: unknown }>>> = {
  "anthropic-messages": () => import("@earendil-works/pi-ai/api/anthropic-messages"),
  "azure-openai-responses": () => import("@earendil-works/pi-ai/api/azure-openai-responses"),
  "bedrock-converse-stream": () => import("@earendil-works/pi-ai/api/bedrock-converse-stream"),
  "google-generative-ai": () => import("@earendil-works/pi-ai/api/google-generative-ai"),
  "google-vertex": () => import("@earendil-works/pi-ai/api/google-vertex"),
  "mistral-conversations": () => import("@earendil-works/pi-ai/api/mistral-conversations"),
  "openai-codex-responses": () => import("@earendil-works/pi-ai/api/openai-codex-responses"),
  "openai-completions": () => import("@earendil-works/pi-ai/api/openai-completions"),
  "openai-responses": () => import("@earendil-works/pi-ai/api/openai-responses"),
  "pi-messages": () => import("@earendil-works/pi-ai/api/pi-messages"),
};

export const apis: readonly string[] = Object.keys(loaders);

/** Amazon's library has a client of its own: of its requests nothing is seen but what it says of them. */
export const takesFetch = (api: string): boolean => api !== "bedrock-converse-stream";

/** OpenAI's client asks nothing of the body of a stream but to be iterated over. */
export const iteratesBody = (api: string): boolean => overOpenAi.includes(api);
const overOpenAi: readonly string[] = ["openai-completions", "openai-responses", "azure-openai-responses"];

/** Google's library takes none but the process's own, which would follow a redirect anywhere with the key. */
const wantsGlobalFetch: readonly string[] = ["google-generative-ai", "google-vertex"];

/** What is there already: asking the module loader again with each request costs more than it seems. */
const loaded = new Map<string, StreamSimple>();

/** Undefined for a format that is not spoken. Throws what loading does. */
export async function loadApi(api: string): Promise<StreamSimple | undefined> {
  const known = loaded.get(api);
  if (known) return known;
  const load = Object.hasOwn(loaders, api) ? loaders[api] : undefined;
  if (!load) return undefined;
  // Each module takes its own kind of model, and is only ever given that.
  const streamSimple = (await load()).streamSimple as StreamSimple;
  const withGlobals = wantsGlobalFetch.includes(api) ? overGlobalFetch(streamSimple) : quiet(streamSimple);
  loaded.set(api, withGlobals);
  return withGlobals;
}

const quiet =
  (stream: StreamSimple): StreamSimple =>
  (model, context, options) =>
    withLentGlobals({ fetch: undefined }, () => stream(model, context, options));

const overGlobalFetch =
  (stream: StreamSimple): StreamSimple =>
  (model, context, { fetch, ...options } = {}) =>
    withLentGlobals({ fetch }, () => stream(model, context, options));
