import type { TextTable } from "./table.ts";

/** What is said about messages on their way, to the people who wait for them and to the owner. */
export const channelTexts = {
  "delivery.repeat-mark": { en: "(maybe sent twice) ", zh: "（可能重复）" },
  "delivery.expired": {
    en: "An answer from {time} could not be delivered in time. Ask again if you still need it.",
    zh: "{time} 的一条回复未能及时送达。如仍需要，请再问一次。",
  },
  "delivery.rejected": {
    en: "An answer from {time} could not be delivered here: the network rejected it.",
    zh: "{time} 的一条回复无法送达：被拒绝。",
  },
  "delivery.uncertain": {
    en: "An answer from {time} may not have arrived. Ask again if you miss it.",
    zh: "{time} 的一条回复可能没有送达。如未看到，请再问一次。",
  },
  "delivery.notice.expired": {
    en: "A message to {peer} on {channel} ({accountId}) was not delivered in time: {reason}. `pincer outbox retry {id}` sends it anyway.",
    zh: "发往 {channel}（{accountId}）{peer} 的一条消息未能及时送达：{reason}。可用 `pincer outbox retry {id}` 重新发送。",
  },
  "delivery.notice.rejected": {
    en: "A message to {peer} on {channel} ({accountId}) was rejected: {reason}. `pincer outbox retry {id}` tries again.",
    zh: "发往 {channel}（{accountId}）{peer} 的一条消息被拒绝：{reason}。可用 `pincer outbox retry {id}` 再试一次。",
  },
  "delivery.notice.uncertain": {
    en: "It is unknown whether a message to {peer} on {channel} ({accountId}) arrived: {reason}. `pincer outbox retry {id}` sends it again.",
    zh: "无法确认发往 {channel}（{accountId}）{peer} 的一条消息是否送达：{reason}。可用 `pincer outbox retry {id}` 再发一次。",
  },
  "channel.message.malformed": {
    en: "The channel {channel} delivered a malformed message: {reason}",
    zh: "频道 {channel} 送来的消息格式不正确：{reason}",
  },
  "channel.message.malformed.hint": {
    en: "The connector must skip it; delivering it again does not help.",
    zh: "连接器必须跳过它；再次投递没有用。",
  },
  "channel.message.too-long": {
    en: "A message on {channel} has {size} bytes of text; the limit is {limit}.",
    zh: "{channel} 上的一条消息有 {size} 字节文本；上限为 {limit}。",
  },
  "channel.message.too-long.hint": {
    en: "Send it in parts, or as a file.",
    zh: "请分段发送，或作为文件发送。",
  },
  "channel.no-connector": {
    en: "There is no connector for the channel {channel}.",
    zh: "没有频道 {channel} 的连接器。",
  },
  "channel.bad-config": {
    en: "The settings of {channel} ({accountId}) cannot be used: {reason}",
    zh: "{channel}（{accountId}）的设置无法使用：{reason}",
  },
  "channel.disabled": { en: "disabled in the config", zh: "已在配置中关闭" },
  "channel.deaf": {
    en: "nothing was received for too long; reconnecting",
    zh: "太久没有收到任何信号；正在重新连接",
  },
  "channel.connect-timeout": {
    en: "it did not connect within {seconds} s",
    zh: "{seconds} 秒内未能连接",
  },
  "media.too-large": {
    en: "The file has {size} bytes; the limit is {limit}.",
    zh: "文件有 {size} 字节，过大无法保存；上限为 {limit}。",
  },
  "media.too-large.hint": { en: "Send a smaller one.", zh: "请发送较小的文件。" },
  "media.not-found": { en: "There is no file {media}.", zh: "没有 {media} 对应的文件。" },
  "media.not-found.hint": {
    en: "It may have been deleted; send it again.",
    zh: "可能已被删除；请重新发送。",
  },
} satisfies TextTable;
