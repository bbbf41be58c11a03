import { LLMock } from "@copilotkit/aimock";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createEmbedder } from "./create-embedder.ts";
import { EmbedderError, type Embedder } from "./embedder.ts";
import { createHttpEmbedder, type RemoteSpec } from "./http-embedder.ts";
import { startEmbeddingServer, vectorOf, type Misbehave } from "./testing/embedding-server.ts";

const paths: Record<RemoteSpec["type"], string> = {
  openai: "/v1",
  compatible: "/v1",
  voyage: "/v1",
  gemini: "/v1beta",
  ollama: "",
};
const types = Object.keys(paths) as Array<RemoteSpec["type"]>;
const going = new AbortController().signal;
const key = "sk-very-secret-key";

let cleanUps: Array<() => PromiseLike<void>> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  cleanUps = [];
});

async function start(type: RemoteSpec["type"], spec: Partial<RemoteSpec> = {}) {
  const server = await startEmbeddingServer(type);
  const clock = createHandClock();
  const baseUrl = server.origin + paths[type];
  const embedder = createHttpEmbedder({ type, baseUrl, model: "m", apiKey: key, ...spec }, { clock });
  cleanUps.push(
    () => server[Symbol.asyncDispose](),
    () => embedder.close(),
  );
  return { server, embedder, clock };
}

const unit = (text: string) => {
  const vector = vectorOf(text);
  return vector.map((each) => each / Math.hypot(...vector));
};

function expectVectors(vectors: Float32Array[], texts: string[]): void {
  expect(vectors).toHaveLength(texts.length);
  for (const [index, text] of texts.entries())
    for (const [at, number] of unit(text).entries()) expect(vectors[index]?.[at]).toBeCloseTo(number, 5);
}

async function failureOf(embedder: Embedder, texts = ["a"]): Promise<EmbedderError> {
  const error: unknown = await embedder.embed(texts, "document", going).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EmbedderError);
  return error as EmbedderError;
}

async function failureWith(how: Misbehave, type: RemoteSpec["type"] = "openai"): Promise<EmbedderError> {
  const { server, embedder } = await start(type);
  server.misbehave(how);
  return failureOf(embedder);
}

describe("createHttpEmbedder", () => {
  it.each(types)("MEM-07 gives one vector of length 1 per text, in their order, by %s", async (type) => {
    const { embedder } = await start(type);
    const texts = ["one", "two words", "drei", "四"];
    expectVectors(await embedder.embed(texts, "document", going), texts);
  });

  it("asks OpenAI for vectors as bytes, with the key in a header", async () => {
    const { server, embedder } = await start("openai", { model: "text-embedding-3-small" });
    await embedder.embed(["a"], "query", going);
    expect(server.requests).toMatchObject([
      {
        url: "/v1/embeddings",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: { model: "text-embedding-3-small", input: ["a"], encoding_format: "base64" },
      },
    ]);
  });

  it("tells Gemini what the texts are for, and has the key in no address", async () => {
    const { server, embedder } = await start("gemini", { model: "gemini-embedding-001" });
    await embedder.embed(["a"], "document", going);
    await embedder.embed(["b"], "query", going);
    expect(server.requests.map(({ url }) => url)).toEqual(
      Array(2).fill("/v1beta/models/gemini-embedding-001:batchEmbedContents"),
    );
    expect(server.requests[0]?.headers["x-goog-api-key"]).toBe(key);
    const asked = (text: string, taskType: string) => ({
      requests: [
        {
          model: "models/gemini-embedding-001",
          content: { parts: [{ text }] },
          taskType,
          outputDimensionality: 768,
        },
      ],
    });
    expect(server.requests.map(({ body }) => body)).toEqual([
      asked("a", "RETRIEVAL_DOCUMENT"),
      asked("b", "RETRIEVAL_QUERY"),
    ]);
  });

  it("tells Voyage what the texts are for", async () => {
    const { server, embedder } = await start("voyage", { model: "voyage-4-lite" });
    await embedder.embed(["a"], "query", going);
    expect(server.requests[0]).toMatchObject({
      url: "/v1/embeddings",
      body: { model: "voyage-4-lite", input: ["a"], input_type: "query" },
    });
  });

  it("puts nomic's own words before texts for Ollama, and before those of no other model", async () => {
    const nomic = await start("ollama", { model: "nomic-embed-text:v1.5" });
    await nomic.embedder.embed(["a"], "document", going);
    await nomic.embedder.embed(["b"], "query", going);
    expect(nomic.server.requests.map(({ body }) => body.input)).toEqual([
      ["search_document: a"],
      ["search_query: b"],
    ]);
    const other = await start("ollama", { model: "mxbai-embed-large" });
    await other.embedder.embed(["a"], "document", going);
    expect(other.server.requests).toMatchObject([{ url: "/api/embed", body: { input: ["a"] } }]);
  });

  it("takes Ollama's address for OpenAI clients as well", async () => {
    const server = await startEmbeddingServer("ollama");
    const embedder = createEmbedder({ type: "ollama", baseUrl: `${server.origin}/v1/`, model: "m" });
    cleanUps.push(() => server[Symbol.asyncDispose]());
    expectVectors((await embedder?.embed(["a"], "query", going)) ?? [], ["a"]);
    await embedder?.close();
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("sends the owner's own headers, also in the place of ours", async () => {
    const headers = { "X-Team": "7", Authorization: "Token other" };
    const { server, embedder } = await start("compatible", { headers });
    await embedder.embed(["a"], "document", going);
    expect(server.requests[0]?.headers).toMatchObject({ "x-team": "7", authorization: "Token other" });
  });

  it("divides more texts than one request takes, and keeps their order", async () => {
    const { server, embedder } = await start("gemini");
    const texts = Array.from({ length: 250 }, (_, index) => `text ${index}`);
    expectVectors(await embedder.embed(texts, "document", going), texts);
    expect(server.requests.map(({ body }) => (body.requests as unknown[]).length)).toEqual([100, 100, 50]);
  });

  it("sends no more bytes in one request than a provider takes tokens", async () => {
    const { server, embedder } = await start("openai");
    await embedder.embed(Array(30).fill("字".repeat(2_000)), "document", going);
    const sizes = server.requests.map(({ body }) => Buffer.byteLength((body.input as string[]).join("")));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100_000);
    expect(sizes).toHaveLength(2);
  });

  it("cuts a text to what the model takes, through no character", async () => {
    const { server, embedder } = await start("openai");
    await embedder.embed(["🦀".repeat(5_000), ""], "document", going);
    const [long, empty] = server.requests.flatMap(({ body }) => body.input as string[]);
    expect(long).toBe("🦀".repeat(Math.floor(8_191 / 4)));
    // An empty text would be refused together with all others.
    expect(empty).not.toBe("");
  });

  it("halves texts that are refused for their length, and remembers", async () => {
    const { server, embedder } = await start("compatible");
    server.misbehave(({ body }) =>
      (body.input as string[]).some((text) => text.length > 512)
        ? { status: 413, body: { error: "Input validation error: `inputs` must have less than 512 tokens" } }
        : undefined,
    );
    await embedder.embed(["short", "x".repeat(4_000)], "document", going);
    const asked = server.requests.length;
    await embedder.embed(["y".repeat(4_000)], "document", going);
    expect(asked).toBe(4);
    expect(server.requests).toHaveLength(asked + 1);
  });

  it("gives up on a text that is too long however short it is", async () => {
    const error = await failureWith(() => ({
      status: 400,
      body: { error: { message: "maximum context length" } },
    }));
    expect(error.retryable).toBe(false);
  });

  it("has an id that changes with what the vectors depend on", () => {
    const id = (spec: Partial<RemoteSpec> & { type: RemoteSpec["type"] }) =>
      createHttpEmbedder({ baseUrl: "http://127.0.0.1:1/v1", model: "m", ...spec }).id;
    expect(id({ type: "openai", model: "text-embedding-3-small" })).toBe("openai:text-embedding-3-small");
    expect(id({ type: "ollama", model: "bge-m3:latest" })).toBe("ollama:bge-m3");
    expect(id({ type: "gemini", model: "gemini-embedding-001" })).toBe("gemini:gemini-embedding-001:768");
    expect(id({ type: "compatible" })).not.toBe(id({ type: "compatible", baseUrl: "http://127.0.0.1:2/v1" }));
    expect(createEmbedder({ type: "none" })).toBeUndefined();
  });

  it("understands a peer that others wrote for OpenAI's clients", async () => {
    const peer = new LLMock({ port: 0 });
    peer.onEmbedding(/.*/, { embedding: [3, 4] });
    await peer.start();
    cleanUps.push(async () => void (await peer.stop()));
    const spec = {
      type: "openai",
      baseUrl: `${peer.url}/v1`,
      model: "text-embedding-3-small",
      apiKey: key,
    } as const;
    const embedder = createHttpEmbedder(spec);
    const [vector] = await embedder.embed(["hello"], "document", going);
    await embedder.close();
    expect(vector?.[0]).toBeCloseTo(0.6, 5);
    expect(vector?.[1]).toBeCloseTo(0.8, 5);
  });
});

describe("an answer that cannot be trusted is refused", () => {
  const item = (index: number, embedding: unknown) => ({ object: "embedding", index, embedding });
  const cases: Array<[string, unknown]> = [
    ["fewer vectors than texts", { data: [item(0, [1, 0])] }],
    ["more vectors than texts", { data: [0, 1, 2].map((index) => item(index, [1, 0])) }],
    ["two vectors for one text", { data: [item(0, [1, 0]), item(0, [1, 0])] }],
    ["a place that does not exist", { data: [item(0, [1, 0]), item(7, [1, 0])] }],
    ["vectors of different sizes", { data: [item(0, [1, 0]), item(1, [1, 0, 0])] }],
    ["empty vectors", { data: [item(0, []), item(1, [])] }],
    ["something that is no number", { data: [item(0, [1, null]), item(1, [1, 0])] }],
    ["a number without end", `{"data":[{"index":0,"embedding":[1e999,0]},{"index":1,"embedding":[1,0]}]}`],
    ["zeros", { data: [item(0, [1, 0]), item(1, [0, 0])] }],
    ["half a number", { data: [item(0, "AAA="), item(1, "AAA=")] }],
    ["no vectors at all", { object: "list" }],
    ["a page of a proxy", "<html>Welcome</html>"],
    ["nothing", ""],
  ];

  it.each(cases)("%s", async (_, body) => {
    const { server, embedder } = await start("openai");
    server.misbehave(() => ({ body }));
    const error = await failureOf(embedder, ["a", "b"]);
    expect(error).toMatchObject({ retryable: false, text: { key: "embedder.failed.answer" } });
  });

  it("vectors of another size than those before it, in one call; from one call to the next it is another model", async () => {
    const { server, embedder } = await start("ollama");
    const long = "a".repeat(60_000);
    server.misbehave(({ body }) =>
      server.requests.length > 1
        ? { body: { embeddings: (body.input as string[]).map(() => [1, 2, 3]) } }
        : undefined,
    );
    const texts = Array.from({ length: 40 }, () => long);
    expect((await failureOf(embedder, texts)).message).toContain("3 numbers among those of 4");
    expect(await embedder.embed(["a"], "document", going)).toMatchObject([{ length: 3 }]);
  });
});

describe("a failure says whether it may work later, and what to do", () => {
  it.each([401, 403])("a key that is refused with %i: not by itself", async (status) => {
    const error = await failureWith(() => ({
      status,
      body: { error: { message: `Incorrect API key: ${key}` } },
    }));
    expect(error.retryable).toBe(false);
    expect(error.message).toContain("agents.defaults.memorySearch.remote.apiKey");
    expect(error.message).not.toContain(key);
  });

  it("a key that Google refuses with 400", async () => {
    const body = [{ error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } }];
    const error = await failureWith(() => ({ status: 400, body }), "gemini");
    expect(error).toMatchObject({ retryable: false, text: { key: "embedder.failed.key" } });
  });

  it("too many requests: after as long as we are told", async () => {
    const after = (value: string) =>
      failureWith(() => ({ status: 429, headers: { "retry-after": value }, body: {} }));
    expect(await after("7")).toMatchObject({ retryable: true, retryAfterMs: 7_000 });
    const inNinetySeconds = new Date(createHandClock().now() + 90_000).toUTCString();
    expect(await after(inNinetySeconds)).toMatchObject({ retryable: true, retryAfterMs: 90_000 });
    expect(await after("soon")).toMatchObject({ retryable: true, retryAfterMs: undefined });
    const google = { error: { code: 429, details: [{ retryDelay: "34.5s" }] } };
    const error = await failureWith(() => ({ status: 429, body: google }), "gemini");
    expect(error).toMatchObject({ retryable: true, retryAfterMs: 34_500 });
  });

  it("no credit left: not for a while", async () => {
    const body = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
    const error = await failureWith(() => ({ status: 429, body }));
    expect(error).toMatchObject({
      retryable: true,
      retryAfterMs: 3_600_000,
      text: { key: "embedder.failed.quota" },
    });
  });

  it("a model that Ollama does not have: the command that gets it", async () => {
    const body = { error: 'model "m" not found, try pulling it first' };
    const error = await failureWith(() => ({ status: 404, body }), "ollama");
    expect(error.retryable).toBe(false);
    expect(error.message).toContain("`ollama pull m`");
  });

  it.each([500, 502, 503, 529, 408])("a server that is down with %i: later", async (status) => {
    expect(await failureWith(() => ({ status, body: "<html>oops</html>" }))).toMatchObject({
      retryable: true,
    });
  });

  it("a redirect: never followed, for the key would go with it", async () => {
    const { server, embedder } = await start("openai");
    const elsewhere = await startEmbeddingServer("openai");
    cleanUps.push(() => elsewhere[Symbol.asyncDispose]());
    server.misbehave(() => ({
      status: 307,
      headers: { location: `${elsewhere.origin}/v1/embeddings` },
      body: "",
    }));
    const error = await failureOf(embedder);
    expect(error).toMatchObject({ retryable: false, text: { key: "embedder.failed.redirect" } });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each([
    ["a key", { apiKey: "sk-\nkey" }, "remote.apiKey"],
    ["the value of a header", { headers: { "X-Team": "caf\u{1F600}" } }, "remote.headers.X-Team"],
    ["the name of a header", { headers: { "X Team": "a" } }, "remote.headers.X Team"],
    ["an address", { baseUrl: "nowhere" }, "remote.baseUrl"],
    ["a protocol", { baseUrl: "ftp://127.0.0.1" }, "remote.baseUrl"],
  ])("%s that cannot be sent: not by itself, and which setting it is", async (_, spec, setting) => {
    const { embedder } = await start("openai", spec);
    const error = await failureOf(embedder);
    expect(error).toMatchObject({ retryable: false, text: { key: "embedder.failed.setting" } });
    expect(error.message).toContain(`agents.defaults.memorySearch.${setting} `);
    expect(error.message).not.toContain("key\n");
  });

  it("nobody at the address: later", async () => {
    const { server, embedder } = await start("ollama");
    await server[Symbol.asyncDispose]();
    const error = await failureOf(embedder);
    expect(error).toMatchObject({ retryable: true, text: { key: "embedder.failed.unreachable" } });
    expect(error.message).toContain(server.origin);
  });

  it("an answer that breaks off: later", async () => {
    const error = await failureWith((_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"data":[');
      response.socket?.end();
      return "answered";
    });
    expect(error.retryable).toBe(true);
  });

  it("no answer in time: later", async () => {
    const { server, embedder, clock } = await start("openai");
    const asked = Promise.withResolvers<void>();
    server.misbehave(() => {
      asked.resolve();
      return "answered";
    });
    const failed = failureOf(embedder);
    await asked.promise;
    await clock.advance(60_000);
    const error = await failed;
    expect(error.retryable).toBe(true);
    expect(error.message).toContain("no answer within 60 s");
  });

  it("trims what a server says, and keeps keys out of it in every form", async () => {
    const { server, embedder } = await start("compatible", { headers: { "x-token": "header-secret" } });
    server.misbehave(() => ({
      status: 422,
      body: `you sent ${key} and header-secret\n${"x".repeat(9_000)}`,
    }));
    const { message } = await failureOf(embedder);
    expect(message).not.toMatch(/very-secret|header-secret|\n/);
    expect(message.length).toBeLessThan(500);
  });

  it("a caller that stops waiting gets its own reason", async () => {
    const { server, embedder } = await start("openai");
    const control = new AbortController();
    const reason = new Error("the question was taken back");
    server.misbehave(() => {
      control.abort(reason);
      return "answered";
    });
    await expect(embedder.embed(["a"], "query", control.signal)).rejects.toBe(reason);
    await expect(embedder.embed(["a"], "query", control.signal)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it("a connection that the server closed meanwhile is noticed by nobody", async () => {
    const { server, embedder } = await start("openai");
    let connections = 0;
    server.misbehave((_, response) => {
      const socket = response.socket;
      // The first one is kept open by its promise, and closed when the second request arrives on it.
      if (connections++ === 1) socket?.resetAndDestroy();
      return connections === 2 ? "answered" : undefined;
    });
    await embedder.embed(["a"], "document", going);
    expectVectors(await embedder.embed(["b"], "document", going), ["b"]);
    expect(server.requests).toHaveLength(3);
  });
});
