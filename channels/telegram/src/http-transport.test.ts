import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpTransport } from "./http-transport.ts";

const transport = createHttpTransport();
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const opened = createServer(listener);
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}/bot123:SECRET/getMe`;
}

describe("HTTP as the Bot API needs it", () => {
  it("reads an answer up to its limit and no further", async () => {
    const url = await serve((_, response) => void response.end("x".repeat(1000)));
    expect((await transport.fetch(url, { limit: 1000 })).body).toHaveLength(1000);
    await expect(transport.fetch(url, { limit: 999 })).rejects.toMatchObject({ outcome: "too-large" });
  });

  it("says that nothing was sent where nobody listens, and where it was stopped before", async () => {
    const url = await serve((_, response) => void response.end());
    const stopped = transport.fetch(url, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ outcome: "not-sent" });
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    const refused = transport.fetch(url);
    await expect(refused).rejects.toMatchObject({ outcome: "not-sent" });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("SECRET") });
  });

  it("says that nobody knows where the connection ended after the request had left", async () => {
    const url = await serve((request) => request.socket.destroy());
    await expect(transport.fetch(url, { method: "POST", body: "{}" })).rejects.toMatchObject({
      outcome: "unknown",
    });
  });

  it("does not take half an answer for a whole one", async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{}", () => request.socket.end());
    });
    await expect(transport.fetch(url)).rejects.toMatchObject({ outcome: "unknown" });
  });

  it("sends a stream, and gives it up with the request", async () => {
    const url = await serve((request, response) => void request.pipe(response));
    const chunks = ["one ", "two"].map((text) => Buffer.from(text));
    const body = ReadableStream.from(chunks);
    expect((await transport.fetch(url, { method: "POST", body })).body.toString()).toBe("one two");
    const stopping = new AbortController();
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(10)),
      cancel: () => cancel(),
    });
    const sending = transport.fetch(url, {
      method: "POST",
      body: endless,
      signal: stopping.signal,
      limit: 1e9,
    });
    setImmediate(() => stopping.abort());
    await expect(sending).rejects.toMatchObject({ message: "stopped while waiting" });
    await cancelled;
  });
});
