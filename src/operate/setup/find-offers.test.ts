import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ollamaOrigin } from "./find-offers.ts";

describe("where an Ollama is said to be", () => {
  it("reads a port, a host or a whole address, as Ollama does", () => {
    expect(ollamaOrigin(undefined)).toBeUndefined();
    expect(ollamaOrigin(" ")).toBeUndefined();
    expect(ollamaOrigin("127.0.0.1")).toBe("http://127.0.0.1:11434");
    expect(ollamaOrigin(":11500")).toBe("http://127.0.0.1:11500");
    expect(ollamaOrigin("0.0.0.0:11500")).toBe("http://127.0.0.1:11500");
    expect(ollamaOrigin("http://localhost:8080/")).toBe("http://localhost:8080");
  });

  it("leads to this machine, or nowhere", () => {
    expect(ollamaOrigin("http://192.168.1.7:11434")).toBeUndefined();
    expect(ollamaOrigin("http://127.0.0.1.example.com")).toBeUndefined();
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.domain(), fc.string()), (given) => {
        const origin = ollamaOrigin(given);
        const host = origin === undefined ? "localhost" : new URL(origin).hostname;
        expect(host).toMatch(/^(127(\.\d+){3}|localhost|\[::1\])$/);
      }),
    );
  });
});
