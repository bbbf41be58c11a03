import { describe, expect, it } from "vitest";
import { hideSecrets } from "./hide-secrets.ts";

describe("a secret", () => {
  it.each<[string, string, string]>([
    ["as it is", "my-own-key", "my-own-key"],
    ["behind Bearer", "Bearer my-own-key", "my-own-key"],
    ["behind bearer, with more space", "bearer   my-own-key", "my-own-key"],
    ["behind Basic", "Basic bWU6bXktb3duLWtleQ==", "bWU6bXktb3duLWtleQ=="],
    ["unwrapped from Basic", "Basic bWU6bXktb3duLWtleQ==", "my-own-key"],
    ["behind Token", "Token my-own-key", "my-own-key"],
    ["in an address", "my/own+key", "my%2Fown%2Bkey"],
    ["in JSON", 'my"own"key', String.raw`my\"own\"key`],
  ])("is hidden %s", (_, secret, shown) => {
    expect(hideSecrets(`the key ${shown}, again ${shown}.`, [secret])).toBe("the key …, again ….");
  });

  it("is hidden whole where another one is its beginning", () => {
    expect(hideSecrets("see my-own-key-2", ["my-own-key", "my-own-key-2"])).toBe("see …");
  });

  it("that is too short to be one is left alone", () => {
    expect(hideSecrets("a model is a model", ["model", "", undefined])).toBe("a model is a model");
  });

  it.each([
    "sk-proj-abcdefgh1234",
    "sk-ant-api03-abcdefgh",
    "gsk_abcdefgh1234",
    "xai-abcdefgh1234",
    "AIzaSyA1234567890",
    "ya29.a0AfH6SMB",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def-1",
    "Bearer abcdefgh1234",
    "Basic bWU6bXktb3duLWtleQ==",
    "abcd****wxyz",
    "****wxyz",
  ])("that nobody named is known by its looks: %s", (secret) => {
    expect(hideSecrets(`the key ${secret} is wrong`, [])).toBe("the key … is wrong");
  });

  it("is known by its place in an address", () => {
    expect(hideSecrets("GET https://x.example/v1?key=abc&b=1 failed", [])).toBe(
      "GET https://x.example/v1?key=…&b=1 failed",
    );
  });

  it("is not seen in words", () => {
    const words = "The task-force risk-assessment of basic authentication: a bearer token is **required**.";
    expect(hideSecrets(words, [])).toBe(words);
  });
});
