import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import {
  addressText,
  choice,
  count,
  flag,
  listedText,
  named,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

const price = (what: string) =>
  Type.Number({ description: `Price of ${what}, per million tokens.`, default: 0 });

const defaults = defaultConfig.models;

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

/** What can be spoken with a server; who speaks them is in `models`. */
export const wireFormats = [
  "anthropic-messages",
  "azure-openai-responses",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
  "mistral-conversations",
  "openai-codex-responses",
  "openai-completions",
  "openai-responses",
  "pi-messages",
];

const providerSection = section("One vendor or server of models.", {
  baseUrl: Type.Optional(addressText("Address of its API.")),
  apiKey: Type.Optional(secretText("Key for its API.")),
  api: Type.Optional(
    listedText('Protocol, such as "openai-completions" or "anthropic-messages".', wireFormats),
  ),
  headers: Type.Optional(
    named(
      "Headers to send with each request.",
      Type.String({ description: "Value of the header.", secret: true }),
    ),
  ),
  timeoutMs: Type.Optional(count("How long to wait for a sign of life, in milliseconds.", { minimum: 1 })),
  environment: Type.Optional(
    flag("Whether to take the credential that the environment has (AWS profile, gcloud login)."),
  ),
  models: Type.Array(modelSection, { description: "The models that it offers.", default: [] }),
});

export const modelsSection = section("Where models come from, and how they are asked.", {
  providers: named("Providers by name; a model is written provider/model.", providerSection, {
    default: defaults.providers,
  }),
  discover: flag("Whether to look for Ollama and LM Studio on this machine.", { default: defaults.discover }),
  allowedProviders: texts("Only these providers are asked; empty: all.", {
    default: defaults.allowedProviders,
  }),
  allowedModels: texts('Only these models are asked, as provider/model or "provider/*"; empty: all.', {
    default: defaults.allowedModels,
  }),
  attempts: count("How often one request is tried when it fails for the moment only.", {
    minimum: 1,
    maximum: 10,
    default: defaults.attempts,
  }),
  idleTimeoutMs: count("How long an answer may be silent, in milliseconds.", {
    minimum: 1,
    default: defaults.idleTimeoutMs,
  }),
  totalTimeoutMs: count("How long one answer may take, in milliseconds.", {
    minimum: 1,
    default: defaults.totalTimeoutMs,
  }),
  maxArgumentsBytes: count("The most that the arguments of one tool call may have.", {
    minimum: 1000,
    default: defaults.maxArgumentsBytes,
  }),
  cacheRetention: choice(
    "How long providers are asked to keep the beginning of a request.",
    ["none", "short", "long"],
    {
      default: defaults.cacheRetention,
    },
  ),
});

const credentialSection = section("One credential.", {
  provider: text("Provider that it is for."),
  mode: Type.Optional(choice("Kind of credential.", ["api_key", "token", "oauth"])),
  email: Type.Optional(text("Account that it belongs to.")),
  apiKey: Type.Optional(secretText("The key, where the mode is api_key.")),
  token: Type.Optional(secretText("The token, where the mode is token.")),
});

const { cooldowns } = defaultConfig.auth;
const pause = (when: string, value: number) =>
  count(`${when}, in milliseconds.`, { minimum: 1, default: value });
const factor = (description: string, value: number) =>
  Type.Number({ description, minimum: 1, maximum: 100, default: value });

export const authSection = section("Credentials and the order in which they are tried.", {
  order: named(
    "By provider: credentials in the order to try them.",
    texts("Names of credentials, the first to try first."),
    { default: defaultConfig.auth.order },
  ),
  profiles: named("Credentials by name.", credentialSection, { default: defaultConfig.auth.profiles }),
  cooldowns: section("How long a credential that failed is set aside.", {
    baseMs: pause("After its first failure", cooldowns.baseMs),
    factor: factor("How much longer after each further one.", cooldowns.factor),
    maxMs: pause("At most", cooldowns.maxMs),
    billingBaseMs: pause("After its first refusal for lack of money or quota", cooldowns.billingBaseMs),
    billingFactor: factor("How much longer after each further such refusal.", cooldowns.billingFactor),
    billingMaxMs: pause("At most, for lack of money or quota", cooldowns.billingMaxMs),
  }),
});
