import type { TextTable } from "./table.ts";

/** Which embedder is used and why, and what keeps one from working. */
export const embedderTexts = {
  "embedder.unknown": {
    en: "memorySearch.provider is {name}, which is unknown; known are {names}.",
    zh: "memorySearch.provider 指定的 {name} 未知；已知的有 {names}。",
  },
  "embedder.not-hybrid": {
    en: "Memory is searched only by words: query.hybrid.enabled is off.",
    zh: "仅按词搜索记忆：query.hybrid.enabled 已关闭。",
  },
  "embedder.off": {
    en: "Memory is searched only by words: agents.defaults.memorySearch.provider is none.",
    zh: "记忆只按词语搜索：agents.defaults.memorySearch.provider 为 none。",
  },
  "embedder.chosen": {
    en: "{embedder} is set in agents.defaults.memorySearch.provider.",
    zh: "agents.defaults.memorySearch.provider 设为 {embedder}。",
  },
  "embedder.auto.address": {
    en: "agents.defaults.memorySearch.remote.baseUrl is set.",
    zh: "已设置 agents.defaults.memorySearch.remote.baseUrl。",
  },
  "embedder.auto.key": {
    en: "There is a key for {embedder}.",
    zh: "已有 {embedder} 的密钥。",
  },
  "embedder.auto.ollama": {
    en: "Ollama runs at {address} and has {model}.",
    zh: "Ollama 正在 {address} 运行，并且有 {model}。",
  },
  "embedder.auto.local": {
    en: "The local embedder is installed.",
    zh: "已安装本地嵌入模型。",
  },
  "embedder.auto.nothing": {
    en: "Memory is searched only by words: there is no key for openai, gemini or voyage, no Ollama with an embedding model, and no local embedder.",
    zh: "记忆只按词语搜索：没有 openai、gemini 或 voyage 的密钥，没有带嵌入模型的 Ollama，也没有本地嵌入模型。",
  },
  "embedder.auto.nothing.next": {
    en: "That works offline and needs nothing. To search by meaning too, store a key with `pincer auth login openai`, run `ollama pull nomic-embed-text`, or install the local embedder (English): {command}",
    zh: "这样无需网络和其他条件即可使用。若也要按含义搜索：用 `pincer auth login openai` 保存密钥，运行 `ollama pull nomic-embed-text`，或安装本地嵌入模型（仅英文）：{command}",
  },
  "embedder.auto.model": {
    en: "Memory is searched only by words: nothing that is configured has the model {model}.",
    zh: "记忆只按词语搜索：已配置的服务都没有模型 {model}。",
  },
  "embedder.auto.model.next": {
    en: "Set agents.defaults.memorySearch.provider to a provider that has it, or leave out agents.defaults.memorySearch.model.",
    zh: "把 agents.defaults.memorySearch.provider 设为拥有该模型的服务，或去掉 agents.defaults.memorySearch.model。",
  },
  "embedder.auto.whose-key": {
    en: "Memory is searched only by words: agents.defaults.memorySearch.remote.apiKey is set, but not for which provider.",
    zh: "记忆只按词语搜索：设置了 agents.defaults.memorySearch.remote.apiKey，但没有说明是哪家的密钥。",
  },
  "embedder.auto.whose-key.next": {
    en: "Set agents.defaults.memorySearch.provider to openai, gemini or voyage, or remote.baseUrl beside the key.",
    zh: "把 agents.defaults.memorySearch.provider 设为 openai、gemini 或 voyage，或在密钥旁设置 remote.baseUrl。",
  },
  "embedder.no-key": {
    en: "Memory is searched only by words: there is no key for {embedder}.",
    zh: "记忆只按词语搜索：没有 {embedder} 的密钥。",
  },
  "embedder.no-key.next": {
    en: "Store one with `pincer auth login {provider}`, or set agents.defaults.memorySearch.remote.apiKey.",
    zh: "用 `pincer auth login {provider}` 保存一个，或设置 agents.defaults.memorySearch.remote.apiKey。",
  },
  "embedder.no-address": {
    en: "Memory is searched only by words: an OpenAI-compatible embedder needs an address and a model.",
    zh: "记忆只按词语搜索：兼容 OpenAI 的嵌入服务需要地址和模型。",
  },
  "embedder.no-address.next": {
    en: "Set agents.defaults.memorySearch.remote.baseUrl, such as http://127.0.0.1:8080/v1, and agents.defaults.memorySearch.model.",
    zh: "设置 agents.defaults.memorySearch.remote.baseUrl（例如 http://127.0.0.1:8080/v1）和 agents.defaults.memorySearch.model。",
  },
  "embedder.local.missing": {
    en: "The local embedder is not installed. Install it ({diskMb} MB) with: {command}",
    zh: "未安装本地嵌入模型。安装命令（{diskMb} MB）：{command}",
  },
  "embedder.local.none": {
    en: "Memory is searched only by words: the local embedder is not installed.",
    zh: "记忆只按词语搜索：未安装本地嵌入模型。",
  },
  "embedder.local.none.next": {
    en: "Install it ({diskMb} MB) with: {command}",
    zh: "安装命令（{diskMb} MB）：{command}",
  },
  "embedder.local.failed": {
    en: "The local embedder crashed twice: {reason}",
    zh: "本地嵌入模型在工作中两次停止：{reason}",
  },
  "embedder.local.unreadable": {
    en: "The local embedder could not read its vocabulary: {reason}. Reinstall it with: {command}",
    zh: "本地嵌入模型无法读取其词表：{reason}。重新安装：{command}",
  },
  "embedder.failed.key": {
    en: "{embedder} at {address} rejected the key ({status}: {reason}). Store another with `pincer auth login`, or set agents.defaults.memorySearch.remote.apiKey.",
    zh: "{embedder}（{address}）拒绝了密钥（{status}：{reason}）。用 `pincer auth login` 换一个，或设置 agents.defaults.memorySearch.remote.apiKey。",
  },
  "embedder.failed.not-found": {
    en: "{embedder} at {address} does not know {model} ({status}: {reason}). Check agents.defaults.memorySearch.model and remote.baseUrl.",
    zh: "{embedder}（{address}）没有 {model}（{status}：{reason}）。请检查 agents.defaults.memorySearch.model 和 remote.baseUrl。",
  },
  "embedder.failed.pull": {
    en: "Ollama at {address} does not have {model} ({status}: {reason}). Get it with `ollama pull {model}`.",
    zh: "Ollama（{address}）没有 {model}（{status}：{reason}）。用 `ollama pull {model}` 获取。",
  },
  "embedder.failed.rate": {
    en: "{embedder} at {address} limits the request rate ({status}: {reason}).",
    zh: "{embedder}（{address}）要求暂时减少请求（{status}：{reason}）。",
  },
  "embedder.failed.quota": {
    en: "The account at {embedder} has no credit or quota left ({status}: {reason}).",
    zh: "{embedder} 账户的余额或配额已用完（{status}：{reason}）。",
  },
  "embedder.failed.down": {
    en: "{embedder} at {address} does not work at the moment ({status}: {reason}).",
    zh: "{embedder}（{address}）目前无法工作（{status}：{reason}）。",
  },
  "embedder.failed.refused": {
    en: "{embedder} at {address} rejected the request ({status}: {reason}).",
    zh: "{embedder}（{address}）拒绝了请求（{status}：{reason}）。",
  },
  "embedder.failed.redirect": {
    en: "{embedder} at {address} redirects elsewhere ({status}: {reason}), where the key must not go. Set agents.defaults.memorySearch.remote.baseUrl to the right address.",
    zh: "{embedder}（{address}）要求转到别处（{status}：{reason}），而密钥不能发往那里。请把 agents.defaults.memorySearch.remote.baseUrl 设为正确的地址。",
  },
  "embedder.failed.unreachable": {
    en: "{embedder} does not answer at {address} ({reason}). Is it running, and is the network up?",
    zh: "{embedder} 在 {address} 没有应答（{reason}）。它在运行吗？网络通吗？",
  },
  "embedder.failed.late": {
    en: "No answer from {embedder} within {seconds} s.",
    zh: "{embedder} 在 {seconds} 秒内没有应答。",
  },
  "embedder.failed.setting": {
    en: "{embedder} cannot be used: {setting} has an invalid value ({reason}). Correct it, or leave it out.",
    zh: "无法向 {embedder} 发送请求：{setting} 的值无法照样发送（{reason}）。请更正或去掉它。",
  },
  "embedder.failed.sizes": {
    en: "{embedder} returns vectors of {size} numbers at one time and of {other} at another. Does that address serve several models?",
    zh: "{embedder} 返回的向量长度不一：有时 {size}，有时 {other}。该地址背后是否有多个模型？",
  },
  "embedder.making-anew": {
    en: "The stored vectors differ in size from those of {embedder}; they are being rebuilt.",
    zh: "已存向量的长度与 {embedder} 现在生成的不同，正在重新生成。",
  },
  "embedder.failed.answer": {
    en: "{embedder} at {address} did not return one vector per text ({reason}). Check agents.defaults.memorySearch.model and remote.baseUrl.",
    zh: "{embedder}（{address}）的回答无法用作每段文字一个向量（{reason}）。请检查 agents.defaults.memorySearch.model 和 remote.baseUrl。",
  },
} satisfies TextTable;
