import type { TextTable } from "./table.ts";

/** What the owner's words granted, said by every surface; `packages/sdk/src/granted.ts` puts the parts together. */
export const grantedTexts = {
  "granted.by.planner": { en: "You asked for: {what}", zh: "你要求：{what}" },
  "granted.by.mark": { en: "You marked: {what}", zh: "你标记了：{what}" },
  "granted.by.card": { en: "You said yes to: {what}", zh: "你同意了：{what}" },
  "granted.by.standing": { en: "You allowed until you revoke it: {what}", zh: "你已长期允许：{what}" },
  "granted.write": { en: "write to {who}", zh: "写给 {who}" },
  "granted.send": { en: "send something to {where}", zh: "向 {where} 发送内容" },
  "granted.use": { en: "use {tool}", zh: "使用 {tool}" },
  "granted.use-with": { en: "use {tool} with {who}", zh: "对 {who} 使用 {tool}" },
  "granted.telling": { en: "with the content of {sources}", zh: "可告知其中的内容：{sources}" },
  "granted.once": { en: "once", zh: "一次" },
  "granted.times": { en: "{count} times", zh: "{count} 次" },
  "granted.between": { en: ", ", zh: "，" },
  "granted.used-once": { en: "used once", zh: "已用一次" },
  "granted.used": { en: "used {count} times", zh: "已用 {count} 次" },
  "granted.unused": { en: "not used", zh: "尚未使用" },
  "granted.planner.failed": {
    en: "What you asked for could not be read: {reason}",
    zh: "无法读取你要求了什么：{reason}",
  },
  "granted.planner.not-needed": {
    en: "Nothing in this turn needed a grant.",
    zh: "这一轮中没有任何操作需要授权。",
  },
  "granted.worded": {
    en: "Texts worded anew from your words and what may be told: {count}",
    zh: "按你的话和可告知的内容重新措辞的文本：{count} 份",
  },
} as const satisfies TextTable;
