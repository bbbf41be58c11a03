import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import { choice, count, flag, named, secretText, section, text, texts } from "./keys.ts";

const price = (what: string) =>
  Type.Number({ description: `Price of ${what}, per million tokens.`, default: 0 });

const modelSection = section("One model of the provider.", {
  id: text("Name that the provider knows it by."),
  name: Type.Optional(text("Name to show.")),
  contextWindow: Type.Optional(count("Tokens that fit into a request.", { minimum: 1 })),
  maxTokens: Type.Optional(count("Tokens that an answer may have.", { minimum: 1 })),
  reasoning: Type.Optional(flag("Whether it can think before it answers.")),
  input: Type.Optional(texts('What it reads: "text", "image".')),
  cost: Type.Optional(
    section("What it costs.", {
      input: price("input"),
      output: price("output"),
      cacheRead: price("input read from the cache"),
      cacheWrite: price("input written to the cache"),
    }),
  ),
  compat: Type.Optional(named("Switches for servers that deviate from the protocol.", Type.Unknown())),
});

const providerSection = section("One vendor or server of models.", {
  baseUrl: Type.Optional(text("Address of its API.")),
  apiKey: Type.Optional(secretText("Key for its API.")),
  api: Type.Optional(text('Protocol, such as "openai-completions" or "anthropic-messages".')),
  headers: Type.Optional(
    named(
      "Headers to send with each request.",
      Type.String({ description: "Value of the header.", secret: true }),
    ),
  ),
  timeoutMs: Type.Optional(count("How long to wait for a sign of life, in milliseconds.", { minimum: 1 })),
  models: Type.Array(modelSection, { description: "The models that it offers.", default: [] }),
});

export const modelsSection = section("Where models come from.", {
  providers: named("Providers by name; a model is written provider/model.", providerSection, {
    default: defaultConfig.models.providers,
  }),
});

const credentialSection = section("One credential.", {
  provider: text("Provider that it is for."),
  mode: Type.Optional(choice("Kind of credential.", ["api_key", "token", "oauth"])),
  email: Type.Optional(text("Account that it belongs to.")),
  apiKey: Type.Optional(secretText("The key, where the mode is api_key.")),
  token: Type.Optional(secretText("The token, where the mode is token.")),
});

export const authSection = section("Credentials and the order in which they are tried.", {
  order: named(
    "By provider: credentials in the order to try them.",
    texts("Names of credentials, the first to try first."),
    { default: defaultConfig.auth.order },
  ),
  profiles: named("Credentials by name.", credentialSection, { default: defaultConfig.auth.profiles }),
});
