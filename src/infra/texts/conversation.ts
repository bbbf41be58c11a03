import type { TextTable } from "./table.ts";

/** What a turn would say elsewhere, and how much it may do before it ends. */
export const conversationTexts = {
  "conversation.to-here": { en: "in this conversation: {text}", zh: "在本对话中：{text}" },
  "conversation.to-place": { en: "to {place}: {text}", zh: "发给 {place}：{text}" },
  "conversation.to-name": { en: "to {name} ({place}): {text}", zh: "发给 {name}（{place}）：{text}" },
  "conversation.to-session": { en: "to the session {session}: {text}", zh: "发到会话 {session}：{text}" },

  "limit.messages": {
    en: "this would exceed {count} messages per minute (tools.limits.messagesPerMinute).",
    zh: "一分钟内的消息将超过 {count} 条（tools.limits.messagesPerMinute）。",
  },
  "limit.deleted-files": {
    en: "{deleted} files were deleted; one turn may delete {count} (tools.limits.deletedFiles). /undo restores them.",
    zh: "已有 {deleted} 个文件消失，而单轮最多可删除 {count} 个（tools.limits.deletedFiles）。/undo 可恢复。",
  },
} satisfies TextTable;
