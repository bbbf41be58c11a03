import type { TextTable } from "./table.ts";

/** The index of memory, and the thread that has it. */
export const memoryIndexTexts = {
  "memory.index.closed": { en: "The memory index is closed.", zh: "记忆索引已关闭。" },
  "memory.index.damaged": {
    en: "The memory index was damaged and is being rebuilt: {file}",
    zh: "记忆索引已损坏，正在重新建立：{file}",
  },
  "memory.index.damaged.hint": {
    en: "Nothing is lost: the index is built from memory files and conversations. `pincer memory index` rebuilds it now.",
    zh: "没有丢失任何内容：索引由记忆文件和对话生成。用 `pincer memory index` 立即重建。",
  },
  "memory.index.of-another-version": {
    en: "Another version of Pincer has rebuilt the memory index.",
    zh: "另一个版本的 Pincer 已重新建立记忆索引。",
  },
  "memory.index.of-another-version.hint": {
    en: "Restart this one.",
    zh: "请重启当前的 Pincer。",
  },
  "memory.index.thread-ended": {
    en: "The thread of the memory index has ended: {reason}",
    zh: "负责记忆索引的线程已结束：{reason}",
  },
  "memory.index.thread-ended.hint": {
    en: "The next search starts it again.",
    zh: "下一次搜索会重新启动它。",
  },
  "memory.file.bytes": {
    en: "it has {size} bytes, at most {most} are read",
    zh: "有 {size} 字节，最多读取 {most} 字节",
  },
  "memory.file.lines": {
    en: "it has {lines} lines, at most {most} are read",
    zh: "有 {lines} 行，最多读取 {most} 行",
  },
  "memory.file.outside": { en: "it is outside of the workdir", zh: "指向工作目录之外" },
  "memory.file.not-text": { en: "it is not a text file", zh: "不是文本文件" },
  "memory.file.not-regular": { en: "it is not a regular file", zh: "不是普通文件" },
  "memory.file.no-right": { en: "no permission to read it", zh: "没有读取权限" },
} satisfies TextTable;
