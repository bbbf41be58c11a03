import type { TextTable } from "./table.ts";

/** The first run: what is there, what a model that does not answer means, and what to do next. */
export const setupTexts = {
  "setup.model.none": {
    en: "no model is connected yet; a built-in stub answers",
    zh: "尚未连接模型；目前由内置的替身回答",
  },
  "setup.model.is": { en: "{reference} answers", zh: "由 {reference} 回答" },
  "setup.model.ready": { en: "{reference} is chosen", zh: "已选择 {reference}" },
  "setup.model.no-credential": {
    en: "{reference} is chosen, but there is no credential for it",
    zh: "已选择 {reference}，但没有它的凭据",
  },
  "setup.model.set-aside": {
    en: "{reference} is chosen, but all its credentials are on cooldown",
    zh: "已选择 {reference}，但它的凭据目前都被搁置",
  },
  "setup.model.not-allowed": {
    en: "{reference} is chosen, but the config does not allow it",
    zh: "已选择 {reference}，但配置不允许使用它",
  },
  "setup.model.unknown": {
    en: "{reference} is chosen, but it is unknown",
    zh: "已选择 {reference}，但没有谁认识它",
  },
  "setup.assistant.none": { en: "the assistant has no name yet", zh: "助手还没有名字" },
  "setup.assistant.is": { en: "the assistant is called {name}", zh: "助手名为 {name}" },
  "setup.channel.none": { en: "no channel is connected yet", zh: "尚未连接频道" },
  "setup.channel.owned": { en: "connected: {name}", zh: "已连接：{name}" },
  "setup.channel.unowned": {
    en: "connected: {name}; nobody has claimed ownership there yet",
    zh: "已连接：{name}；那边还没有人认领为所有者",
  },
  "setup.channel.broken": { en: "{name} does not work: {reason}", zh: "{name} 无法工作：{reason}" },
  "setup.service.none": {
    en: "the gateway does not start automatically",
    zh: "网关不会自动运行；需要手动启动",
  },
  "setup.service.by-hand": {
    en: "the gateway is running, but does not start again after a restart of the machine",
    zh: "网关正在运行，但重启后不会自动恢复",
  },
  "setup.service.runs": { en: "the gateway runs as a service", zh: "网关作为服务运行" },
  "setup.service.stopped": { en: "the service is installed, but not running", zh: "服务已安装，但没有运行" },
  "setup.service.impossible": {
    en: "this system has no supported service manager",
    zh: "此系统没有受支持的服务管理器",
  },
  "setup.not-found": { en: "nothing was found under {id}", zh: "没有找到 {id}" },
  "setup.not-found.hint": {
    en: "search again: it may have been removed meanwhile",
    zh: "请重新查找：它可能已被移走",
  },
  "setup.bad-name": {
    en: "a name is one line of visible characters",
    zh: "名字必须是一行可见的文字",
  },
  "setup.bad-name.hint": { en: "choose another one, such as Ada", zh: "请换一个名字，例如 Ada" },
  "setup.unknown-provider": { en: "unknown provider {provider}", zh: "没有名为 {provider} 的提供方" },
  "setup.unknown-provider.next": {
    en: "For your own server, give its address; `pincer models list --all` lists the known providers.",
    zh: "若是自己的服务器，请说明其地址；`pincer models list --all` 显示已知的提供方。",
  },
  "setup.no-model": { en: "{provider} offers no model", zh: "{provider} 没有列出任何模型" },
  "setup.no-model.next": {
    en: "Name the model yourself, or load one on the server first.",
    zh: "请自己指定模型，或先在服务器上加载一个。",
  },
  "setup.list-refused": {
    en: "{provider} did not list its models for this key ({detail})",
    zh: "{provider} 拒绝向此密钥列出模型（{detail}）",
  },
  "setup.list-unreachable": {
    en: "{provider} cannot be reached ({detail})",
    zh: "无法连接 {provider}（{detail}）",
  },
  "setup.next.auth": {
    en: "Check the key: copy it again from {provider}'s own page, complete and without spaces. Then try again.",
    zh: "请检查密钥：从 {provider} 的网站重新完整复制，不带空格，然后重试。",
  },
  "setup.next.billing": {
    en: "The key is valid, but the account has no credit: add some at {provider}, or choose another provider.",
    zh: "密钥正确，但账户没有余额：请在 {provider} 充值，或换一个提供方。",
  },
  "setup.next.rate-limit": {
    en: "The key is valid, but has reached a rate limit: wait a minute and try again.",
    zh: "密钥正确，但目前使用过多：请等一分钟再试。",
  },
  "setup.next.busy": {
    en: "{provider} is overloaded: try again, or choose another model.",
    zh: "{provider} 目前繁忙：请重试，或换一个模型。",
  },
  "setup.next.unavailable": {
    en: "Check the address, the network (a proxy, a firewall), and that the server is running. Then try again.",
    zh: "请检查地址和网络（代理、防火墙），以及服务器是否在运行，然后重试。",
  },
  "setup.next.timeout": {
    en: "It took too long: a local model may still be loading. Try again, or choose a smaller one.",
    zh: "耗时过长：本地模型可能仍在加载。请重试，或换一个较小的模型。",
  },
  "setup.next.not-found": {
    en: "{provider} has no {model} for this key: choose another model.",
    zh: "{provider} 没有为此密钥提供 {model}：请换一个模型。",
  },
  "setup.next.refused": {
    en: "{provider} refuses requests from here: choose another model or provider.",
    zh: "{provider} 拒绝在此回答：请换一个模型或提供方。",
  },
  "setup.next.budget": {
    en: "Your own budget is used up: raise `budgets` in the config, or wait for the next day.",
    zh: "你自己的预算已用完：请在配置中提高 `budgets`，或等到明天。",
  },
  "setup.next.unknown": {
    en: "Try again; if that does not help, choose another model, or see `pincer logs`.",
    zh: "请重试；若仍然如此，请换一个模型，或查看 `pincer logs`。",
  },
  "setup.next.doctor": { en: "Run `pincer doctor`.", zh: "请运行 `pincer doctor`。" },
} satisfies TextTable;
