export const signInTexts = {
  "sign-in.title": { en: "Sign in to Pincer", zh: "登录 Pincer" },
  "sign-in.working": { en: "Signing in…", zh: "正在登录…" },
  "sign-in.passkey": { en: "Sign in with a passkey", zh: "使用通行密钥登录" },
  "sign-in.or": { en: "or", zh: "或" },
  "sign-in.password": { en: "Password", zh: "密码" },
  "sign-in.secret": { en: "One-time code or token", zh: "一次性代码或令牌" },
  "sign-in.secret.hint": {
    en: "You can also paste the link here.",
    zh: "也可以粘贴整个链接。",
  },
  "sign-in.submit": { en: "Sign in", zh: "登录" },
  "sign-in.knock": { en: "Ask for access", zh: "请求接入" },
  "sign-in.knock.hint": {
    en: "Shows a code here; somebody who is signed in elsewhere approves this browser.",
    zh: "此处会显示代码，由已在别处登录的人批准。",
  },
  "sign-in.waits": { en: "Waiting for approval", zh: "等待批准" },
  "sign-in.waits.code": { en: "The code of this browser", zh: "此浏览器的代码" },
  "sign-in.waits.how": {
    en: "Open Access in a browser that is signed in, compare the code and approve this one. In a terminal on the gateway's machine:",
    zh: "在已登录的浏览器中打开“访问”，核对代码并批准。或在网关所在机器的终端运行：",
  },
  "sign-in.waits.stop": { en: "Stop waiting", zh: "停止等待" },
  "sign-in.where": { en: "Where do I get a link?", zh: "如何获得链接？" },
  "sign-in.where.terminal": {
    en: "In a terminal on the gateway's machine:",
    zh: "在网关所在机器的终端运行：",
  },
  "sign-in.where.browser": {
    en: "In a browser that is signed in: Access, Add a browser.",
    zh: "在已登录的浏览器中：访问 → 添加浏览器。",
  },
  "sign-in.where.chat": {
    en: "In your own chat with the assistant: /signin",
    zh: "在你与助手的私聊中发送：/signin",
  },
  "sign-in.link.kept": {
    en: "You are already signed in, so the link was not used. It still works once, for another browser.",
    zh: "你已登录，因此未使用此链接。它仍可在另一个浏览器中使用一次。",
  },
  "sign-in.link.instead": {
    en: "You are signed in as {role}. Sign in with this link instead?",
    zh: "你当前以 {role} 身份登录。要改用此链接登录吗？",
  },
  "sign-in.link.instead.detail": {
    en: "The link signs this browser in as the person it was created for. If you stay, the link still works once.",
    zh: "此链接会让此浏览器以链接对象的身份登录。若保持当前登录，链接不会被用掉，仍可使用一次。",
  },
  "sign-in.link.yes": { en: "Sign in with the link", zh: "使用链接登录" },
  "sign-in.link.no": { en: "Stay signed in as {role}", zh: "保持 {role} 身份" },
  "sign-in.failed.code": {
    en: "This link or code was already used, or is older than five minutes. Create a new one: it works once.",
    zh: "此链接或代码已被使用，或已超过五分钟。请重新生成：只能使用一次。",
  },
  "sign-in.failed.secret": {
    en: "This is not a valid code or token. A one-time code works once, for five minutes; a token works until it is revoked.",
    zh: "无法登录。一次性代码五分钟内有效且只能使用一次；令牌在被撤销前有效。",
  },
  "sign-in.failed.password": {
    en: "Wrong password. `pincer access password` sets a new one.",
    zh: "密码不正确。可用 `pincer access password` 重新设置。",
  },
  "sign-in.failed.passkey": {
    en: "This passkey is not accepted. It may have been revoked, or it took too long; try again, or use a link.",
    zh: "此通行密钥无法登录，可能已被撤销或已超时。请重试，或使用链接。",
  },
  "sign-in.failed.passkey-here": {
    en: "Passkeys do not work at this address. Open the page at localhost, or over https at a name that the gateway knows (gateway.allowedHosts).",
    zh: "此地址不支持通行密钥。请通过 localhost，或通过 https 使用网关已知的名称（gateway.allowedHosts）打开页面。",
  },
  "sign-in.failed.passkey-stopped": {
    en: "No passkey was chosen. Try again, or sign in another way.",
    zh: "未选择通行密钥。请重试，或使用其他方式。",
  },
  "sign-in.failed.device": {
    en: "The gateway denied this browser. Ask its owner, then try again.",
    zh: "网关拒绝了此浏览器。请联系其所有者后重试。",
  },
  "sign-in.failed.too-many": {
    en: "Too many failed tries from here. Wait {seconds} s, then try again.",
    zh: "错误次数过多。请等待 {seconds} 秒后重试。",
  },
  "sign-in.failed.place": {
    en: "The gateway allows no sign-in at this address. Open the page at localhost, or add the address to gateway.allowedHosts.",
    zh: "网关不允许从此地址登录。请通过 localhost 打开，或将此地址加入 gateway.allowedHosts。",
  },
  "sign-in.failed.form": {
    en: "This is not a code, token or password: it is too long, or empty.",
    zh: "这不是有效的代码、令牌或密码：过长或为空。",
  },
  "sign-in.failed.gateway": {
    en: "The gateway could not answer (status {status}). See its log: `pincer logs`. Try again in a moment.",
    zh: "网关无法应答（状态 {status}）。原因见日志：`pincer logs`。请稍后重试。",
  },
  "sign-in.failed.away": {
    en: "The gateway cannot be reached. Is it running? `pincer gateway start` starts it.",
    zh: "无法连接网关。它在运行吗？可用 `pincer gateway start` 启动。",
  },
  "why.signed-out": {
    en: "You were signed out: this browser was revoked, or not used for too long. Sign in again.",
    zh: "你已退出登录：此浏览器已被撤销，或太久未使用。请重新登录。",
  },
  "why.other-version": {
    en: "This page and the gateway have different versions. Reload the page.",
    zh: "页面与网关版本不同。请重新加载页面。",
  },
  "why.stopping": {
    en: "The gateway is stopping, perhaps to restart.",
    zh: "网关正在停止，可能会重新启动。",
  },
  "why.lost": { en: "The connection was lost.", zh: "连接已断开。" },
  "why.too-late": {
    en: "Connecting took too long.",
    zh: "建立连接耗时过长。",
  },
  "why.not-text": {
    en: "The gateway did not understand a message. Reload the page.",
    zh: "网关无法理解收到的内容。请重新加载页面。",
  },
  "why.too-large": {
    en: "The message is too large for the gateway. Send less at once, or a file.",
    zh: "发送的内容过大。请分次发送，或改用文件。",
  },
  "why.too-slow": {
    en: "This browser did not keep up with the gateway.",
    zh: "此浏览器未能及时接收网关的消息。",
  },
  "why.too-many": {
    en: "The gateway has too many connections. Close other pages of it.",
    zh: "网关连接数过多。请关闭其他页面。",
  },
} as const;
