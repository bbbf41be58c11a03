import type { TextTable } from "./table.ts";

/** How browsers come in: passkeys, and one-time links that the owner asks for in a chat. */
export const signInTexts = {
  "access.device-asked": {
    en: "{name} asks to be let in, from {address}. Where the code is {code}: pincer access approve {code} --role <role>, or the page under Access.",
    zh: "{name} 请求接入，来自 {address}。若代码为 {code}：pincer access approve {code} --role <role>，或在页面的“访问”中批准。",
  },
  "passkey.browsers-only": {
    en: "A passkey is made by a browser that has signed in.",
    zh: "通行密钥由已登录的浏览器创建。",
  },
  "passkey.browsers-only.hint": {
    en: "Open the page and sign in; `pincer access code` makes a link for that.",
    zh: "打开页面并登录；`pincer access code` 可生成登录链接。",
  },
  "passkey.not-here": {
    en: "There are no passkeys at this address.",
    zh: "此地址不支持通行密钥。",
  },
  "passkey.not-here.hint": {
    en: "Open the page under localhost, or by https under a name that gateway.allowedHosts has.",
    zh: "请通过 localhost 打开页面，或通过 https 使用 gateway.allowedHosts 中的名称。",
  },
  "passkey.wrong": {
    en: "What the browser answered does not fit, or came too late.",
    zh: "浏览器的应答不匹配，或已超时。",
  },
  "passkey.wrong.hint": { en: "Try again within two minutes.", zh: "请在两分钟内重试。" },
  "passkey.known": { en: "This passkey is registered already.", zh: "此通行密钥已注册。" },
  "command.about.signin": {
    en: "a link that signs a browser in, once (the owner, in a direct chat)",
    zh: "一次性浏览器登录链接（仅所有者，私聊）",
  },
  "command.about.browsers": {
    en: "browsers that are signed in; with an id or all, signs them out",
    zh: "已登录的浏览器；加 id 或 all 则令其退出",
  },
  "command.help.owner-alone": {
    en: "For my owner alone, in a direct chat.",
    zh: "仅限我的主人在私聊中使用。",
  },
  "signin.refusal": {
    en: "only the owner may, and only in a direct chat: whoever reads the answer could come in.",
    zh: "仅所有者可在私聊中使用：看到回复的人都能登录。",
  },
  "signin.link": {
    en: "Open this within five minutes; it works once. Do not pass it on: whoever opens it is you.\n{link}",
    zh: "请在五分钟内打开，只能使用一次。不要转发：谁打开谁就是您。\n{link}",
  },
  "signin.local": {
    en: "No address is known by which the page is reached from elsewhere. On the machine itself, or through an ssh tunnel, open this within five minutes; it works once:\n{link}\nWhere the page is open already, this code does the same: {code}",
    zh: "尚无可从别处访问页面的地址。请在本机或通过 ssh 隧道，于五分钟内打开（只能使用一次）：\n{link}\n若页面已打开，也可输入此代码：{code}",
  },
  "signin.no-page": {
    en: "No page is served now (no gateway runs, or gateway.http is off), so there is nothing to sign in to.",
    zh: "目前没有提供页面（没有网关在运行，或 gateway.http 已关闭），无处登录。",
  },
  "signin.nobody": { en: "No browser is signed in.", zh: "没有已登录的浏览器。" },
  "signin.browser": { en: "{id}  {name}  ({role}, used {at})", zh: "{id}  {name}（{role}，使用于 {at}）" },
  "signin.how-to-end": {
    en: "/browsers <id> signs one out, /browsers all every one.",
    zh: "/browsers <id> 令其退出，/browsers all 全部退出。",
  },
  "signin.unknown": {
    en: "No browser with the id {id} is signed in.",
    zh: "没有 id 为 {id} 的已登录浏览器。",
  },
  "signin.ended": { en: "Signed out: {count}.", zh: "已退出：{count}。" },
} satisfies TextTable;
