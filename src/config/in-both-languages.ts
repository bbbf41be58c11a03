/** Texts of the catalogue that stand inside other texts. Their parameters are plain, so each comes in both languages. */
import { createSay, type TextKey } from "../infra/texts.ts";

/** A text of the catalogue and what fills it. */
export interface Wording {
  key: TextKey;
  parameters: Record<string, string | number>;
}

const english = createSay("en");
const chinese = createSay("zh");

export const inEnglish = ({ key, parameters }: Wording): string => english(key, parameters);

/** As parameters of another text: `{name}` there is English, `{nameZh}` is Chinese. */
export const inBothLanguages = (name: string, { key, parameters }: Wording): Record<string, string> => ({
  [name]: english(key, parameters),
  [`${name}Zh`]: chinese(key, parameters),
});
