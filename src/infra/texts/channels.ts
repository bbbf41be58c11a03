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
  "reply.as-file": {
    en: "(The whole answer would take {messages} messages, so it is in this file.)",
    zh: "（完整回答需要 {messages} 条消息，已放入此文件。）",
  },
  "reply.on-page": {
    en: "(This is the beginning: {shown} of {messages} messages. The whole answer is on the page: {address} Shall I continue here?)",
    zh: "（这是开头：共 {messages} 条消息，已发 {shown} 条。完整回答见页面：{address} 要在这里继续吗？）",
  },
  "reply.go-on": {
    en: "(This is the beginning: {shown} of {messages} messages. Shall I continue?)",
    zh: "（这是开头：共 {messages} 条消息，已发 {shown} 条。要继续吗？）",
  },
  "waiting.not-stored": {
    en: "I cannot store messages right now, so I have not taken yours. I keep trying; if no answer comes, please send it again later.",
    zh: "我现在无法保存消息，所以还没有收下你的这条。我会继续尝试；如果一直没有回答，请稍后再发一次。",
  },
  "waiting.held": {
    en: "I have your message, but cannot work on it right now because of trouble on my side. I will answer as soon as that is over.",
    zh: "你的消息已收到，但我这边出了问题，暂时无法处理。一旦恢复，我会马上回答。",
  },
  "waiting.damaged": {
    en: "My stored data is damaged, so I cannot answer right now. My owner has to repair it.",
    zh: "我保存的数据已损坏，暂时无法回答。需要我的所有者来修复。",
  },
  "waiting.workdir": {
    en: "I have your message, but the folder that I work in is not there; perhaps a drive is not mounted. I will answer by myself when it is back.",
    zh: "你的消息已收到，但我的工作目录不在了，可能是磁盘没有挂载。等它恢复后，我会自动回答。",
  },
  "waiting.queued": {
    en: "I have your message. Others come first, so my answer takes a while.",
    zh: "你的消息已收到。前面还有别的任务，需要等一会儿才能回答。",
  },
  "waiting.too-fast": {
    en: "You write faster than I may answer. Your messages are stored and wait their turn.",
    zh: "你发得比我能回答的要快。消息都已保存，会依次处理。",
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
