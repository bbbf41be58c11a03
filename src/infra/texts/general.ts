import type { TextTable } from "./table.ts";

export const generalTexts = {
  "error.prefix": { en: "pincer: {message}", zh: "pincer：{message}" },
  "error.hint": { en: "  → {hint}", zh: "  → {hint}" },
} satisfies TextTable;
