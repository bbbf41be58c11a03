import type { TextTable } from "./table.ts";

export const callerTexts = {
  "request.unknown-parameter": {
    en: "{method}: unknown parameter {name}; it takes {known}.",
    zh: "{method}：未知参数 {name}；可用参数：{known}。",
  },
  "request.no-parameters": {
    en: "{method}: unknown parameter {name}; it takes none.",
    zh: "{method}：未知参数 {name}；该方法不带参数。",
  },
  "request.nearest-parameter": { en: "Did you mean {nearest}?", zh: "是否指 {nearest}？" },
  "gateway.unauthorized": {
    en: "You are not signed in.",
    zh: "你尚未登录。",
  },
  "gateway.unauthorized.hint": {
    en: "Run `pincer access code` where Pincer runs and open the link, or send a token as `Authorization: Bearer …`.",
    zh: "在运行 Pincer 的机器上执行 `pincer access code` 并打开链接，或以 `Authorization: Bearer …` 发送令牌。",
  },
  "gateway.no-longer-in": {
    en: "You were signed out.",
    zh: "你已被登出。",
  },
  "gateway.device-pending": {
    en: "This device needs approval first; its code is {code}.",
    zh: "需要先批准此设备，其代码为 {code}。",
  },
  "gateway.device-pending.hint": {
    en: "Compare the code and run `pincer access approve {code}`, then connect again.",
    zh: "核对代码并执行 `pincer access approve {code}`，然后重新连接。",
  },
  "gateway.too-many-tries": {
    en: "Too many failed tries; try again in {seconds} s.",
    zh: "失败次数过多，{seconds} 秒后可再试。",
  },
  "gateway.too-fast": {
    en: "Too many requests; try again in {seconds} s.",
    zh: "请求过于频繁，请在 {seconds} 秒后继续。",
  },
  "gateway.not-served": {
    en: "The page and the API are not served yet: {reason} Channels work, and the gateway keeps trying.",
    zh: "页面和 API 暂未提供服务：{reason} 频道照常工作，网关会继续尝试。",
  },
  "gateway.served-late": {
    en: "The page and the API are served now: {address}",
    zh: "页面和 API 现已提供服务：{address}",
  },
  "gateway.port-taken": {
    en: "Port {port} of {host} is in use by another program.",
    zh: "{host} 的端口 {port} 已被其他程序占用。",
  },
  "gateway.port-taken.hint": {
    en: "Start it on another one: `pincer gateway run --port {next}`. To keep that: `pincer config set gateway.port {next}`. Or end the program that uses it.",
    zh: "换一个端口启动：`pincer gateway run --port {next}`。要一直使用：`pincer config set gateway.port {next}`。或结束占用它的程序。",
  },
  "gateway.cannot-listen": {
    en: "The gateway cannot listen on {host}, port {port}: {reason}",
    zh: "无法监听 {host} 端口 {port}：{reason}",
  },
  "gateway.cannot-listen.hint": {
    en: "Check gateway.bind, gateway.host and gateway.port in the config.",
    zh: "请检查配置中的 gateway.bind、gateway.host 和 gateway.port。",
  },
  "permission.foreign-session": {
    en: "The session {sessionKey} is not yours.",
    zh: "会话 {sessionKey} 不属于你。",
  },
  "permission.foreign-session.hint": {
    en: "Leave the session out, or name one of your own sessions.",
    zh: "不要指定会话，或使用你自己的名称。",
  },
  "permission.owner-wish": {
    en: "Only the owner may set {wish} for a run.",
    zh: "只有所有者可以为运行指定 {wish}。",
  },
  "permission.owner-choice": {
    en: "Only the owner may set {choice} for {method}.",
    zh: "只有所有者可以为 {method} 指定 {choice}。",
  },
  "permission.owner-answer": {
    en: "Only the owner may approve requests of somebody else's run.",
    zh: "他人的运行所请求的操作，只有所有者可以批准。",
  },
  "permission.owner-grant": {
    en: "Only the owner may approve for more than one call ({scope}).",
    zh: "只有所有者可以批准超过一次的调用（{scope}）。",
  },
  "permission.owner-grant.hint": {
    en: "Approve this one call, or ask the owner.",
    zh: "请只批准这一次调用，或询问所有者。",
  },
  "permission.command.at-home": {
    en: "{command} works in the owner's direct chat on a channel, and in `pincer chat`, not here. Here, manage browsers under Access.",
    zh: "{command} 在所有者于频道上的私聊和 `pincer chat` 中可用，此处不可用。在此处请用“访问”管理浏览器。",
  },
  "permission.command.scope": {
    en: "{command} reaches more agents than you were given access to.",
    zh: "{command} 涉及的智能体超出了你获准访问的范围。",
  },
  "permission.foreign-run": {
    en: "The run {runId} is not yours.",
    zh: "运行 {runId} 不属于你。",
  },
} satisfies TextTable;
