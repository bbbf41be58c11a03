import { describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import { setupMethods } from "./setup-methods.ts";

const takes = (method: keyof typeof setupMethods, params: unknown) =>
  Check(setupMethods[method].params, params);

describe("what the first run may be asked", () => {
  it("CLI-19 takes a provider by a plain name, an address over HTTP, and a key of a sane length", () => {
    expect(takes("setup.tryModel", { provider: "anthropic", key: "k" })).toBe(true);
    expect(
      takes("setup.tryModel", { provider: "mine", baseUrl: "http://127.0.0.1:8000/v1", write: false }),
    ).toBe(true);
    for (const provider of ["", "__proto__", "../up", "A", "a b", "a/b", "x".repeat(65)])
      expect(takes("setup.tryModel", { provider })).toBe(false);
    for (const baseUrl of ["file:///etc/passwd", "//host", "", `http://${"x".repeat(3000)}`])
      expect(takes("setup.tryModel", { provider: "mine", baseUrl })).toBe(false);
    expect(takes("setup.tryModel", { provider: "mine", key: "x".repeat(8193) })).toBe(false);
    expect(takes("setup.tryModel", { provider: "mine", more: 1 })).toBe(false);
  });

  it("bounds ids, names and steps", () => {
    expect(takes("setup.take", { id: "x".repeat(201) })).toBe(false);
    expect(takes("setup.take", { id: "server:ollama", model: "" })).toBe(false);
    expect(takes("setup.name", { name: "x".repeat(61) })).toBe(false);
    expect(takes("setup.name", { name: "" })).toBe(false);
    expect(takes("setup.done", { step: "kitchen" })).toBe(false);
    expect(takes("setup.done", { step: "channel" })).toBe(true);
  });
});
