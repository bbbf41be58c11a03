import { describe, expect, it } from "vitest";
import { HttpHeaders } from "../../infra/http-headers.ts";
import { createExchange } from "./exchange.ts";

describe("an exchange", () => {
  it("hands on a refusal that must not have a body, and keeps it as evidence", async () => {
    const fetch = async () => new Response(null, { status: 304, headers: { "x-a": "b" } });
    const exchange = createExchange({ fetch, onBytes: () => undefined });
    expect((await exchange.fetch("http://x/")).status).toBe(304);
    expect(exchange.evidence()).toEqual({ status: 304, headers: { "x-a": "b" }, body: "" });
    expect([exchange.isSent(), exchange.isTaken()]).toEqual([true, false]);
  });

  it("sends the headers that may go out, and leaves those that it was given as they were", async () => {
    let sent: unknown;
    const fetch = async (_: unknown, init?: RequestInit) => {
      sent = Object.fromEntries(init?.headers as Headers);
      return new Response("");
    };
    const passesHeader = (_: string, value: string) => value !== "none";
    const exchange = createExchange({ fetch, passesHeader, onBytes: () => undefined });
    const given = { "X-Stainless-OS": "Linux", Authorization: "none", "X-Own": "1", Accept: "a" };
    for (const headers of [given, Object.entries(given), new HttpHeaders(given)]) {
      await exchange.fetch("http://x/", { headers: headers as Record<string, string> });
      expect(sent).toEqual({ accept: "a", "x-own": "1" });
    }
    const headers = new HttpHeaders(given);
    await exchange.fetch("http://x/", { headers });
    expect([...headers.keys()]).toHaveLength(4);
    await exchange.fetch("http://x/");
    expect(sent).toEqual({});
  });

  it("sends the body that was written for it, else the one that it is given", async () => {
    const sent: unknown[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      sent.push(init?.body);
      return new Response("");
    };
    const written = ["written"];
    const exchange = createExchange({ fetch, body: () => written.shift(), onBytes: () => undefined });
    await exchange.fetch("http://x/", { method: "POST", body: "given" });
    await exchange.fetch("http://x/", { method: "POST", body: "given" });
    expect(sent).toEqual(["written", "given"]);
  });

  it("keeps the beginning of what is no stream of events, and of a stream nothing", async () => {
    const of = async (text: string) => {
      const exchange = createExchange({ fetch: async () => new Response(text), onBytes: () => undefined });
      await (await exchange.fetch("http://x/")).text();
      return exchange.evidence().body;
    };
    expect(await of(` \n[${"x".repeat(100_000)}`)).toHaveLength(64 * 1024);
    expect(await of('data: {"a":1}\n\n')).toBeUndefined();
  });

  it("reads no further once nobody wants more, though the fetch would", async () => {
    let cancelled: unknown;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")),
      cancel: (reason) => void (cancelled = reason),
    });
    const exchange = createExchange({ fetch: async () => new Response(body), onBytes: () => undefined });
    const over = new AbortController();
    const response = await exchange.fetch("http://x/", { signal: over.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    over.abort("enough");
    await expect(reader?.read()).rejects.toBe("enough");
    expect(cancelled).toBe("enough");
  });
});
