import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowanceOf, type ModelLimits } from "./allowed-models.ts";

const limits = (given: Partial<ModelLimits>): ModelLimits => ({
  allowedProviders: [],
  allowedModels: [],
  ...given,
});
const ask = (reference: string, given: Partial<ModelLimits>) => {
  const [provider = "", ...rest] = reference.split("/");
  return allowanceOf({ provider, id: rest.join("/") }, limits(given));
};

describe("which models may be asked", () => {
  it("MODEL-05 are all of them without a list", () => {
    expect(ask("openai/gpt", {})).toEqual({ allowed: true });
  });

  it("MODEL-04 MODEL-05 are those of the named providers", () => {
    expect(ask("openai/gpt", { allowedProviders: ["openai"] })).toEqual({ allowed: true });
    expect(ask("groq/llama", { allowedProviders: ["openai"] })).toEqual({
      allowed: false,
      by: "allowedProviders",
    });
  });

  it.each([
    ["openai/gpt", true],
    ["openai/*", true],
    ["openai/g*", true],
    ["*/gpt", true],
    ["*", true],
    ["o*/g*t", true],
    ["openai", false],
    ["openai/gp", false],
    ["openai/gpt-5", false],
    ["openai/*x", false],
    ["openai/gpt*gpt", false],
    ["open.i/gpt", false],
  ])("MODEL-05 are those that a pattern fits: %s", (pattern, fits) => {
    expect(ask("openai/gpt", { allowedModels: [pattern] }).allowed).toBe(fits);
  });

  it("MODEL-05 must pass both lists", () => {
    const both = { allowedProviders: ["openai"], allowedModels: ["groq/*", "openai/gpt"] };
    expect(ask("openai/gpt", both).allowed).toBe(true);
    expect(ask("openai/o3", both)).toEqual({ allowed: false, by: "allowedModels" });
    expect(ask("groq/llama", both)).toEqual({ allowed: false, by: "allowedProviders" });
  });

  it("always include the stub, which asks nobody", () => {
    expect(ask("stub/stub", { allowedProviders: ["openai"], allowedModels: ["openai/gpt"] }).allowed).toBe(
      true,
    );
  });

  it("are found by a pattern as a regular expression would", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, id) => {
        const expression = new RegExp(`^${pattern.split("*").join(".*")}$`);
        expect(ask(`a/${id}`, { allowedModels: [pattern] }).allowed).toBe(expression.test(`a/${id}`));
      }),
    );
  });
});
