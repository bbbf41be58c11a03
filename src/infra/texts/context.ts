import type { TextTable } from "./table.ts";

/** What a request would hold, and summing a session up by hand. */
export const contextTexts = {
  "context.about": { en: "what the model is shown", zh: "助手被告知了什么" },
  "context.show": {
    en: "the parts of a session's next request: how large each is, and why it is there",
    zh: "会话下一次请求的各个部分：各有多大，为何在其中",
  },
  "context.session": {
    en: "session key or id (default: the main session)",
    zh: "会话键或 id；不填则为主会话",
  },
  "context.agent": { en: "the main session of this agent", zh: "此智能体的主会话" },
  "context.text": { en: "print the text of one part", zh: "输出某一部分的文本" },
  "context.column.part": { en: "part", zh: "部分" },
  "context.column.tokens": { en: "tokens", zh: "token" },
  "context.column.why": { en: "why", zh: "原因" },
  "context.kind.prompt": { en: "prompt", zh: "提示" },
  "context.kind.tools": { en: "tools", zh: "工具" },
  "context.kind.history": { en: "history", zh: "历史" },
  "context.count": { en: "messages: {count}", zh: "{count} 条消息" },
  "context.entries": { en: "#{from}–#{to}", zh: "#{from}–#{to}" },
  "context.total": { en: "total", zh: "合计" },
  "context.head": {
    en: "{sessionKey} ({sessionId}), agent {agentId}, {model}",
    zh: "{sessionKey}（{sessionId}），智能体 {agentId}，{model}",
  },
  "context.nothing-said": { en: "nothing said yet", zh: "尚无内容" },
  "context.window": {
    en: "Window: {used} of {window} tokens, {share} full; an answer may use {answer}.",
    zh: "窗口：{used} / {window} 个 token，已用 {share}；回答最多 {answer}。",
  },
  "context.unshortened": {
    en: "Without shortening: about {tokens} tokens.",
    zh: "若不缩短，约为 {tokens} 个 token。",
  },
  "context.as-counted": {
    en: "By the provider's count: about {tokens} tokens.",
    zh: "按提供方的计数，约为 {tokens} 个 token。",
  },
  "context.flush-at": {
    en: "Above {tokens} tokens the assistant first takes notes of what must not be forgotten.",
    zh: "达到 {tokens} 个 token 时，助手会先记下不能忘记的内容。",
  },
  "context.compact-at": {
    en: "Above {tokens} tokens the conversation is summarised.",
    zh: "达到 {tokens} 个 token 时，会总结已说的内容。",
  },
  "context.compact-off": {
    en: "The conversation is not summarised automatically; use `pincer sessions compact` or /compact.",
    zh: "不会自动总结；可用 `pincer sessions compact` 或 /compact。",
  },
  "context.no-part": {
    en: "There is no part {part} with its own text.",
    zh: "这里没有带文本的部分 {part}。",
  },
  "context.no-part.hint": { en: "Available parts: {known}", zh: "可选：{known}" },
  "context.no-session.hint": {
    en: "`pincer sessions list` lists all sessions; without a name the main session is shown.",
    zh: "用 `pincer sessions list` 查看有哪些会话；不填名称则显示主会话。",
  },
  "sessions.compact": {
    en: "summarise a session to free space; nothing is deleted",
    zh: "总结已说的内容以腾出空间；不删除任何内容",
  },
  "sessions.compact.instructions": {
    en: "what the summary must keep, in your words",
    zh: "总结必须保留的内容，用你自己的话说",
  },
  "ask.context": {
    en: "how much the model is shown: full, minimal, none, lite or custom",
    zh: "告知助手多少：full、minimal、none、lite 或 custom",
  },
  "ask.context.not": {
    en: "{value} is not one of full, minimal, none, lite, custom.",
    zh: "{value} 不是 full、minimal、none、lite、custom 之一。",
  },
  "context.brief": {
    en: "My next request holds about {used} of {window} tokens ({share}):",
    zh: "下一次请求约有 {used} / {window} 个 token（{share}）：",
  },
  "context.owner-only": {
    en: "Only my owner may see what I am told.",
    zh: "只有我的所有者可以查看我看到的内容。",
  },
  "context.tools": {
    en: "the definitions of {count} tools that the model may call",
    zh: "模型可以调用的 {count} 个工具的定义",
  },
} satisfies TextTable;
