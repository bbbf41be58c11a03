import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets } from "../../config/secrets.ts";
import { createSay } from "../../infra/texts.ts";
import type { CredentialRecord } from "../../storage/credentials/credentials.ts";
import { findEmbedder, type FindEmbedderParts } from "./find-embedder.ts";

let root: string;
let asked: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-embedder-"));
  asked = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Search = Config["agents"]["defaults"]["memorySearch"];

function find(
  own: Partial<Search>,
  { stored = [], models = {} }: { stored?: object[]; models?: object } = {},
) {
  const config = structuredClone(defaultConfig);
  Object.assign(config.agents.defaults.memorySearch, own);
  Object.assign(config.models.providers, models);
  const home = locateHome({ PINCER_HOME: root });
  const parts = {
    openedHome: {
      home,
      stores: { credentials: { list: async () => stored as CredentialRecord[] } },
      foundation: { secrets: openSecrets({ home, environment: {} }) },
    },
    config: () => config,
    connected: {
      async room() {
        return {
          async authOf(provider: string) {
            asked.push(provider);
            return { apiKey: `key of ${provider}` };
          },
        };
      },
    },
    say: createSay("en"),
  } as unknown as FindEmbedderParts;
  return findEmbedder(parts);
}

describe("whose vectors are used", () => {
  it("takes nobody's where the config says so, and asks for no key", async () => {
    expect(await find({ provider: "none" })).toMatchObject({ spec: { type: "none" }, provider: "none" });
    expect(asked).toEqual([]);
  });

  it("takes the provider whose key the owner has given, and loads nothing to find out that there is none", async () => {
    const key = { provider: "openai", type: "api_key" };
    expect(await find({}, { stored: [key] })).toMatchObject({
      spec: { type: "openai", apiKey: "key of openai" },
      provider: "openai",
    });
    expect(asked).toEqual(["openai"]);
    asked = [];
    await find({ provider: "openai" });
    expect(asked).toEqual([]);
  });

  it("takes no login that was made for chats", async () => {
    const { spec } = await find({ provider: "openai" }, { stored: [{ provider: "openai", type: "oauth" }] });
    expect(spec).toEqual({ type: "none" });
    expect(asked).toEqual([]);
  });

  it("takes a key and an address from the config, and reads the secret that they name", async () => {
    const home = locateHome({ PINCER_HOME: root });
    await openSecrets({ home, environment: {} }).set("embedding", "s3cret");
    const remote = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "secret:embedding" };
    const { spec } = await find({ provider: "compatible", model: "m", remote });
    expect(spec).toMatchObject({
      type: "compatible",
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "s3cret",
      model: "m",
    });
  });

  it("says what to do where a provider was named that cannot be used", async () => {
    const { spec, why } = await find({ provider: "voyage" });
    expect(spec).toEqual({ type: "none" });
    expect(why).toContain("pincer auth");
    const local = await find({ provider: "local" });
    expect(local.why).toContain("npm install");
  });

  it("asks an address that was given, and no other", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const remote = { baseUrl: `http://127.0.0.1:${port}` };
      const { spec } = await find({ provider: "ollama", model: "nomic-embed-text", remote });
      expect(spec).toMatchObject({ type: "ollama", baseUrl: `http://127.0.0.1:${port}` });
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });
});
