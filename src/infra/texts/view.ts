import type { TextTable } from "./table.ts";

/** Why a request shows of its session what it shows. */
export const viewTexts = {
  "view.summary": {
    en: "replaces messages that were summarised",
    zh: "代表已被总结的消息",
  },
  "view.handoff": { en: "the context starts at this handoff", zh: "上下文从这次交接开始" },
  "view.earlier-session": {
    en: "the summary of the previous session",
    zh: "上一个会话的总结",
  },
  "view.cut": {
    en: "says that there are more messages than shown",
    zh: "说明还有未显示的内容",
  },
  "view.history": {
    en: "what was said before this turn",
    zh: "本轮之前说过的内容",
  },
  "view.handles": {
    en: "earlier turns that read texts of others, shown as handles and your own words",
    zh: "读过他人文字的较早轮次，只显示编号和你自己的话",
  },
  "view.mark-handle": {
    en: "made of texts of others, so only a handle and your own words are shown",
    zh: "由他人的文字产生，因此只显示编号和你自己的话",
  },
  "view.opened": {
    en: "of the turn before, opened because your words are about it",
    zh: "来自上一轮，因为你的话与它有关而打开",
  },
  "view.pruned": {
    en: "old tool results, shortened since the last long pause; the session keeps them in full",
    zh: "旧的工具结果，自上次长时间停顿后只显示一部分；会话中保留完整内容",
  },
  "view.left-out": {
    en: "not shown: the model's window is full",
    zh: "未显示：模型的窗口放不下",
  },
  "view.shortened": {
    en: "shown in part: the model's window is full",
    zh: "只显示一部分：模型的窗口放不下",
  },
  "view.turn": {
    en: "the current turn",
    zh: "本轮",
  },
} satisfies TextTable;
