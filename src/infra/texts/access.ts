import type { TextTable } from "./table.ts";

/** Who has a way in through the gateway, and where it listens. */
export const accessTexts = {
  "access.about": { en: "who has access to the gateway", zh: "谁可以通过网关进入" },
  "access.list": {
    en: "list tokens, devices and browsers, and devices that wait for approval",
    zh: "列出令牌、设备、浏览器，以及等待批准的设备",
  },
  "access.list.all": { en: "also those that expired or were revoked", zh: "包括已过期或已撤销的" },
  "access.list.nobody": {
    en: "Nobody has access except the holder of the home token.",
    zh: "除持有主目录令牌者之外，没有其他人可以进入。",
  },
  "access.list.in": { en: "With access:", zh: "已允许：" },
  "access.list.waiting": { en: "Waiting for approval:", zh: "等待批准：" },
  "access.list.approve": {
    en: "Compare the code with what the device shows, then: pincer access approve <code> --role <role>",
    zh: "与设备上显示的代码核对，然后：pincer access approve <code> --role <role>",
  },
  "access.list.used": { en: "used {at}", zh: "使用于 {at}" },
  "access.list.unused": { en: "never used", zh: "从未使用" },
  "access.list.until": { en: "until {at}", zh: "有效至 {at}" },
  "access.list.for-good": { en: "until revoked", zh: "直到撤销" },
  "access.list.revoked": { en: "revoked {at}", zh: "撤销于 {at}" },
  "access.list.wants": { en: "asks for the role {role}", zh: "希望成为 {role}" },
  "access.token": { en: "create a token for a program; it is shown once", zh: "为程序生成令牌；只显示一次" },
  "access.token.name": { en: "a name to recognise it by", zh: "便于识别的名称" },
  "access.token.once": {
    en: "This is shown only once. To revoke it: pincer access revoke {id}",
    zh: "只显示这一次。撤销：pincer access revoke {id}",
  },
  "access.role": { en: "what it may do: {roles}", zh: "权限角色：{roles}" },
  "access.agent": { en: "only this agent (repeatable)", zh: "仅限该智能体（可重复）" },
  "access.days": { en: "days that it is valid", zh: "有效天数" },
  "access.days.bad": { en: "Not a number of days: {days}.", zh: "不是有效的天数：{days}。" },
  "access.role.bad": { en: "There is no role {role}.", zh: "没有角色 {role}。" },
  "access.role.bad.hint": { en: "Roles: {roles}.", zh: "可用角色：{roles}。" },
  "access.code": { en: "create a link that signs a browser in, once", zh: "生成一次性浏览器登录链接" },
  "access.code.how": {
    en: "Open it on this machine; it works once, until {until}.",
    zh: "请在本机打开；只能使用一次，有效至 {until}。",
  },
  "access.code.no-page": {
    en: "Only a running gateway that serves its page can create a sign-in link.",
    zh: "登录链接由正在运行且提供页面的网关生成。",
  },
  "access.code.no-page.hint": {
    en: "Start one with `pincer gateway start`; `gateway.http` must not be disabled.",
    zh: "用 `pincer gateway start` 启动；`gateway.http` 不能关闭。",
  },
  "access.approve": { en: "approve a waiting device", zh: "批准等待中的设备" },
  "access.approve.code": { en: "the code that the device shows, or its id", zh: "设备显示的代码，或其 id" },
  "access.approve.name": { en: "a name instead of the device's own", zh: "另取名称" },
  "access.approved": { en: "{name} now has access as {role}.", zh: "{name} 现在可以以 {role} 身份进入。" },
  "access.deny": { en: "deny a waiting device", zh: "拒绝等待中的设备" },
  "access.denied": { en: "Denied.", zh: "已拒绝。" },
  "access.revoke": {
    en: "revoke a token, device or browser, with all access granted through it",
    zh: "撤销令牌、设备或浏览器，以及它所允许的一切",
  },
  "access.revoke.id": { en: "its id, as listed", zh: "列表中的 id" },
  "access.revoked": { en: "Revoked: {count}.", zh: "已撤销：{count}。" },
  "access.password": { en: "set the password for the page", zh: "设置页面密码" },
  "access.password.ask": { en: "Password: ", zh: "密码：" },
  "access.password.again": { en: "Repeat: ", zh: "再输入一次：" },
  "access.password.differ": { en: "The two passwords differ.", zh: "两次输入的密码不同。" },
  "access.password.short": {
    en: "A password needs at least {least} characters.",
    zh: "密码至少需要 {least} 个字符。",
  },
  "access.password.short.hint": { en: "A whole sentence works well.", zh: "一整句话就很好。" },
  "access.password.set": {
    en: "The page now requires this password. Browsers signed in with another password are signed out; tokens, passkeys, devices and links created there are revoked.",
    zh: "页面从现在起要求此密码。用旧密码登录的浏览器已退出，在其中创建的令牌、通行密钥、设备和链接也一并失效。",
  },
  "access.too-much": {
    en: "{own} cannot grant, revoke or approve {role}, or anything beyond their own access.",
    zh: "{own} 不能授予、撤销或批准 {role}，也不能超出自身范围。",
  },
  "access.too-much.hint": { en: "Ask the owner.", zh: "请联系所有者。" },
  "access.unknown": { en: "Unknown id: {id}.", zh: "没有 id 为 {id} 的项。" },
  "access.unknown-device": {
    en: "No device waits with the code or id {id}.",
    zh: "没有设备以 {id} 等待批准。",
  },
  "access.unknown.hint": {
    en: "`pincer access list` shows all ids.",
    zh: "用 `pincer access list` 查看。",
  },
  "access.no-space": { en: "There is no space {id}.", zh: "没有名为 {id} 的空间。" },
  "access.no-space.hint": { en: "There are: {known}.", zh: "已有：{known}。" },
  "access.no-agent": { en: "There is no agent {id}.", zh: "没有名为 {id} 的智能体。" },
  "access.no-agent.hint": { en: "Did you mean {nearest}?", zh: "是否指 {nearest}？" },
  "access.over": { en: "{id} has already expired or was revoked.", zh: "{id} 已过期或已撤销。" },
  "access.full": {
    en: "There are too many tokens, devices and browsers.",
    zh: "令牌、设备和浏览器过多。",
  },
  "doors.open-and-wide": {
    en: "With gateway.auth.mode none the gateway may listen only on this machine.",
    zh: "gateway.auth.mode 为 none 时，网关不会对外监听。",
  },
  "doors.open-and-wide.hint": {
    en: "Set gateway.auth.mode to token (or password), or gateway.bind to loopback with tailscale off and no trusted proxies.",
    zh: "将 gateway.auth.mode 设为 token（或 password），或将 gateway.bind 设为 loopback，并关闭 tailscale、不设受信代理。",
  },
  "doors.weak-token": {
    en: "With a token of fewer than {least} characters the gateway may listen only on this machine.",
    zh: "令牌少于 {least} 个字符时，网关不会对外监听。",
  },
  "doors.weak-token.hint": {
    en: "Run `pincer config unset gateway.auth.token` to get a generated token, or set a longer one.",
    zh: "用 `pincer config unset gateway.auth.token` 自动生成，或设置更长的令牌。",
  },
  "doors.weak-password": {
    en: "Without a password of at least {least} characters the gateway may listen only on this machine.",
    zh: "没有至少 {least} 个字符的密码时，网关不会对外监听。",
  },
  "doors.weak-password.hint": {
    en: "Set one with `pincer access password`.",
    zh: "用 `pincer access password` 设置。",
  },
  "doors.no-tailnet": {
    en: "gateway.bind is tailnet, but this machine has no tailnet address.",
    zh: "gateway.bind 为 tailnet，但本机没有 tailnet 地址。",
  },
  "doors.no-tailnet.hint": {
    en: "Start Tailscale, or set gateway.bind to auto or loopback.",
    zh: "请启动 Tailscale，或将 gateway.bind 设为 auto 或 loopback。",
  },
  "doors.no-host": {
    en: 'gateway.bind is custom, but gateway.host ("{host}") is not an address.',
    zh: "gateway.bind 为 custom，但 gateway.host（“{host}”）不是地址。",
  },
  "doors.no-host.hint": {
    en: "Set gateway.host to an address of this machine, such as 192.168.1.10 or 0.0.0.0.",
    zh: "将 gateway.host 设为本机地址，如 192.168.1.10 或 0.0.0.0。",
  },
} satisfies TextTable;
