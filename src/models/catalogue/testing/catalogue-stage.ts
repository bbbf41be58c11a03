/** A catalogue over a directory of its own, with a network that answers what it is told to. */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { defaultConfig } from "../../../config/default-config.ts";
import type { Config } from "../../../config/schema.ts";
import type { RequestAuth } from "../../wire/wire.ts";
import type { Catalogue } from "../catalogue.ts";
import { openCatalogue } from "../open-catalogue.ts";

type Models = Config["models"];

export interface CatalogueStage {
  catalogue: Catalogue;
  clock: HandClock;
  homeRoot: string;
  /** Requests that went out, in order. */
  asked: Array<{ url: string; headers: Record<string, string> }>;
  broken: string[];
  /** Changes what the config says. */
  configure(models: Partial<Models>): void;
}

/** By address: the answer's JSON, a status, or nothing at all, which is silence. */
export type FakeNetwork = Record<string, unknown>;
export const silence = Symbol("silence");

export async function createCatalogueStage({
  models = {},
  network = {},
  auth,
}: {
  models?: Partial<Models>;
  network?: FakeNetwork;
  auth?: RequestAuth;
} = {}): Promise<CatalogueStage> {
  const homeRoot = await mkdtemp(join(tmpdir(), "pincer-catalogue-"));
  onTestFinished(() => rm(homeRoot, { recursive: true, force: true }));
  const clock = createHandClock();
  const asked: CatalogueStage["asked"] = [];
  const broken: string[] = [];
  let current: Models = { ...defaultConfig.models, ...models };
  const catalogue = openCatalogue({
    homeRoot,
    config: () => ({ models: current }),
    onBroken: (file) => broken.push(file),
    ...(auth ? { authOf: async () => auth } : {}),
    resolve: async (handle) => `value of ${handle}`,
    asker: { clock, fetch: createFakeFetch(network, asked) },
  });
  return {
    catalogue,
    clock,
    homeRoot,
    asked,
    broken,
    configure: (changed) => void (current = { ...current, ...changed }),
  };
}

function createFakeFetch(network: FakeNetwork, asked: CatalogueStage["asked"]): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = String(input);
    asked.push({ url, headers: init.headers as Record<string, string> });
    const answer = Object.hasOwn(network, url) ? network[url] : undefined;
    if (answer === undefined) throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    if (typeof answer === "number") return new Response("no", { status: answer });
    if (typeof answer === "string") return new Response(answer);
    if (answer !== silence) return Response.json(answer);
    init.signal?.throwIfAborted();
    return new Promise((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
    });
  };
}

/** A provider of the config, with what the config fills in by itself. */
export const provider = (given: Partial<Models["providers"][string]> = {}): Models["providers"][string] => ({
  models: [],
  ...given,
});
