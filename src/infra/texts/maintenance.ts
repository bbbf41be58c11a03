import type { TextTable } from "./table.ts";

export const maintenanceTexts = {
} satisfies TextTable;
