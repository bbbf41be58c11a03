import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EmbedderSpec } from "../../memory/embedders/embedder.ts";
import type { FindEmbedderParts } from "../../agent/memory/find-embedder.ts";
import { createTextEmbedder } from "./embed-texts.ts";

/** A server that makes a vector of the length of each text. */
async function startServer(): Promise<{ baseUrl: string; asked: string[][] }> {
  const asked: string[][] = [];
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as {
      input: string[];
    };
    asked.push(input);
    const data = input.map((text, index) => ({ index, embedding: [text.length, 0] }));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function embedderOf(specs: EmbedderSpec[]) {
  const clock = createHandClock();
  let looks = 0;
  const embedder = createTextEmbedder({
    ...({} as FindEmbedderParts),
    clock,
    async find() {
      const spec = specs[Math.min(looks++, specs.length - 1)] ?? { type: "none" };
      return { spec, provider: spec.type, why: "Nobody set one up: /home/me/.pincer/embedder is empty." };
    },
  });
  onTestFinished(embedder.close);
  return { embedder, clock, looks: () => looks };
}

const never = new AbortController().signal;

describe("vectors for programs", () => {
  it("PROTO-05 come from the embedder of memory, in batches that it takes", async () => {
    const { baseUrl, asked } = await startServer();
    const { embedder } = embedderOf([{ type: "compatible", baseUrl, model: "m" }]);
    const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
    const { vectors, model } = await embedder.embed(texts, never);
    expect(vectors).toHaveLength(150);
    expect(model).toContain("m");
    expect(asked.flat()).toEqual(texts);
    expect(asked.length).toBeGreaterThan(1);
  });

  it("says where to look when there is none, not what this machine is like, and looks again after a while", async () => {
    const { baseUrl } = await startServer();
    const { embedder, clock, looks } = embedderOf([
      { type: "none" },
      { type: "compatible", baseUrl, model: "m" },
    ]);
    await expect(embedder.embed(["a"], never)).rejects.toMatchObject({
      code: "usage/not-found",
      hint: expect.stringContaining("pincer memory status"),
    });
    await expect(embedder.embed(["a"], never)).rejects.not.toThrow("/home/me/.pincer");
    expect(looks()).toBe(1);
    await clock.advance(60_000);
    expect((await embedder.embed(["a"], never)).vectors).toHaveLength(1);
  });

  it("says that it does not answer", async () => {
    const { embedder } = embedderOf([{ type: "compatible", baseUrl: "http://127.0.0.1:1", model: "m" }]);
    await expect(embedder.embed(["a"], never)).rejects.toMatchObject({ code: "model/failed" });
  });
});
