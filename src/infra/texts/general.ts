import type { TextTable } from "./table.ts";

export const generalTexts = {
  "error.prefix": { en: "pincer: {message}", zh: "pincer：{message}" },
  "error.hint": { en: "  → {hint}", zh: "  → {hint}" },
  "help.about": {
    en: "Your own assistant: it answers in your chats, runs tools under a policy, and loses no message.",
    zh: "你自己的助手：在你聊天的地方作答，在策略约束下运行工具，什么都不会丢。",
  },
  "help.version": { en: "print the version", zh: "显示版本" },
  "help.help": { en: "show help", zh: "显示帮助" },
  "help.command": { en: "show help for a command", zh: "显示某个命令的帮助" },
  "help.json": { en: "print one JSON document", zh: "输出一个 JSON 文档" },
  "help.more": {
    en: 'Start with `pincer chat`, or `pincer ask "hello"`. `pincer <command> --help` explains each command.',
    zh: '从 `pincer chat` 或 `pincer ask "你好"` 开始。`pincer <命令> --help` 说明每个命令。',
  },
  "usage.whole-number": { en: "a whole number of at least 1 is needed.", zh: "需要不小于 1 的整数。" },
  "help.title.usage": { en: "Usage:", zh: "用法：" },
  "help.title.options": { en: "Options:", zh: "选项：" },
  "help.title.commands": { en: "Commands:", zh: "命令：" },
  "help.group.everyday": { en: "Every day:", zh: "日常：" },
  "help.group.conversations": { en: "Conversations:", zh: "对话：" },
  "help.group.settings": { en: "Settings:", zh: "设置：" },
  "help.group.people": { en: "People and permissions:", zh: "人员与权限：" },
  "help.group.upkeep": { en: "Upkeep and records:", zh: "维护与记录：" },
  "help.title.arguments": { en: "Arguments:", zh: "参数：" },
} satisfies TextTable;
