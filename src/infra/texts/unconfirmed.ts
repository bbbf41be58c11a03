import type { TextTable } from "./table.ts";

/** What was learnt from strangers and waits for the owner's word. */
export const unconfirmedTexts = {
  "failure.no-unconfirmed": {
    en: "No unconfirmed line of memory has the ref {ref}.",
    zh: "没有编号为 {ref} 的待确认记忆。",
  },
  "failure.no-unconfirmed.hint": {
    en: "`pincer memory unconfirmed` lists the unconfirmed lines, each with its ref.",
    zh: "用 `pincer memory unconfirmed` 查看待确认的内容及其编号。",
  },
  "failure.memory-file": {
    en: "{path} could not be changed: {reason}",
    zh: "无法修改 {path}：{reason}",
  },
  "failure.memory-file.hint": {
    en: "Fix the file, then try again; you can also confirm a line by removing its label in an editor.",
    zh: "请检查该文件后重试；也可以用编辑器删去标记，同样表示确认。",
  },
  "memory.search.unconfirmed": { en: "[unconfirmed, from {label}] ", zh: "[待确认，来自 {label}] " },
  "memory.unconfirmed": {
    en: "what was learnt from others and waits for your confirmation",
    zh: "来自他人、等待确认的记忆",
  },
  "memory.unconfirmed.list": { en: "list the unconfirmed lines", zh: "列出待确认的内容" },
  "memory.unconfirmed.none": { en: "No line waits for confirmation.", zh: "没有待确认的内容。" },
  "memory.unconfirmed.next": {
    en: "`pincer memory confirm <ref>` keeps a line for good, `pincer memory drop <ref>` deletes it.",
    zh: "`pincer memory confirm <编号>` 确认一行，`pincer memory drop <编号>` 删除一行。",
  },
  "memory.confirm": { en: "confirm a line", zh: "确认一行待确认的记忆" },
  "memory.confirm.all": { en: "all unconfirmed lines", zh: "所有待确认的内容" },
  "memory.confirm.which": {
    en: "Name the ref of a line, or use --all.",
    zh: "请指定编号，或使用 --all。",
  },
  "memory.confirm.done": { en: "Confirmed: {count}.", zh: "已确认：{count}。" },
  "memory.drop": { en: "delete an unconfirmed line", zh: "删除一行待确认的记忆" },
  "memory.drop.done": { en: "Deleted: {text}", zh: "已删除：{text}" },
  "memory.ref": {
    en: "its ref, as `pincer memory unconfirmed` shows it",
    zh: "`pincer memory unconfirmed` 显示的编号",
  },
  "command.about.remember": {
    en: "confirm what was learnt from others; without a ref: list it",
    zh: "确认来自他人的记忆；不带编号则列出待确认的内容",
  },
  "command.about.forget": {
    en: "delete what was learnt from others; without a ref: list it",
    zh: "删除来自他人的记忆；不带编号则列出待确认的内容",
  },
  "command.memory.confirm": { en: "Remembered: {text}", zh: "已记住：{text}" },
  "command.memory.drop": { en: "Forgotten: {text}", zh: "已忘记：{text}" },
  "command.memory.more": { en: "… and {count} more", zh: "……另有 {count} 行" },
  "command.memory.next": {
    en: "{prefix}remember <ref> keeps a line, {prefix}forget <ref> deletes it.",
    zh: "{prefix}remember <编号> 确认一行，{prefix}forget <编号> 删除一行。",
  },
  "command.memory.not-here": {
    en: "Unconfirmed lines are shown only in your own chat, not in a group.",
    zh: "待确认的内容只在你自己的聊天中显示，不在群里显示。",
  },
  "status.unconfirmed": { en: "memory", zh: "记忆" },
  "status.unconfirmed.value": {
    en: "{count} unconfirmed; see `pincer memory unconfirmed`",
    zh: "{count} 行待确认；用 `pincer memory unconfirmed` 查看",
  },
  "status.unconfirmed.unknown": {
    en: "could not be checked; see `pincer doctor`",
    zh: "无法查看；用 `pincer doctor` 了解原因",
  },
} satisfies TextTable;
