import type { TextTable } from "./table.ts";

/** Undoing what turns changed in the workdir. */
export const undoTexts = {
  "undo.about": {
    en: "undo what a turn changed in the workdir",
    zh: "撤销某一轮对工作目录的更改",
  },
  "undo.turn": {
    en: "which turn, as --list shows it (default: the newest of the session)",
    zh: "哪一轮（见 --list）；不写则为会话中最新的一轮",
  },
  "undo.list": { en: "list what can be undone", zh: "列出可以撤销的更改" },
  "undo.show": { en: "only show what it changed, line by line", zh: "只逐行显示它的更改" },
  "undo.force": { en: "also restore what was changed again since", zh: "之后又被修改的也恢复" },
  "undo.session": { en: "which session (default: the main one)", zh: "哪个会话；不写则为主会话" },
  "undo.list.none": { en: "There is nothing to undo.", zh: "没有可以撤销的更改。" },
  "undo.sure": { en: "Undo this?", zh: "恢复这些内容？" },
  "undo.not": { en: "Nothing was undone.", zh: "没有恢复任何内容。" },

  "undo.line": { en: "{turnId} · {at} · {files}", zh: "{turnId} · {at} · {files}" },
  "undo.line.undone": {
    en: "{turnId} · {at} · {files} – undone",
    zh: "{turnId} · {at} · {files} – 已撤销",
  },
  "undo.line.undoes": {
    en: "{turnId} · {at} · undid {undoes}: {files}",
    zh: "{turnId} · {at} · 撤销了 {undoes}：{files}",
  },
  "undo.diff": {
    en: "What {turnId} changed – files: {files} (+{added} −{removed})",
    zh: "{turnId} 的更改：{files} 个文件（+{added} −{removed}）",
  },
  "undo.changed": { en: "What {turnId} changed:", zh: "{turnId} 的更改：" },
  "undo.done": { en: "Restored to the state before {turnId}:", zh: "已恢复到 {turnId} 之前：" },
  "undo.done.nothing": {
    en: "{turnId} left nothing to undo.",
    zh: "{turnId} 没有需要恢复的内容。",
  },
  "undo.path.made": { en: "created: {path}", zh: "新建：{path}" },
  "undo.path.changed": { en: "changed: {path}", zh: "修改：{path}" },
  "undo.path.removed": { en: "removed: {path}", zh: "删除：{path}" },
  "undo.more": { en: "… and {count} more", zh: "…… 另有 {count} 项" },
  "undo.conflicts": {
    en: "Changed again since, and not restored: {paths}",
    zh: "之后又被修改，保持原样：{paths}",
  },
  "undo.conflicts.force": {
    en: "To restore these too: {command}",
    zh: "若也要恢复它们：{command}",
  },
  "undo.not-kept": {
    en: "No snapshot (too large or not readable), so not restored: {paths}",
    zh: "未保存（过大或无法读取），因此未恢复：{paths}",
  },
  "undo.again": { en: "To redo it: {command}", zh: "若要撤回此操作：{command}" },
  "undo.nothing": {
    en: "There is nothing left to undo in this session.",
    zh: "本会话中没有可以撤销的更改。",
  },
  "undo.nothing.hint": {
    en: "`pincer undo --list` lists the changes of all sessions.",
    zh: "用 `pincer undo --list` 查看所有会话的更改。",
  },
  "undo.owner-only": { en: "Only my owner can undo changes.", zh: "只有我的所有者可以撤销更改。" },
  "undo.off": {
    en: "Undo is disabled, so nothing can be undone.",
    zh: "这里不保存各轮的更改，因此无法撤销。",
  },
  "undo.off.hint": {
    en: "Enable it for the future with `pincer config set tools.undo.enabled true`.",
    zh: "用 `pincer config set tools.undo.enabled true` 从现在起保存。",
  },

  "undo.unknown": { en: "There is no snapshot of {turnId}.", zh: "没有保存 {turnId} 的更改。" },
  "undo.unknown.hint": {
    en: "`pincer undo --list` lists what can be undone.",
    zh: "用 `pincer undo --list` 查看可以撤销的更改。",
  },
  "undo.running": {
    en: "Turn {turnId} is still running in another process.",
    zh: "轮次 {turnId} 仍在另一个进程中运行。",
  },
  "undo.running.hint": {
    en: "Try again when it is over.",
    zh: "请在其结束后重试。",
  },
  "undo.already": {
    en: "{turnId} was already undone by {undoneBy}.",
    zh: "{turnId} 已被 {undoneBy} 撤销。",
  },
  "undo.already.hint": {
    en: "`pincer undo {undoneBy}` redoes its changes.",
    zh: "用 `pincer undo {undoneBy}` 可恢复其更改。",
  },
  "undo.no-workdir": {
    en: "The workdir that {turnId} changed no longer exists: {workdir}",
    zh: "{turnId} 所更改的工作目录已不存在：{workdir}",
  },
  "undo.no-workdir.hint": {
    en: "Create it again, then undo.",
    zh: "请在原处重新建立该目录后再撤销。",
  },
} satisfies TextTable;
