/**
 * Everything a person reads, in English and Chinese, side by side. One file per area under `texts/`;
 * a text that lacks a language does not compile. `{name}` in a text is filled from the parameters.
 */
import { backupTexts } from "./texts/backups.ts";
import { configTexts } from "./texts/config.ts";
import { failureTexts } from "./texts/failures.ts";
import { generalTexts } from "./texts/general.ts";
import { maintenanceTexts } from "./texts/maintenance.ts";
import { storageTexts } from "./texts/storage.ts";
import type { Language } from "./texts/table.ts";
import { turnTexts } from "./texts/turn.ts";

const table = {
  ...configTexts,
  ...failureTexts,
  ...generalTexts,
  ...maintenanceTexts,
  ...backupTexts,
  ...storageTexts,
  ...turnTexts,
};

export type TextKey = keyof typeof table;

/** Says a text in the language it was made for. */
export type Say = (key: TextKey, parameters?: Record<string, string | number>) => string;

export function createSay(language: Language): Say {
  return (key, parameters = {}) =>
    table[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name];
      return value === undefined ? whole : String(value);
    });
}
