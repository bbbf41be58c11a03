import type { TextTable } from "./table.ts";

/** Why the prompt says what it says. */
export const promptTexts = {
  "prompt.identity.config": {
    en: "who it is: from systemPrompt in the config",
    zh: "它是谁：来自配置中的 systemPrompt",
  },
  "prompt.identity.workspace": {
    en: "who it is: from .agent/system-prompt.md",
    zh: "它是谁：来自 .agent/system-prompt.md",
  },
  "prompt.identity.built-in": { en: "who it is: built in", zh: "它是谁：内置" },
  "prompt.time": {
    en: "the time zone of the person; the time itself is with each message",
    zh: "用户的时区；时间本身附在每条消息上",
  },
  "prompt.messaging": { en: "how to answer on {channel}", zh: "如何在 {channel} 上回答" },
  "prompt.messaging.none": {
    en: "how to stay silent; nobody is on a channel",
    zh: "如何不作回答；没有人在频道上",
  },
  "prompt.tooling": {
    en: "how to use its {count} tools; their definitions are a separate part of the request",
    zh: "如何使用它的 {count} 个工具；工具的定义另在请求中",
  },
  "prompt.tooling.none": { en: "the model sees no tool", zh: "没有向模型提供工具" },
  "prompt.workspace": { en: "where it works, and as which agent", zh: "在哪里工作，以哪个智能体的身份" },
  "prompt.recall": { en: "it has tools for memory", zh: "它有记忆工具" },
  "prompt.recall.read": { en: "it can read memory files", zh: "它可以读取记忆文件" },
  "prompt.skills": { en: "skills in the workdir: {count}", zh: "工作目录中的技能：{count}" },
  "prompt.files": { en: "in the workdir: {names}", zh: "工作目录中：{names}" },
  "prompt.rules": {
    en: "rules of the owner, in every prompt: {count}, enforced: {enforced}",
    zh: "所有者的规则，每次提示都有：{count} 条，其中强制执行 {enforced} 条",
  },
  "prompt.memory": { en: "memory files: {names}", zh: "记忆文件：{names}" },
  "prompt.session-memory": {
    en: "the session keeps a memory: {name}",
    zh: "此会话保留记忆：{name}",
  },
  "prompt.nothing": { en: "nothing could be used", zh: "没有可用的内容" },
  "prompt.left-out": { en: "{why}; skipped: {names}", zh: "{why}；未采用：{names}" },
  "prompt.left-out.one": { en: "{name} ({reason})", zh: "{name}（{reason}）" },
  "prompt.left-out.more": { en: "{count} more", zh: "另有 {count} 个" },
} satisfies TextTable;
