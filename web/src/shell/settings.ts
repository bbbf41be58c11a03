/** The settings that a browser stores: theme and language. */
import type { Language } from "../texts/texts.ts";

export type Theme = "auto" | "light" | "dark";
const themes: readonly string[] = ["auto", "light", "dark"];

export interface Settings {
  theme: Theme;
  language: Language;
}

export function readSettings(storage: Pick<Storage, "getItem">, browserLanguage: string): Settings {
  const theme = storage.getItem("pincer.theme") ?? "auto";
  const language = storage.getItem("pincer.language");
  const usual = browserLanguage.toLowerCase().startsWith("zh") ? "zh" : "en";
  return {
    theme: themes.includes(theme) ? (theme as Theme) : "auto",
    language: language === "en" || language === "zh" ? language : usual,
  };
}

export function keepSettings(storage: Pick<Storage, "setItem">, settings: Settings): void {
  storage.setItem("pincer.theme", settings.theme);
  storage.setItem("pincer.language", settings.language);
}

export function applySettings(root: HTMLElement, { theme, language }: Settings): void {
  if (theme === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  root.lang = language === "zh" ? "zh-CN" : "en";
}
