/** What the gauges say when something is not as it should be. */
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
    en: "the process was blocked for seconds",
    zh: "进程曾停顿数秒",
  },
  "gauges.loop.late": {
    en: "the process is late by {ms} ms",
    zh: "进程延迟 {ms} 毫秒",
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
  "gauges.channel.not-delivering": {
    en: "{channel} ({accountId}) could not deliver its last message",
    zh: "{channel}（{accountId}）未能送出上一条消息",
  },
} satisfies TextTable;
