import type { TextTable } from "./table.ts";

/** How the owner is asked before something is done, in a chat. */
export const approvalWordTexts = {
  "approval.asks": { en: "May I do this? {tool}, request {id}:", zh: "可以执行吗？{tool}，请求 {id}：" },
  "approval.asks-many": {
    en: "May I do these {count} things? Request {id}:",
    zh: "可以执行这 {count} 项吗？请求 {id}：",
  },
  "approval.item": { en: "{number}. {tool}", zh: "{number}. {tool}" },
  "approval.directory": { en: "In: {directory}", zh: "目录：{directory}" },
  "approval.environment": { en: "Environment: {values}", zh: "环境变量：{values}" },
  "approval.programs": { en: "Programs: {values}", zh: "程序：{values}" },
  "approval.wall": { en: "Sandbox: {wall}", zh: "隔离：{wall}" },
  "approval.wall.none": { en: "none", zh: "无" },
  "approval.whose": { en: "For {person}, in {session}", zh: "为 {person}，会话 {session}" },
  "approval.reason": { en: "Why I ask: {reason}", zh: "为什么问：{reason}" },
  "approval.cause.alone": { en: "It is about {argument} = {value}.", zh: "涉及 {argument} = {value}。" },
  "approval.cause": {
    en: "{argument} = {value} comes from {from}.",
    zh: "{argument} = {value}，来自 {from}。",
  },
  "approval.cause.sentence": {
    en: "{argument} = {value} comes from {from}: {sentence}",
    zh: "{argument} = {value}，来自 {from}：{sentence}",
  },
  "approval.others": { en: "Also waiting: {others}.", zh: "还在等待：{others}。" },
  "approval.how": {
    en: "Answer /approve {id} {scopes} or /deny {id}. Without an answer by {until} it counts as denied.",
    zh: "回复 /approve {id} {scopes} 或 /deny {id}。到 {until} 仍无答复则视为拒绝。",
  },
  "approval.how-many": {
    en: "Answer /approve {id} {scopes} for all of them, /approve {id} {number} for number {number} alone (the others are denied), or /deny {id}. Without an answer by {until} it counts as denied.",
    zh: "全部同意：/approve {id} {scopes}；只同意第 {number} 项（其余拒绝）：/approve {id} {number}；全部拒绝：/deny {id}。到 {until} 仍无答复则视为拒绝。",
  },
  "approval.more": {
    en: "… ({count} more characters: `pincer approvals show {id}`)",
    zh: "……（还有 {count} 个字符：`pincer approvals show {id}`）",
  },
  "approval.press.once": { en: "Yes, once", zh: "同意，仅此一次" },
  "approval.press.task": { en: "Yes, for this task", zh: "本次任务内都同意" },
  "approval.press.while": { en: "Yes, for 30 minutes", zh: "30 分钟内都同意" },
  "approval.press.recipient": {
    en: "Yes, always for this recipient or host",
    zh: "对此收件人或主机一直同意",
  },
  "approval.press.shape": { en: "Yes, always for commands like this", zh: "对这类命令一直同意" },
  "approval.press.no": { en: "No", zh: "拒绝" },
  "approval.press.all": { en: "Yes to all ({scope})", zh: "全部同意（{scope}）" },
  "approval.press.only": { en: "Only {number}", zh: "只同意第 {number} 项" },
  "approval.press.none": { en: "No to all", zh: "全部拒绝" },
  "approval.scope.once": { en: "once", zh: "仅此一次" },
  "approval.scope.task": { en: "for this task", zh: "本次任务内" },
  "approval.scope.while": { en: "for 30 minutes", zh: "30 分钟内" },
  "approval.scope.recipient": { en: "always for this recipient or host", zh: "对此收件人或主机一直有效" },
  "approval.scope.shape": { en: "always for commands like this", zh: "对这类命令一直有效" },
  "approval.approved-by": { en: "{id}: approved {scope} by {by}.", zh: "{id}：已由 {by} 批准（{scope}）。" },
  "approval.chosen-by": {
    en: "{id}: {by} approved {yes} ({scope}) and denied {no}.",
    zh: "{id}：{by} 批准了第 {yes} 项（{scope}），拒绝了第 {no} 项。",
  },
  "approval.denied-by": { en: "{id}: denied by {by}.", zh: "{id}：已由 {by} 拒绝。" },
  "approval.owner-asked": {
    en: "I have to ask my owner first. I continue when they have answered.",
    zh: "这件事我要先问过所有者，得到答复后我会继续。",
  },
  "notice.approval": {
    en: "{tool} needs your approval (for {person}): `pincer approvals show {id}`, then `pincer approvals approve {id}` or `deny {id}`.",
    zh: "{tool} 等待你的同意（为 {person}）：先用 `pincer approvals show {id}` 查看，再用 `pincer approvals approve {id}` 或 `deny {id}` 答复。",
  },
} satisfies TextTable;
