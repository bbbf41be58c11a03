export type Language = "en" | "zh";
/** Texts by key, each in every language. */
export type TextTable = Record<string, Record<Language, string>>;
