import type { Language } from "./texts/table.ts";

/** PINCER_LANG, then LC_ALL, LC_MESSAGES, LANG; anything that is not Chinese is English. */
export function languageOf(environment: Record<string, string | undefined>): Language {
  for (const name of ["PINCER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]) {
    const value = environment[name];
    if (value) return value.toLowerCase().startsWith("zh") ? "zh" : "en";
  }
  return "en";
}
