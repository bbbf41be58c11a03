/**
 * The wire formats that the library speaks. Each is loaded with its first request, and none through the library's root, which would
 * load them all.
 */
import type { Api, Model, ProviderStreams } from "@earendil-works/pi-ai";

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

/**
 * The formats whose library takes no fetch: Google's insists on the platform's own, Amazon's has a client of its own. Of their requests
 * nothing is seen but what the library says of them.
 */
const withoutFetch: readonly string[] = ["bedrock-converse-stream", "google-generative-ai", "google-vertex"];

export const takesFetch = (api: string): boolean => !withoutFetch.includes(api);

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
  loaded.set(api, streamSimple);
  return streamSimple;
}
