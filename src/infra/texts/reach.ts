import type { TextTable } from "./table.ts";

/** How others reach the gateway: the local network, Tailscale, a tunnel. */
export const reachTexts = {
  "reach.discover": { en: "find gateways on the local network", zh: "查找本地网络上的网关" },
  "reach.discover.none": {
    en: "No gateway was found. A gateway announces itself only with gateway.discovery.bonjour, and only if it listens on other addresses than this machine's own.",
    zh: "没有找到网关。只有设置了 gateway.discovery.bonjour 且监听范围超出本机的网关才会被公布。",
  },
  "reach.discover.seconds": { en: "how long to look, in seconds", zh: "查找时长（秒）" },
  "reach.announced": {
    en: "announced on the local network as {name}",
    zh: "已在本地网络上以 {name} 公布",
  },
  "reach.not-announced": {
    en: "not announced on the local network: {reason}",
    zh: "未在本地网络上公布：{reason}",
  },
  "reach.loopback": {
    en: "it listens only on this machine",
    zh: "它只在本机监听",
  },
  "reach.tailscale.missing": {
    en: "Tailscale is not installed on this machine.",
    zh: "本机未安装 Tailscale。",
  },
  "reach.tailscale.missing.hint": {
    en: "Install it and run `tailscale up`, or set gateway.tailscale to off.",
    zh: "请安装并运行 `tailscale up`，或把 gateway.tailscale 设为 off。",
  },
  "reach.tailscale.down": {
    en: "Tailscale is not connected ({state}).",
    zh: "Tailscale 未连接（{state}）。",
  },
  "reach.tailscale.down.hint": { en: "Run `tailscale up`.", zh: "请运行 `tailscale up`。" },
  "reach.tailscale.refused": {
    en: "Tailscale refused to serve the gateway: {reason}",
    zh: "Tailscale 无法承载网关：{reason}",
  },
  "reach.tailscale.refused.hint": {
    en: "`tailscale serve status` shows what it serves; HTTPS must be enabled for your tailnet.",
    zh: "`tailscale serve status` 显示当前状态；你的 tailnet 需启用 HTTPS。",
  },
  "reach.tailscale.open": {
    en: "Everybody on the internet could use the gateway: gateway.auth.mode is none.",
    zh: "互联网上的任何人都能使用网关：gateway.auth.mode 为 none。",
  },
  "reach.tailscale.open.hint": {
    en: "Set gateway.auth.mode to token or password before you set gateway.tailscale to {mode}.",
    zh: "把 gateway.tailscale 设为 {mode} 之前，请先将 gateway.auth.mode 设为 token 或 password。",
  },
  "reach.tailscale.carries": {
    en: "Tailscale serves it: {address}",
    zh: "Tailscale 承载地址：{address}",
  },
  "reach.tunnel": {
    en: "connect to the gateway of another machine through ssh, until you end it",
    zh: "通过 ssh 访问另一台机器的网关，直到结束",
  },
  "reach.tunnel.host": { en: "the machine, as ssh knows it: user@host", zh: "ssh 使用的目标：user@host" },
  "reach.tunnel.port": { en: "port of the gateway there", zh: "那里的网关端口" },
  "reach.tunnel.local-port": { en: "port on this machine (default: the same)", zh: "本机端口；默认相同" },
  "reach.tunnel.ssh-port": { en: "port of ssh there", zh: "那里的 ssh 端口" },
  "reach.tunnel.print": { en: "only print the command", zh: "只显示命令" },
  "reach.tunnel.open": {
    en: "The gateway of {host} is at {address} while this runs. Press Ctrl+C to end it.",
    zh: "运行期间可通过 {address} 访问 {host} 的网关。按 Ctrl+C 结束。",
  },
  "reach.tunnel.bad-host": {
    en: "{host} is not a valid host for ssh.",
    zh: "{host} 不是可用的 ssh 主机。",
  },
  "reach.tunnel.bad-host.hint": {
    en: "Write it as host or user@host, with letters, digits, dots and dashes.",
    zh: "请写成 host 或 user@host，只含字母、数字、点和连字符。",
  },
  "reach.tunnel.no-ssh": { en: "ssh could not be started: {reason}", zh: "无法启动 ssh：{reason}" },
  "reach.tunnel.no-ssh.hint": { en: "Install the OpenSSH client.", zh: "请安装 OpenSSH 客户端。" },
  "reach.tunnel.ended": { en: "ssh ended with status {status}.", zh: "ssh 以状态 {status} 结束。" },
  "reach.tunnel.ended.hint": {
    en: "See the output of ssh above. Is the local port free, and does `ssh {host}` work?",
    zh: "上面是 ssh 的输出。本机端口是否空闲？`ssh {host}` 能否连接？",
  },
} satisfies TextTable;
