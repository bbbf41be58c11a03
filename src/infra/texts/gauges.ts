/** Texts of the gauges about problems. */
import type { TextTable } from "./table.ts";

export const gaugeTexts = {
  "notice.memory": {
    en: "The gateway uses {used} MB of memory; more than {bound} MB is unusual. It still works; `pincer gateway restart` frees the memory without losing a message.",
    zh: "网关占用了 {used} MB 内存；超过 {bound} MB 属于异常。它会继续工作；重启（`pincer gateway restart`）可释放内存且不会丢失消息。",
  },
  "gauges.starting": { en: "it is starting", zh: "正在启动" },
  "gauges.stopping": { en: "it is stopping", zh: "正在停止" },
  "gauges.database": {
    en: "the database accepts no writes: {reason}",
    zh: "数据库不接受写入：{reason}",
  },
  "gauges.database.damaged": {
    en: "the database is damaged, and some of it cannot be read: {reason}. Stop the gateway and run `pincer doctor`; `pincer doctor --repair` keeps everything that can still be read",
    zh: "数据库已损坏，部分内容无法读取：{reason}。请停止网关并运行 `pincer doctor`；`pincer doctor --repair` 会保留所有仍可读取的内容",
  },
  "gauges.database.lost": {
    en: "the database was lost and made anew; tools are off and strangers are out until you have looked: `pincer doctor`, then `pincer doctor --confirm`",
    zh: "数据库曾丢失并已重建；在你查看之前，工具已关闭且不接待陌生人：`pincer doctor`，然后 `pincer doctor --confirm`",
  },
  "gauges.database.log": {
    en: "the database's log cannot be emptied: {reason}",
    zh: "无法清空数据库日志：{reason}",
  },
  "notice.writes-fail": {
    en: "Since {since} UTC nothing can be stored: {reason}. No message gets in until that is cured; the networks keep them meanwhile. Look at the disk of the home: `pincer doctor`.",
    zh: "自 {since} UTC 起无法存储任何内容：{reason}。在解决之前不会接收任何消息，各网络会暂时保留它们。请检查主目录所在磁盘：`pincer doctor`。",
  },
  "notice.writes-failed": {
    en: "From {since} to {until} UTC nothing could be stored: {reason}. It works again. Messages of that time come late, or have to be sent again where the network does not keep them.",
    zh: "{since} 至 {until} UTC 期间无法存储任何内容：{reason}。现已恢复。该期间的消息会延迟到达；若网络不保留消息，则需重新发送。",
  },
  "notice.taken-back": {
    en: "The database had lost the last {count} entries of the session {sessionId}; they came back from its transcript. Other things of that time may be lost: `pincer doctor`.",
    zh: "数据库丢失了会话 {sessionId} 的最后 {count} 条记录；已从会话记录恢复。同一时间的其他内容可能已丢失：`pincer doctor`。",
  },
  "notice.damage": {
    en: "The database is damaged: {reason}. What lies there cannot be read, and messages may stay without an answer. Stop the gateway, run `pincer doctor` to see what is lost, then `pincer doctor --repair`: it keeps everything that can still be read.",
    zh: "数据库已损坏：{reason}。损坏部分无法读取，部分消息可能得不到答复。请停止网关，运行 `pincer doctor` 查看丢失的内容，再运行 `pincer doctor --repair`：它会保留所有仍可读取的内容。",
  },
  "notice.http": {
    en: "The page and the API are not served: {reason} Channels work, and I keep trying.",
    zh: "页面和 API 未能提供服务：{reason} 频道照常工作，我会继续尝试。",
  },
  "gauges.workdir": {
    en: "the folder {workdir} cannot be used: {reason}. Messages wait until it is back",
    zh: "目录 {workdir} 无法使用：{reason}。消息会等到它恢复",
  },
  "notice.workdir": {
    en: "The folder {workdir}, in which I work, cannot be used: {reason}. Mount the drive, or change agents.defaults.workspace. Messages wait and are answered when it is back.",
    zh: "我的工作目录 {workdir} 无法使用：{reason}。请挂载磁盘，或修改 agents.defaults.workspace。消息会等待，恢复后自动回答。",
  },
  "gauges.model.none": {
    en: "no model is configured; see `pincer models list`",
    zh: "尚未配置模型：`pincer models list` 可查看可用模型",
  },
  "gauges.model.failing": {
    en: "the last {times} requests to {model} failed ({code})",
    zh: "最近 {times} 次对 {model} 的请求均失败（{code}）",
  },
  "gauges.queue": {
    en: "{count} turns are waiting, the oldest for {minutes} minutes",
    zh: "有 {count} 个轮次在等待，最久的已等待 {minutes} 分钟",
  },
  "gauges.loop.stuck": {
    en: "the event loop was blocked for seconds",
    zh: "事件循环曾停顿数秒",
  },
  "gauges.loop.late": {
    en: "the event loop is {ms} ms late",
    zh: "事件循环延迟 {ms} 毫秒",
  },
  "gauges.memory": {
    en: "{used} MB in use, more than the usual {bound}",
    zh: "已使用 {used} MB，超过通常的 {bound} MB",
  },
  "gauges.outbox": {
    en: "{count} messages wait to be sent, the oldest for {minutes} minutes",
    zh: "有 {count} 条消息等待发出，最久的已等待 {minutes} 分钟",
  },
  "gauges.channel.broken": {
    en: "{channel} ({accountId}) is broken",
    zh: "{channel}（{accountId}）无法使用",
  },
  "gauges.channel.disconnected": {
    en: "{channel} ({accountId}) is not connected",
    zh: "{channel}（{accountId}）未连接",
  },
  "gauges.channel.deaf": {
    en: "{channel} ({accountId}) claims to be connected but receives nothing",
    zh: "{channel}（{accountId}）声称已连接，但收不到任何内容",
  },
  "gauges.channel.failing": {
    en: "{channel} ({accountId}) gets errors when it asks for messages",
    zh: "{channel}（{accountId}）获取消息时出错",
  },
  "notice.channel-deaf": {
    en: "{channel} ({accountId}) has heard nothing from its network for too long: messages sent there do not reach me. I keep trying; `pincer channels status --probe` shows how it is.",
    zh: "{channel}（{accountId}）太久没有收到网络的任何信号：发到那里的消息我收不到。我会继续尝试；可用 `pincer channels status --probe` 查看。",
  },
  "gauges.channel.quiet": {
    en: "{channel} ({accountId}) has been silent for too long",
    zh: "{channel}（{accountId}）沉默的时间超出正常",
  },
  "gauges.channel.unproven": {
    en: "{channel} ({accountId}) has not received anything yet",
    zh: "{channel}（{accountId}）尚未收到任何内容",
  },
  "gauges.channel.unprovable": {
    en: "{channel} ({accountId}) cannot show whether it receives",
    zh: "{channel}（{accountId}）无法判断是否能收到消息",
  },
  "gauges.channel.not-stored": {
    en: "{channel} ({accountId}) receives, and what it receives cannot be stored",
    zh: "{channel}（{accountId}）能收到消息，但无法存储",
  },
  "gauges.channel.not-delivering": {
    en: "{channel} ({accountId}) could not deliver its last message",
    zh: "{channel}（{accountId}）未能送出上一条消息",
  },
} satisfies TextTable;
