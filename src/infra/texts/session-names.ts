import type { TextTable } from "./table.ts";

/** The names that people give to sessions. */
export const sessionNameTexts = {
  "sessions.rename": {
    en: "name a session; without a name, remove it",
    zh: "给会话起名；不写名称则去掉名称",
  },
  "sessions.rename.label": { en: "its new name", zh: "新名称" },
  "sessions.renamed": { en: "{id} is now called “{label}”.", zh: "{id} 现在名为“{label}”。" },
  "sessions.unnamed": { en: "{id} no longer has a name.", zh: "{id} 已没有名称。" },
  "sessions.channel": { en: "only those of this channel", zh: "只看此频道的" },
  "sessions.state": { en: "only active or only ended ones", zh: "只看进行中（active）或已结束（ended）的" },
} as const satisfies TextTable;
