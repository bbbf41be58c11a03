import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createJsonAsker } from "./ask-json.ts";
import { findOllama } from "./find-ollama.ts";

const going = new AbortController().signal;

async function serve(body: string, status = 200) {
  const server = createServer((_, response) => void response.writeHead(status).end(body)).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

it("takes no answer without end", async () => {
  await using server = await serve("x".repeat(200_000));
  const asker = createJsonAsker({ maxBytes: 100_000 });
  await expect(asker.ask({ url: server.url, headers: {}, timeoutMs: 60_000, signal: going })).rejects.toThrow(
    RangeError,
  );
  asker.close();
});

it("keeps a connection for the next question, and gives it up when it is closed", async () => {
  const ports: unknown[] = [];
  const server = createServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asker = createJsonAsker();
  for (const body of [1, 2]) await asker.ask({ url, headers: {}, body, timeoutMs: 60_000, signal: going });
  expect(new Set(ports).size).toBe(1);
  asker.close();
  asker.close();
  // Resolves only when no connection is left.
  server.close();
  await once(server, "close");
});

it("finds an Ollama and the names of its models", async () => {
  const models = [{ name: "nomic-embed-text:latest", size: 274_302_450 }, { name: "llama3.2:latest" }, {}];
  await using server = await serve(JSON.stringify({ models }));
  expect(await findOllama(going, server.url)).toEqual({
    baseUrl: server.url,
    models: ["nomic-embed-text:latest", "llama3.2:latest"],
  });
});

it.each(["<html>", "null", '{"models":7}'])("takes a server that says %s for no Ollama", async (body) => {
  await using server = await serve(body);
  expect(await findOllama(going, server.url)).toBeUndefined();
});

it("finds no Ollama where nobody listens", async () => {
  const server = await serve("");
  await server[Symbol.asyncDispose]();
  expect(await findOllama(going, server.url)).toBeUndefined();
});
