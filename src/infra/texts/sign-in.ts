import type { TextTable } from "./table.ts";

/** How browsers come in: passkeys, and one-time links that the owner asks for in a chat. */
export const signInTexts = {
  "access.device-asked": {
    en: "{name} asks for access, from {address}. If it shows the code {code}: pincer access approve {code} --role <role>, or approve it in the page under Access.",
    zh: "{name} 请求接入，来自 {address}。若代码为 {code}：pincer access approve {code} --role <role>，或在页面的“访问”中批准。",
  },
  "passkey.browsers-only": {
    en: "Only a signed-in browser can create a passkey.",
    zh: "通行密钥由已登录的浏览器创建。",
  },
  "passkey.browsers-only.hint": {
    en: "Open the page and sign in; `pincer access code` creates a link for that.",
    zh: "打开页面并登录；`pincer access code` 可生成登录链接。",
  },
  "passkey.not-here": {
    en: "Passkeys do not work at this address.",
    zh: "此地址不支持通行密钥。",
  },
  "passkey.not-here.hint": {
    en: "Open the page at localhost, or over https at a name listed in gateway.allowedHosts.",
    zh: "请通过 localhost 打开页面，或通过 https 使用 gateway.allowedHosts 中的名称。",
  },
  "passkey.wrong": {
    en: "The browser's answer is not valid, or came too late.",
    zh: "浏览器的应答不匹配，或已超时。",
  },
  "passkey.wrong.hint": { en: "Try again within two minutes.", zh: "请在两分钟内重试。" },
  "passkey.known": { en: "This passkey is already registered.", zh: "此通行密钥已注册。" },
  "command.about.signin": {
    en: "a link that signs a browser in once (owner only, in a direct chat)",
    zh: "一次性浏览器登录链接（仅所有者，私聊）",
  },
  "command.about.browsers": {
    en: "signed-in browsers; with an id or all, signs them out",
    zh: "已登录的浏览器；加 id 或 all 并结束它",
  },
  "command.help.owner-alone": {
    en: "Only for my owner, in a direct chat.",
    zh: "仅限我的所有者在私聊中使用。",
  },
  "signin.refusal": {
    en: "only for the owner in a direct chat: anyone who reads the answer could sign in.",
    zh: "仅所有者可在私聊中使用：看到回复的人都能登录。",
  },
  "signin.link": {
    en: "Open this within five minutes; it works once. Do not share it: anyone who opens it is signed in as you.\n{link}",
    zh: "请在五分钟内打开，只能使用一次。不要转发：谁打开谁就是你。\n{link}",
  },
  "signin.local": {
    en: "The page has no address that other machines can reach. On the gateway's machine, or through an ssh tunnel, open this within five minutes; it works once:\n{link}\nIf the page is already open, enter this code there: {code}",
    zh: "尚无可从别处访问页面的地址。请在本机或通过 ssh 隧道，于五分钟内打开（只能使用一次）：\n{link}\n若页面已打开，也可输入此代码：{code}",
  },
  "signin.no-page": {
    en: "No page is served at the moment (no gateway is running, or gateway.http is off).",
    zh: "目前没有提供页面（没有网关在运行，或 gateway.http 已关闭），无处登录。",
  },
  "signin.nobody": { en: "No browser is signed in.", zh: "没有已登录的浏览器。" },
  "signin.browser": { en: "{id}  {name}  ({role}, used {at})", zh: "{id}  {name}（{role}，使用于 {at}）" },
  "signin.how-to-end": {
    en: "/browsers <id> signs one out, /browsers all signs out all.",
    zh: "/browsers <id> 令其退出，/browsers all 全部退出。",
  },
  "signin.unknown": {
    en: "No browser with the id {id} is signed in.",
    zh: "没有 id 为 {id} 的已登录浏览器。",
  },
  "signin.ended": { en: "Signed out: {count}.", zh: "已退出：{count}。" },
} satisfies TextTable;
