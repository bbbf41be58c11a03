import type { TextTable } from "./table.ts";

/** What is said when no model answered. */
export const callTexts = {
  "call.failed": { en: "{model}: {reason}.", zh: "{model}：{reason}。" },
  "call.all-failed": { en: "all models failed:", zh: "所有可用的模型都失败了：" },
  "call.no-credential": {
    en: "{model}: there is no credential for {provider}. Store one with `pincer auth login {provider}`; `pincer auth status` lists the stored ones.",
    zh: "{model}：没有 {provider} 的凭据。用 `pincer auth login {provider}` 保存一个；`pincer auth status` 显示已有的凭据。",
  },
  "call.hint.auth": {
    en: "The credential {credential} was rejected; `pincer auth login {provider}` stores another.",
    zh: "凭据 {credential} 被拒绝；用 `pincer auth login {provider}` 换一个。",
  },
  "call.hint.auth.none": {
    en: "It needs a credential, but there is none; `pincer auth login {provider}` stores one.",
    zh: "它需要凭据，但现在没有；用 `pincer auth login {provider}` 保存一个。",
  },
  "call.hint.billing": {
    en: "The account of {credential} has no credit or quota left; add some at {provider}, or use another one.",
    zh: "{credential} 所属账户的余额或配额已用完；请到 {provider} 处理，或改用其他凭据。",
  },
  "call.hint.billing.none": {
    en: "There is no credit or quota left; add some at {provider}.",
    zh: "余额或配额已用完；请到 {provider} 处理。",
  },
  "call.hint.rate": { en: "Pincer tries again from {until} on.", zh: "{until} 起会再次尝试。" },
  "call.hint.not-found": {
    en: "`pincer models list --provider {provider}` lists its models.",
    zh: "`pincer models list --provider {provider}` 显示它有哪些模型。",
  },
  "call.hint.unavailable": {
    en: "{address} does not answer; is the server running and the network up?",
    zh: "{address} 无人应答；服务器在运行吗？网络通吗？",
  },
  "call.hint.overflow": {
    en: "The conversation is too long for it; /new starts another.",
    zh: "对话对它来说太长了；用 /new 开始新的对话。",
  },
  "models.skipped.unknown": {
    en: "the fallback {reference} is unknown and skipped",
    zh: "备用模型 {reference} 未知，已略过",
  },
  "models.skipped.not-allowed": {
    en: "the fallback {reference} is not allowed and skipped",
    zh: "备用模型 {reference} 不被允许，已略过",
  },
  "usage.not-noted": {
    en: "the usage of a model could not be recorded: {reason}",
    zh: "无法记录模型用量：{reason}",
  },
} satisfies TextTable;
