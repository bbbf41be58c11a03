import { describe, expect, it } from "vitest";
import { findKeysInEnvironment, readEnvironmentAuth } from "./environment-keys.ts";

describe("AUTH-12 keys in the environment", () => {
  it("are found by the variable that each provider has, one offer each", () => {
    const environment = {
      OPENAI_API_KEY: " sk-1 ",
      ANTHROPIC_API_KEY: "sk-2",
      ANTHROPIC_OAUTH_TOKEN: "tok",
      GEMINI_API_KEY: "",
      SOMETHING_API_KEY: "sk-3",
    };
    expect(findKeysInEnvironment(environment)).toEqual([
      { provider: "anthropic", variable: "ANTHROPIC_API_KEY", type: "api_key", secret: { key: "sk-2" } },
      { provider: "anthropic", variable: "ANTHROPIC_OAUTH_TOKEN", type: "token", secret: { token: "tok" } },
      { provider: "openai", variable: "OPENAI_API_KEY", type: "api_key", secret: { key: "sk-1" } },
    ]);
  });

  it("come with the account that they belong to", () => {
    const environment = { CLOUDFLARE_API_KEY: "sk-1", CLOUDFLARE_ACCOUNT_ID: "acc" };
    expect(readEnvironmentAuth("cloudflare-workers-ai", environment)).toEqual({
      apiKey: "sk-1",
      settings: { CLOUDFLARE_ACCOUNT_ID: "acc" },
    });
  });

  it("are not needed where the provider's library finds a login in files", () => {
    expect(readEnvironmentAuth("amazon-bedrock", {})).toEqual({});
    expect(readEnvironmentAuth("amazon-bedrock", { AWS_PROFILE: "work" })).toEqual({
      settings: { AWS_PROFILE: "work" },
    });
    expect(readEnvironmentAuth("openai", {})).toBeUndefined();
  });
});
