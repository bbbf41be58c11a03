import type { TextTable } from "./table.ts";

/** Texts of the gateway as a service: in the background, under the system's care, and its log. */
export const serviceTexts = {
  "logs.lost": {
    en: "{count} lines are missing here: the disk did not accept them",
    zh: "此处缺少 {count} 行：磁盘未能写入",
  },
  "service.welcome.address": { en: "  Address:  {address}", zh: "  地址：{address}" },
  "service.welcome.no-address": { en: "none (HTTP is disabled)", zh: "无（HTTP 已关闭）" },
  "service.welcome.address-later": { en: "none yet (see above)", zh: "暂无（见上文）" },
  "service.welcome.link": {
    en: "  Sign in:  {link}  (once, within five minutes)",
    zh: "  登录：{link}（仅一次，五分钟内有效）",
  },
  "service.welcome.model": { en: "  Model:    {model}", zh: "  模型：{model}" },
  "service.welcome.no-model": {
    en: "  Model:    none yet, so only direct tool calls are answered; the page or `pincer onboard` connects one",
    zh: "  模型：尚未选择，目前只回应直接的工具调用；可在页面或用 `pincer onboard` 连接",
  },
  "service.welcome.channels": { en: "  Channels: {channels}", zh: "  频道：{channels}" },
  "service.welcome.no-channels": {
    en: "none yet (the page or `pincer onboard` connects one)",
    zh: "尚无（可在页面或用 `pincer onboard` 连接）",
  },
  "service.welcome.chat": {
    en: "  To talk to it in another terminal: `pincer chat`",
    zh: "  在另一个终端中对话：`pincer chat`",
  },
  "service.restarting.config": {
    en: "The config has changed in a way that needs a restart ({keys}): the gateway restarts.",
    zh: "配置中须重新启动才能生效的内容已更改（{keys}）：网关正在重新启动。",
  },
  "service.waits-for-room": {
    en: "{reason} The gateway starts as soon as there is room; it looks again in {seconds} s. Nobody is answered until then.",
    zh: "{reason} 有空间后网关会自动启动；{seconds} 秒后再次检查。在此之前不会回复任何人。",
  },
  "service.not-again": {
    en: "The gateway could not restart: {reason} It tries again in {seconds} s.",
    zh: "网关未能重新启动：{reason} {seconds} 秒后重试。",
  },
  "service.fault": {
    en: "Internal error: the gateway stops. Everything it has accepted is on disk, and the next start continues with it.\n{reason}",
    zh: "网关遇到自身的故障，就此结束；已接受的内容都在磁盘上，下次启动时继续。\n{reason}",
  },
  "service.start": {
    en: "the same as run; with --daemon in the background",
    zh: "与 run 相同；加 --daemon 则在后台运行",
  },
  "service.start.daemon": {
    en: "in the background: returns when it is ready, or says why it is not",
    zh: "在后台运行：开始服务后返回，或说明未能启动的原因",
  },
  "service.start.json": {
    en: "with --daemon: print what was started, as JSON",
    zh: "与 --daemon 合用：以 JSON 输出所启动的内容",
  },
  "service.if-needed": {
    en: "if one is already running, print its address instead of failing",
    zh: "若已有网关在运行，则说明其位置而不报错",
  },
  "service.provider": { en: "model provider for all turns", zh: "所有轮次使用的模型提供方" },
  "service.port": { en: "port of the page and the API", zh: "页面和 API 的端口" },
  "service.port.not": { en: "a port is a number up to 65535", zh: "端口须为不超过 65535 的数字" },
  "service.bind": {
    en: "where it listens: loopback, lan, tailnet, auto, or an address",
    zh: "监听位置：loopback、lan、tailnet、auto 或一个地址",
  },
  "service.no-http": {
    en: "no page and no API: only commands on this machine reach it",
    zh: "不提供页面和 API：只有本机的命令可以访问",
  },
  "service.started": {
    en: "The gateway is running in the background (process {pid}). Its log: {log}",
    zh: "网关已在后台运行（进程 {pid}）。日志：{log}",
  },
  "service.other-version": {
    en: "it runs version {runs}, but {here} is installed; `pincer gateway restart` starts that one",
    zh: "正在运行的版本是 {runs}，已安装 {here}；`pincer gateway restart` 会启动新版本",
  },
  "service.waits": {
    en: "The gateway (process {pid}) is not serving: it could not restart with the changed config and keeps trying. Its log says why: {log}",
    zh: "网关（进程 {pid}）未提供服务：它无法以更改后的配置重新启动，正在继续尝试。原因见日志：{log}",
  },
  "service.not-started": {
    en: "The gateway did not start (exit status {status}); see its output above.",
    zh: "网关未能启动（退出状态 {status}）；其输出见上文。",
  },
  "service.not-started.silent": {
    en: "The gateway did not start (exit status {status}) and gave no reason.",
    zh: "网关未能启动（退出状态 {status}），也未能说明原因。",
  },
  "service.not-started.hint": {
    en: "`pincer gateway run` shows the reason in this terminal; `pincer doctor` looks for problems.",
    zh: "`pincer gateway run` 会在此终端说明原因；`pincer doctor` 会检查问题所在。",
  },
  "service.slow-start": {
    en: "The gateway (process {pid}) is not ready after {seconds} s.",
    zh: "网关（进程 {pid}）在 {seconds} 秒后仍未开始服务。",
  },
  "service.slow-start.hint": {
    en: "It is still starting; its output is in {file}.",
    zh: "它仍在启动；其输出见 {file}。",
  },
  "service.status.channel": { en: "only this channel", zh: "只看该频道" },
  "service.stop.channel": { en: "only if it serves no other channel", zh: "仅当它只服务该频道时" },
  "service.not-served": { en: "No gateway serves {channel} here.", zh: "此处没有网关服务 {channel}。" },
  "service.serves-others": {
    en: "The gateway also serves {others}, which would stop too.",
    zh: "网关还服务 {others}，它们也会停止。",
  },
  "service.serves-others.hint": {
    en: "`pincer gateway stop` stops all; `pincer config set channels.{channel}.enabled false` disables that one.",
    zh: "`pincer gateway stop` 停止全部；`pincer config set channels.{channel}.enabled false` 只关闭该频道。",
  },
  "service.row.state": { en: "state", zh: "状态文件" },
  "service.row.log": { en: "log", zh: "日志" },
  "service.row.approvals": { en: "approvals", zh: "审批" },
  "service.row.approvals.figures": { en: "{waiting} waiting", zh: "{waiting} 个等待" },
  "service.restart": {
    en: "restart it; running turns finish or continue afterwards",
    zh: "停止后按原方式重新启动：正在进行的工作先完成或之后继续",
  },
  "service.restarting.itself": {
    en: "The gateway (process {pid}) restarts in its own process.",
    zh: "网关（进程 {pid}）正在原处重新启动。",
  },
  "service.restarting.system": {
    en: "The system restarts the gateway (it was process {pid}).",
    zh: "系统正在重新启动网关（原进程 {pid}）。",
  },
  "service.logs": { en: "print the gateway's log", zh: "显示网关的日志" },
  "service.logs.follow": {
    en: "keep printing new lines, until Ctrl-C",
    zh: "并持续显示新内容，直到按 Ctrl-C",
  },
  "service.logs.lines": { en: "how many of the last lines", zh: "最后多少行" },
  "service.logs.level": { en: "only lines of this level or higher", zh: "只显示该级别及以上的行" },
  "service.logs.json": {
    en: "one JSON document on stdout; with --follow one line of JSON each",
    zh: "在标准输出上输出一个 JSON 文档；与 --follow 合用时每行一个",
  },
  "service.install": {
    en: "have the system start it at login and after a crash (systemd or launchd)",
    zh: "由系统在登录时和崩溃后启动（systemd 或 launchd）",
  },
  "service.install.take-over": {
    en: "stop the gateway that is running here first, without asking",
    zh: "先停止在此运行的网关，不再询问",
  },
  "service.take-over.ask": {
    en: "A gateway is running here (process {pid}). Stop it when its turns are done, and let the service take over?",
    zh: "这里已有网关在运行（进程 {pid}）。待其工作完成后停止它，由系统服务接替？",
  },
  "service.take-over.hint": {
    en: "`pincer gateway install --take-over` stops it when its turns are done, and the service goes on in its place.",
    zh: "`pincer gateway install --take-over` 会在其工作完成后停止它，由系统服务接替。",
  },
  "service.take-over.back": {
    en: "The service was not installed; a gateway runs again, now in the background.",
    zh: "系统服务未安装；网关已重新运行，现在在后台。",
  },
  "service.install.dry-run": {
    en: "only print what would be written and run",
    zh: "只显示将写入和运行的内容",
  },
  "service.installed": {
    en: "The gateway is installed and running: {file}. `{look}` shows its state.",
    zh: "网关已安装并运行：{file}。用 `{look}` 查看状况。",
  },
  "service.installed.not-serving": {
    en: "The gateway is installed: {file}. It does not answer yet; `{look}` shows why.",
    zh: "网关已安装：{file}。它尚未应答；用 `{look}` 查看原因。",
  },
  "service.installed.stay-on": {
    en: "To keep it running while nobody is logged in: `{command}`",
    zh: "若要在无人登录时也保持运行：`{command}`",
  },
  "service.install.refused": {
    en: "{file} is written, but `{command}` failed: {reason}",
    zh: "{file} 已写入，但 `{command}` 失败：{reason}",
  },
  "service.install.refused.hint": {
    en: "Run it yourself in your own session (not in a container or with sudo), or use `pincer gateway start --daemon`.",
    zh: "请在自己的登录会话中运行它（不要在容器中或通过 sudo），或使用 `pincer gateway start --daemon`。",
  },
  "service.no-system": {
    en: "{system} has neither systemd nor launchd.",
    zh: "{system} 上既没有 systemd 也没有 launchd。",
  },
  "service.no-system.hint": {
    en: "`pincer gateway start --daemon` runs it in the background; have your system call that at start.",
    zh: "`pincer gateway start --daemon` 可在后台运行；请让该系统上负责启动程序的工具调用它。",
  },
  "service.uninstall": { en: "stop it and remove the service", zh: "停止并不再由系统管理" },
  "service.uninstalled": {
    en: "The gateway has stopped, and the system no longer starts it.",
    zh: "网关已停止，系统不再启动它。",
  },
  "service.not-installed": { en: "It is not installed.", zh: "尚未安装。" },
} satisfies TextTable;
