/** What is said about programs that were started for an agent. */
import type { TextTable } from "./table.ts";

export const programTexts = {
  "programs.too-many": {
    en: "{running} programs are running already, which is the limit.",
    zh: "已有 {running} 个程序在运行，不能同时运行更多。",
  },
  "programs.too-many.hint": {
    en: "End one of them, or raise tools.exec.maxProcesses.",
    zh: "请结束其中一个，或调高 tools.exec.maxProcesses。",
  },
  "programs.not-started": { en: "{file} could not be started: {reason}", zh: "无法启动 {file}：{reason}" },
  "programs.not-started.hint": {
    en: "Check that it is installed and executable: pincer doctor",
    zh: "请检查它是否已安装并可执行：pincer doctor",
  },
  "programs.no-way-out": {
    en: "The program's network proxy could not be opened, so the program was not started.",
    zh: "无法打开程序的网络频道，因此没有启动它。",
  },
  "programs.no-way-out.hint": {
    en: "Check that Pincer's home is writable and the disk has space: pincer doctor",
    zh: "请检查 Pincer 的主目录是否可写、磁盘是否有空间：pincer doctor",
  },
  "programs.not-loaded": {
    en: "The program runner could not be loaded.",
    zh: "无法加载运行程序的部分。",
  },
  "programs.not-loaded.hint": {
    en: "Try again; if that does not help, reinstall Pincer.",
    zh: "请重试；如果仍然如此，请重新安装 Pincer。",
  },
  "programs.closed": {
    en: "No more programs are started: Pincer is stopping.",
    zh: "不再启动程序：Pincer 正在结束。",
  },
  "programs.over": { en: "The program {id} has ended.", zh: "程序 {id} 已经结束。" },
  "programs.unknown-key": {
    en: "There is no key {key}. Available: {keys}.",
    zh: "没有名为 {key} 的按键。可用：{keys}。",
  },
} satisfies TextTable;
