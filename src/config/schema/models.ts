import { Type } from "typebox";
import {
  addressText,
  choice,
  count,
  described,
  flag,
  listedText,
  named,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

const price = (en: string, zh: string) => Type.Number({ ...described(en, zh), default: 0 });

const modelSection = section("One model of the provider.", "该提供方的一个模型。", {
  id: text("Name that the provider knows it by.", "提供方使用的名称。"),
  name: Type.Optional(text("Name to show.", "显示名称。")),
  contextWindow: Type.Optional(
    count("Tokens that fit into a request.", "一次请求可容纳的 token 数。", { minimum: 1 }),
  ),
  maxTokens: Type.Optional(
    count("Tokens that an answer may have.", "一次回答最多的 token 数。", { minimum: 1 }),
  ),
  reasoning: Type.Optional(flag("Whether it can think before it answers.", "能否先思考再回答。")),
  input: Type.Optional(texts('What it reads: "text", "image".', "可读取的内容：“text”、“image”。")),
  cost: Type.Optional(
    section("What it costs.", "费用。", {
      input: price("Price of input, per million tokens.", "输入价格，每百万 token。"),
      output: price("Price of output, per million tokens.", "输出价格，每百万 token。"),
      cacheRead: price(
        "Price of input read from the cache, per million tokens.",
        "从缓存读取的输入价格，每百万 token。",
      ),
      cacheWrite: price(
        "Price of input written to the cache, per million tokens.",
        "写入缓存的输入价格，每百万 token。",
      ),
    }),
  ),
  compat: Type.Optional(
    named(
      "Switches for servers that deviate from the protocol.",
      "用于不完全符合协议的服务器的开关。",
      Type.Unknown(),
    ),
  ),
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

const providerSection = section("One vendor or server of models.", "一个模型厂商或服务器。", {
  baseUrl: Type.Optional(addressText("Address of its API.", "其 API 的地址。")),
  apiKey: Type.Optional(secretText("Key for its API.", "其 API 的密钥。")),
  api: Type.Optional(
    listedText(
      'Protocol, such as "openai-completions" or "anthropic-messages".',
      "协议，例如“openai-completions”或“anthropic-messages”。",
      wireFormats,
    ),
  ),
  headers: Type.Optional(
    named(
      "Headers to send with each request.",
      "每个请求附带的请求头。",
      Type.String({ ...described("Value of the header.", "请求头的值。"), secret: true }),
    ),
  ),
  timeoutMs: Type.Optional(
    count("How long to wait for a response, in milliseconds.", "等待响应迹象的时间，毫秒。", {
      minimum: 1,
    }),
  ),
  environment: Type.Optional(
    flag(
      "Whether to use the credential from the environment (AWS profile, gcloud login).",
      "是否使用环境中已有的凭据（AWS 配置、gcloud 登录）。",
    ),
  ),
  models: Type.Array(modelSection, {
    ...described("Its models.", "它提供的模型。"),
    default: [],
  }),
});

export const modelsSection = section(
  "Where models come from, and how requests are made.",
  "模型来自何处，如何请求。",
  {
    providers: named(
      "Providers by name; a model is written provider/model.",
      "按名称列出的提供方；模型写作 provider/model。",
      providerSection,
      {
        default: {},
      },
    ),
    discover: flag(
      "Whether to look for Ollama and LM Studio on this machine.",
      "是否在本机查找 Ollama 和 LM Studio。",
      { default: true },
    ),
    allowedProviders: texts("Only these providers are used; empty: all.", "只请求这些提供方；为空则不限。", {
      default: [],
    }),
    allowedModels: texts(
      'Only these models are used, as provider/model or "provider/*"; empty: all.',
      "只请求这些模型，写作 provider/model 或“provider/*”；为空则不限。",
      { default: [] },
    ),
    attempts: count(
      "How often a request is tried if it fails with a temporary error.",
      "请求暂时失败时最多尝试几次。",
      { minimum: 1, maximum: 10, default: 3 },
    ),
    idleTimeoutMs: count("How long an answer may pause, in milliseconds.", "回答可沉默多久，毫秒。", {
      minimum: 1,
      default: 120_000,
    }),
    totalTimeoutMs: count("How long one answer may take, in milliseconds.", "一次回答最长时间，毫秒。", {
      minimum: 1,
      default: 600_000,
    }),
    maxArgumentsBytes: count(
      "Maximum size of the arguments of one tool call, in bytes.",
      "单次工具调用参数的最大字节数。",
      { minimum: 1000, default: 2_000_000 },
    ),
    cacheRetention: choice(
      "How long providers are asked to cache the beginning of a request.",
      "请求提供方将请求开头缓存多久。",
      ["none", "short", "long"],
      { default: "short" },
    ),
  },
);

const credentialSection = section("One credential.", "一个凭据。", {
  provider: text("Provider that it is for.", "所属的提供方。"),
  mode: Type.Optional(choice("Kind of credential.", "凭据的种类。", ["api_key", "token", "oauth"])),
  email: Type.Optional(text("Account that it belongs to.", "所属的账号。")),
  apiKey: Type.Optional(secretText("The key, if the mode is api_key.", "密钥，用于 mode 为 api_key 时。")),
  token: Type.Optional(secretText("The token, if the mode is token.", "令牌，用于 mode 为 token 时。")),
});

const pause = (en: string, zh: string, value: number) => count(en, zh, { minimum: 1, default: value });
const factor = (en: string, zh: string, value: number) =>
  Type.Number({ ...described(en, zh), minimum: 1, maximum: 100, default: value });

export const authSection = section(
  "Credentials and the order in which they are tried.",
  "凭据及其尝试顺序。",
  {
    order: named(
      "By provider: credentials in the order to try them.",
      "按提供方：凭据的尝试顺序。",
      texts("Names of credentials, in the order in which they are tried.", "凭据名称，先试的在前。"),
      { default: {} },
    ),
    profiles: named("Credentials by name.", "按名称列出的凭据。", credentialSection, {
      default: {},
    }),
    cooldowns: section("Cooldown of a credential after a failure.", "凭据失败后的冷却时间。", {
      baseMs: pause("After its first failure, in milliseconds.", "首次失败后，毫秒。", 5 * 60_000),
      factor: factor("How much longer after each further failure.", "之后每次失败延长的倍数。", 5),
      maxMs: pause("At most, in milliseconds.", "最长，毫秒。", 3_600_000),
      billingBaseMs: pause(
        "After its first refusal for lack of money or quota, in milliseconds.",
        "首次因余额或配额不足被拒后，毫秒。",
        30 * 60_000,
      ),
      billingFactor: factor(
        "How much longer after each further such refusal.",
        "之后每次此类拒绝延长的倍数。",
        2,
      ),
      billingMaxMs: pause(
        "At most, for lack of money or quota, in milliseconds.",
        "因余额或配额不足时最长，毫秒。",
        24 * 3_600_000,
      ),
    }),
  },
);
