/**
 * Everything a person reads, in English and Chinese, side by side. One file per area under `texts/`;
 * a text that lacks a language does not compile. `{name}` in a text is filled from the parameters.
 */
import { allTexts } from "./texts/all-texts.ts";
import type { Language } from "./texts/table.ts";

export type TextKey = keyof typeof allTexts;

export const isTextKey = (key: string): key is TextKey => Object.hasOwn(allTexts, key);

/** Says a text in the language it was made for. */
export type Say = (key: TextKey, parameters?: Record<string, string | number>) => string;

/** `typed` says how the commands in a text are typed where it is read. */
export function createSay(language: Language, typed: (text: string) => string = (text) => text): Say {
  return (key, parameters = {}) =>
    typed(allTexts[key][language]).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name];
      return value === undefined ? whole : String(value);
    });
}
