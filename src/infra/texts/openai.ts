/** What programs that speak OpenAI's API are told when it does not work. */
import type { TextTable } from "./table.ts";

export const openAiTexts = {
  "openai.tool-clash": {
    en: "The tool {name} has the name of one of the agent's own tools.",
    zh: "工具 {name} 与助手自己的工具同名。",
  },
  "openai.tool-clash.hint": {
    en: "Give your tool another name.",
    zh: "请为你的工具换一个名称。",
  },
  "openai.bad-field": { en: "{param} is not valid: {reason}.", zh: "{param} 不符合要求：{reason}。" },
  "openai.unsupported": {
    en: "{param} is not supported here. Leave it out.",
    zh: "此处不支持 {param}，请去掉它。",
  },
  "openai.image-address": {
    en: "{param}: images must be data: URLs; addresses are not fetched.",
    zh: "{param}：图片只接受 data: URL，不会抓取网址。",
  },
  "openai.image-type": {
    en: "{param} is not a PNG, JPEG, GIF or WebP image in base64.",
    zh: "{param} 不是 base64 编码的 PNG、JPEG、GIF 或 WebP 图片。",
  },
  "openai.no-call": {
    en: "{param}: there is no earlier tool call with the id {id}.",
    zh: "{param}：之前没有 id 为 {id} 的工具调用。",
  },
  "openai.nothing-new": {
    en: "{param}: there is nothing to answer after the last assistant message. End with a user or tool message.",
    zh: "{param}：最后一条 assistant 消息之后没有需要回答的内容。请以 user 或 tool 消息结尾。",
  },
  "openai.no-model": {
    en: "The model {model} does not exist here, or you may not use it. GET /v1/models lists the models.",
    zh: "此处没有模型 {model}，或你无权使用。GET /v1/models 会列出可用的模型。",
  },
  "openai.other-agent": {
    en: "The session {session} belongs to the agent {agentId}, but model names another one.",
    zh: "会话 {session} 属于助手 {agentId}，而 model 指定了另一个。",
  },
  "openai.reserved-name": {
    en: "{param} must not start with {prefix}, which is reserved for sessions of single requests.",
    zh: "{param} 不能以 {prefix} 开头：那是单次请求的会话。",
  },
  "openai.key-used": {
    en: "This Idempotency-Key was used with another request.",
    zh: "此 Idempotency-Key 已用于另一个请求。",
  },
  "openai.no-response": { en: "There is no response {id}.", zh: "没有响应 {id}。" },
  "openai.no-embedder": {
    en: "No embedder is configured.",
    zh: "尚未设置嵌入模型。",
  },
  "openai.no-embedder.hint": {
    en: "Run `pincer memory status` on the gateway's machine for the choices; set agents.defaults.memorySearch.provider.",
    zh: "在网关所在的机器上，`pincer memory status` 会说明可用的选择；agents.defaults.memorySearch.provider 指定其中之一。",
  },
  "openai.embedding-failed": {
    en: "The embedder did not answer: {reason}",
    zh: "嵌入模型没有回应：{reason}",
  },
  "openai.failed": {
    en: "Internal error in the gateway; see its log.",
    zh: "网关出错，详情见其日志。",
  },
} satisfies TextTable;
