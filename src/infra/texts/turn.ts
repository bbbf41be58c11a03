import type { TextTable } from "./table.ts";

export const turnTexts = {
} satisfies TextTable;
