import type { TextTable } from "./table.ts";

/** What is said when no model answered. */
export const callTexts = {
  "call.failed": { en: "{model}: {reason}.", zh: "{model}：{reason}。" },
  "call.all-failed": { en: "every model that may answer failed:", zh: "所有可用的模型都失败了：" },
  "call.no-credential": {
    en: "{model}: there is no credential for {provider}. Store one with `pincer auth login {provider}`; `pincer auth status` shows what there is.",
    zh: "{model}：没有 {provider} 的凭据。用 `pincer auth login {provider}` 保存一个；`pincer auth status` 显示已有的凭据。",
  },
  "call.hint.auth": {
    en: "The credential {credential} was refused; `pincer auth login {provider}` stores another.",
    zh: "凭据 {credential} 被拒绝；用 `pincer auth login {provider}` 换一个。",
  },
  "call.hint.auth.none": {
    en: "It wants a credential, and there is none; `pincer auth login {provider}` stores one.",
    zh: "它需要凭据，但现在没有；用 `pincer auth login {provider}` 保存一个。",
  },
  "call.hint.billing": {
    en: "The account behind {credential} has no credit or quota left; see to it at {provider}, or use another one.",
    zh: "{credential} 所属账户的余额或配额已用完；请到 {provider} 处理，或改用其他凭据。",
  },
  "call.hint.billing.none": {
    en: "There is no credit or quota left; see to it at {provider}.",
    zh: "余额或配额已用完；请到 {provider} 处理。",
  },
  "call.hint.rate": { en: "It is tried again from {until}.", zh: "{until} 起会再次尝试。" },
  "call.hint.not-found": {
    en: "`pincer models list --provider {provider}` shows what it has.",
    zh: "`pincer models list --provider {provider}` 显示它有哪些模型。",
  },
  "call.hint.unavailable": {
    en: "Nobody answers at {address}; is the server running, and the network there?",
    zh: "{address} 无人应答；服务器在运行吗？网络通吗？",
  },
  "call.hint.overflow": {
    en: "The conversation is too long for it; /new begins another.",
    zh: "对话对它来说太长了；用 /new 开始新的对话。",
  },
  "models.skipped.unknown": {
    en: "the fallback {reference} is not known and is left out",
    zh: "备用模型 {reference} 未知，已略过",
  },
  "models.skipped.not-allowed": {
    en: "the fallback {reference} is not allowed and is left out",
    zh: "备用模型 {reference} 不被允许，已略过",
  },
  "usage.not-noted": {
    en: "what a model used could not be written down: {reason}",
    zh: "无法记录模型用量：{reason}",
  },
} satisfies TextTable;
