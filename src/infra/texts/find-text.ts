/**
 * Where a text is looked up. The build puts another module in this one's place, which reads the texts from a file when they are said: every
 * command would load all of them, in two languages, to say a handful in one.
 */
import { allTexts } from "./all-texts.ts";
import type { Language } from "./table.ts";

export const findText = (key: keyof typeof allTexts, language: Language): string => allTexts[key][language];
