import type { TextTable } from "./table.ts";

/** Texts of `pincer models`, and of names that mean no model. */
export const modelTexts = {
  "models.unknown-provider": {
    en: "Unknown provider {provider}.",
    zh: "没有名为 {provider} 的提供方。",
  },
  "models.unknown-model": { en: "There is no model {reference}.", zh: "没有模型 {reference}。" },
  "models.no-model": {
    en: "{provider} has no model list here: name a model as {provider}/<model>.",
    zh: "这里没有 {provider} 的模型列表：请写明模型，如 {provider}/<模型>。",
  },
  "models.ambiguous": {
    en: "Several providers have a model {reference}.",
    zh: "有多个提供方提供模型 {reference}。",
  },
  "models.nearest": { en: "Did you mean: {nearest}?", zh: "你是否想要：{nearest}？" },
  "models.unknown.hint": {
    en: "`pincer models list --all` lists all models; add your own server to models.providers in the config.",
    zh: "`pincer models list --all` 列出全部模型；自己的服务器请写入配置的 models.providers。",
  },
  "models.not-allowed": {
    en: "The config does not allow the model {reference} ({key}).",
    zh: "配置不允许使用模型 {reference}（{key}）。",
  },
  "models.not-allowed.hint": {
    en: "Add it to {key}, or choose another: pincer models set <model>",
    zh: "请将它加入 {key}，或改用其他模型：pincer models set <模型>",
  },
  "models.list-unreadable": {
    en: "the model list in {file} cannot be read and is ignored; `pincer models refresh` creates a new one",
    zh: "模型列表 {file} 无法读取，已忽略；用 `pincer models refresh` 重新生成",
  },

  "models.about": { en: "list models, and choose which one answers", zh: "查看有哪些模型、由哪个作答" },
  "models.list": { en: "list models that can be used now", zh: "列出现在可用的模型" },
  "models.list.provider": { en: "only this provider", zh: "只列该提供方" },
  "models.list.search": { en: "only models with these words in their name", zh: "只列名称含这些词的" },
  "models.list.all": { en: "also models of providers without a credential", zh: "也列出没有凭据的提供方" },
  "models.list.none": { en: "No model matches.", zh: "没有符合的模型。" },
  "models.list.unconnected": {
    en: "No provider is connected yet. `pincer auth login <provider>` connects one; `pincer models list --all` shows all models.",
    zh: "尚未连接任何提供方。用 `pincer auth login <提供方>` 连接；`pincer models list --all` 列出全部模型。",
  },
  "models.list.more": {
    en: "{count} more providers are not connected: --all shows their models.",
    zh: "另有 {count} 个提供方未连接：--all 显示它们的模型。",
  },
  "models.list.unasked": {
    en: "`pincer models refresh {provider}` fetches its models.",
    zh: "用 `pincer models refresh {provider}` 查询它的模型。",
  },
  "models.list.assumed": { en: "assumed", zh: "推定" },
  "models.list.thinks": { en: "thinks", zh: "思考" },
  "models.list.images": { en: "images", zh: "图像" },
  "models.list.free": { en: "-", zh: "-" },
  "models.speech": {
    en: "{provider} turns speech into text; it has no chat model.",
    zh: "{provider} 用于语音转文字，没有可对话的模型。",
  },

  "models.status": { en: "show which model answers, and why others do not", zh: "显示由哪个模型作答及原因" },
  "models.agent": { en: "for this agent (default: all)", zh: "针对该智能体（默认：全部）" },
  "models.status.none": {
    en: "No model is configured: the offline stub answers. `pincer models set <provider/model>` chooses one.",
    zh: "未配置模型：由离线 stub 作答。用 `pincer models set <提供方/模型>` 选择。",
  },
  "models.status.answers": { en: "{reference} answers.", zh: "由 {reference} 作答。" },
  "models.status.nobody": {
    en: "None of them can answer at the moment.",
    zh: "目前没有模型可以作答。",
  },
  "models.status.primary": { en: "primary", zh: "主模型" },
  "models.status.fallback": { en: "fallback {number}", zh: "备用 {number}" },
  "models.status.allowed-providers": { en: "Only these providers: {names}", zh: "只允许这些提供方：{names}" },
  "models.status.allowed-models": { en: "Only these models: {names}", zh: "只允许这些模型：{names}" },
  "models.state.ready": { en: "ready", zh: "可用" },
  "models.state.no-credential": {
    en: "no credential: pincer auth login {provider}",
    zh: "没有凭据：pincer auth login {provider}",
  },
  "models.state.set-aside": { en: "on cooldown until {until}: {reason}", zh: "暂停使用至 {until}：{reason}" },
  "models.state.not-allowed": { en: "not allowed by the config", zh: "配置不允许" },
  "models.state.unknown": { en: "unknown", zh: "未知" },
  "models.state.unknown.nearest": {
    en: "unknown; did you mean {nearest}?",
    zh: "未知；是否想要 {nearest}？",
  },
  "models.state.unlisted": { en: "ready, though not in any list", zh: "可用，但不在任何列表中" },

  "models.set": { en: "choose the model that answers", zh: "选择作答的模型" },
  "models.reference": {
    en: "provider/model, a provider, or a model that only one provider has",
    zh: "提供方/模型、提供方，或只有一个提供方提供的模型",
  },
  "models.set.fallback": {
    en: "models to try in this order when it fails; replaces the current ones",
    zh: "失败时依次尝试的模型；替换已设置的",
  },
  "models.set.force": { en: "also a model that is in no list", zh: "即使任何列表都没有它" },
  "models.set.done": { en: "{reference} answers from now on.", zh: "今后由 {reference} 作答。" },
  "models.set.done.agent": {
    en: "{reference} answers for {agent} from now on.",
    zh: "今后由 {reference} 为 {agent} 作答。",
  },
  "models.set.same": {
    en: "{reference} is already the model; it cannot be its own fallback and was skipped",
    zh: "{reference} 已在其中；它不能作为自己的备用，已略去",
  },
  "models.set.no-agent": { en: "The config has no agent {agent}.", zh: "配置中没有智能体 {agent}。" },
  "models.set.no-agent.hint": {
    en: "Leave out --agent to set it for all, or add the agent to agents.list.",
    zh: "去掉 --agent 则对全部生效，或将该智能体加入 agents.list。",
  },
  "models.set.no-credential": {
    en: "There is no credential for {provider} yet: pincer auth login {provider}",
    zh: "还没有 {provider} 的凭据：pincer auth login {provider}",
  },
  "models.set.not-allowed": {
    en: "{reference} is not allowed by {key} of the config; nothing was changed.",
    zh: "配置的 {key} 不允许 {reference}；未作更改。",
  },
  "models.set.force.hint": {
    en: "Did you mean: {nearest}? Use --force if the model is newer than the list.",
    zh: "你是否想要：{nearest}？若该模型比列表新，请使用 --force。",
  },

  "models.test": { en: "ask a model a tiny question", zh: "向模型问一个很小的问题" },
  "models.test.asking": { en: "asking {reference} …", zh: "正在询问 {reference} …" },
  "models.test.done": {
    en: "{reference} answered in {ms} ms ({input} tokens in, {output} out).",
    zh: "{reference} 在 {ms} 毫秒内作答（输入 {input}，输出 {output} 个 token）。",
  },
  "models.test.failed": { en: "{reference} did not answer: {reason}", zh: "{reference} 没有作答：{reason}" },
  "models.test.stub": {
    en: "No model is configured, so there is none to try out.",
    zh: "未配置模型，没有可试用的。",
  },

  "models.refresh": { en: "fetch the newest model lists from providers", zh: "向提供方查询最新模型" },
  "models.refresh.provider": {
    en: "only this provider (default: all connected ones)",
    zh: "只问该提供方（默认：所有已连接的）",
  },
  "models.refresh.asking": {
    en: "asking {provider} ({done} of {total}) …",
    zh: "正在询问 {provider}（{done}/{total}）…",
  },
  "models.refresh.done": {
    en: "{provider}: {count} models, {added} of them new",
    zh: "{provider}：{count} 个模型，其中 {added} 个是新的",
  },
  "models.refresh.unknown": {
    en: "{provider}: unknown provider",
    zh: "{provider}：没有这个名称的提供方",
  },
  "models.refresh.unsupported": {
    en: "{provider}: offers no list ({detail}); the built-in one stays",
    zh: "{provider}：没有可查询的列表（{detail}）；保留内置列表",
  },
  "models.refresh.unreachable": {
    en: "{provider}: cannot be reached ({detail})",
    zh: "{provider}：无法连接（{detail}）",
  },
  "models.refresh.refused": {
    en: "{provider}: did not send its list ({detail}); is there a credential?",
    zh: "{provider}：拒绝回答（{detail}）；是否有凭据？",
  },
  "models.refresh.malformed": {
    en: "{provider}: sent an answer that cannot be read ({detail})",
    zh: "{provider}：无法理解其回答（{detail}）",
  },
  "models.refresh.none": {
    en: "No connected provider offers a list. Name one: pincer models refresh <provider>",
    zh: "没有已连接的提供方可询问。请指定：pincer models refresh <提供方>",
  },
} satisfies TextTable;
