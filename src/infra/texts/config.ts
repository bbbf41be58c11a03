import type { TextTable } from "./table.ts";

export const configTexts = {
} satisfies TextTable;
