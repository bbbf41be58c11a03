import type { TextTable } from "./table.ts";

/** What a turn that read texts of others changed, said at its end by every surface. */
export const changesTexts = {
  "changes.head": {
    en: "Changed after reading texts of others – files: {files} (+{added} −{removed})",
    zh: "读过他人文本之后的更改：{files} 个文件（+{added} −{removed}）",
  },
  "changes.how": {
    en: "See it: {show} · undo it: {undo}",
    zh: "查看：{show} · 撤销：{undo}",
  },
  "changes.set-aside": {
    en: "A program wrote {path}, which steers the assistant or runs by itself. It is not in place: it is kept as {keptAs}. To accept it, rename it.",
    zh: "某程序写了 {path}，它会控制助手或自行运行。它没有生效，保存为 {keptAs}。若接受，请自行改名。",
  },
  "changes.not-whole": {
    en: "Some of it is too large to show, or is no text.",
    zh: "其中一部分太大或不是文本，无法显示。",
  },
  "changes.long": { en: "The diff has {lines} lines.", zh: "差异共 {lines} 行。" },
} as const satisfies TextTable;
