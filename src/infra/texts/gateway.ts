import type { TextTable } from "./table.ts";

/** Texts of the gateway process, its socket and its clients. */
export const gatewayTexts = {
  "gateway.run": { en: "run the gateway in this terminal", zh: "在此运行网关，直到被停止" },
  "gateway.serve": { en: "the same as gateway run", zh: "与 gateway run 相同" },
  "gateway.run.channel": {
    en: "start only this channel; may be repeated",
    zh: "只启动该频道；可多次给出",
  },
  "gateway.no-channel": { en: "The config has no channel {name}.", zh: "配置中没有频道 {name}。" },
  "gateway.no-channel.hint": { en: "It has: {known}.", zh: "已有：{known}。" },
  "gateway.no-channels.hint": {
    en: "It has none yet; add them with `pincer channels add`.",
    zh: "尚无任何频道；请在配置的 `channels` 下添加。",
  },
  "gateway.no-provider": { en: "There is no provider {name}.", zh: "没有名为 {name} 的提供方。" },
  "gateway.no-provider.hint": {
    en: "`pincer models list --all` lists the known providers; add your own server to models.providers in the config.",
    zh: "`pincer models list --all` 列出已知的提供方；自己的服务器请写入配置的 models.providers。",
  },
  "gateway.no-profile": { en: "There is no credential {name}.", zh: "没有名为 {name} 的凭据。" },
  "gateway.no-profile.hint": {
    en: "`pincer auth status` lists the credentials.",
    zh: "`pincer auth status` 列出全部凭据。",
  },
  "gateway.flag-nearest": { en: "Did you mean {nearest}?", zh: "是否指 {nearest}？" },
  "gateway.status": { en: "show whether it is running, and its state", zh: "显示网关是否运行及其状况" },
  "gateway.stop": { en: "stop it; running turns finish first", zh: "停止网关：先完成正在进行的工作" },
  "gateway.running": {
    en: "A gateway is already running in this home (process {pid}).",
    zh: "此主目录中已有网关在运行（进程 {pid}）。",
  },
  "gateway.running.hint": {
    en: "Stop it with `pincer gateway stop`, or set `PINCER_HOME` to give a second gateway its own home.",
    zh: "用 `pincer gateway stop` 停止它；用 `PINCER_HOME` 可为另一个网关指定单独的主目录。",
  },
  "gateway.in-the-way": {
    en: "This cannot be done while a gateway is running (process {pid}).",
    zh: "网关运行期间（进程 {pid}）无法执行此操作。",
  },
  "gateway.in-the-way.hint": {
    en: "Run `pincer gateway stop` first, and start it again afterwards.",
    zh: "请先运行 `pincer gateway stop`，完成后再启动。",
  },
  "gateway.unreachable": {
    en: "A gateway listens at {path} but has not answered within {seconds} s.",
    zh: "网关在 {path} 监听，但 {seconds} 秒内没有回应。",
  },
  "gateway.no-way": {
    en: "Cannot connect to the gateway's socket {path}: {reason}",
    zh: "无法连接网关的套接字 {path}：{reason}",
  },
  "gateway.mistake": {
    en: "Internal error in the gateway; see its log.",
    zh: "网关出错；详情见其日志。",
  },
  "gateway.mistake.hint": {
    en: "Run `pincer logs --level error` on the gateway's machine.",
    zh: "在网关所在的机器上，`pincer logs --level error` 会显示详情。",
  },
  "gateway.replaced": {
    en: "Another version of Pincer was installed while this gateway was running.",
    zh: "网关运行期间安装了另一个版本的 Pincer。",
  },
  "gateway.replaced.hint": {
    en: "Start the new version with `pincer gateway restart`; nothing is lost.",
    zh: "`pincer gateway restart` 会启动新版本；不会丢失任何内容。",
  },
  "home.closed": {
    en: "You may not enter the home {path}.",
    zh: "你无权进入主目录 {path}。",
  },
  "home.closed.hint": {
    en: "See who owns it with `ls -ld`, run the command as that user, or set PINCER_HOME to a directory of your own.",
    zh: "用 `ls -ld` 查看它属于谁，以该用户运行此命令，或用 PINCER_HOME 指定你自己的目录。",
  },
  "gateway.of-another": {
    en: "The gateway of this home belongs to another user ({path}).",
    zh: "此主目录的网关由另一用户运行（{path}）。",
  },
  "gateway.of-another.hint": {
    en: "Run the command as the user who started it, or set PINCER_HOME to your own home.",
    zh: "请以启动它的用户运行此命令，或用 PINCER_HOME 指定你自己的主目录。",
  },
  "gateway.unreachable.hint": {
    en: "Try again. If that does not help, end the process named in gateway.pid of the home and start the gateway again.",
    zh: "请重试；若仍如此，请结束主目录 gateway.pid 中所记的进程，再重新启动网关。",
  },
  "gateway.stopped": {
    en: "The gateway stopped before it answered.",
    zh: "网关在回应之前中断了连接。",
  },
  "gateway.stopped.hint": {
    en: "`pincer gateway status` shows whether it is running; then ask again.",
    zh: "用 `pincer gateway status` 查看它是否运行，然后重试。",
  },
  "gateway.stopping": { en: "The gateway is stopping.", zh: "网关正在停止。" },
  "gateway.protocol": {
    en: "The gateway speaks version {ours} of the protocol, this command version {theirs}.",
    zh: "网关使用协议版本 {ours}，此命令使用版本 {theirs}。",
  },
  "gateway.protocol.hint": {
    en: "They belong to different versions of Pincer: run `pincer gateway stop`, then start it again.",
    zh: "两者来自不同版本的 Pincer：请运行 `pincer gateway stop` 后重新启动。",
  },
  "gateway.socket-path": {
    en: "The path of the gateway's socket {path} is too long: {bytes} bytes; the limit is {most}.",
    zh: "网关套接字 {path} 的名称过长：{bytes} 字节，最多 {most} 字节。",
  },
  "gateway.socket-path.hint": {
    en: "Set PINCER_HOME to a directory with a shorter path.",
    zh: "请将 PINCER_HOME 设为名称较短的目录。",
  },
  "gateway.socket-taken": {
    en: "{path} is not a socket: another file is in the gateway's place.",
    zh: "{path} 不是套接字：网关的位置被其他文件占用。",
  },
  "gateway.socket-taken.hint": { en: "Move it away, then start again.", zh: "请将其移走，然后重新启动。" },
  "gateway.socket-failed": {
    en: "Cannot listen on {path}: {reason}",
    zh: "无法在 {path} 监听：{reason}",
  },
  "gateway.is-running": {
    en: "The gateway has been running since {since} (process {pid}).",
    zh: "网关自 {since} 起运行（进程 {pid}）。",
  },
  "gateway.is-not-running": {
    en: "The gateway is not running. `pincer gateway run` starts it.",
    zh: "网关未运行。用 `pincer gateway run` 启动。",
  },
  "gateway.stopping-now": {
    en: "The gateway (process {pid}) is finishing its running turns …",
    zh: "网关（进程 {pid}）正在完成进行中的工作……",
  },
  "gateway.has-stopped": { en: "The gateway has stopped.", zh: "网关已停止。" },
  "gateway.still-running": {
    en: "The gateway (process {pid}) has not ended within {seconds} s.",
    zh: "网关（进程 {pid}）在 {seconds} 秒内没有结束。",
  },
  "gateway.still-running.hint": {
    en: "It is still stopping; check with `pincer gateway status`, or end the process.",
    zh: "它仍在停止；用 `pincer gateway status` 再次查看，或直接结束该进程。",
  },
  "gateway.row.version": { en: "version", zh: "版本" },
  "gateway.row.address": { en: "address", zh: "地址" },
  "gateway.row.socket": { en: "socket", zh: "套接字" },
  "gateway.row.channel": { en: "channel", zh: "频道" },
  "gateway.row.no-channels": { en: "none", zh: "无" },
  "gateway.row.turns": { en: "turns", zh: "轮次" },
  "gateway.row.turns.figures": {
    en: "{running} running, {waiting} waiting",
    zh: "{running} 个进行中，{waiting} 个等待",
  },
  "gateway.row.outbox": { en: "outbox", zh: "发件箱" },
  "gateway.row.outbox.figures": { en: "{waiting} waiting", zh: "{waiting} 条等待" },
  "gateway.row.notices": { en: "notices", zh: "通知" },
  "gateway.row.notices.figures": { en: "{open} open", zh: "{open} 条未处理" },
  "status.gateway.since": {
    en: "running since {since} (process {pid})",
    zh: "自 {since} 起运行（进程 {pid}）",
  },
  "status.notices": { en: "notices", zh: "通知" },
} satisfies TextTable;
