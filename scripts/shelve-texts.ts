/**
 * The texts of the built product: a file per language, read part by part when something is said. As code, all of them in both languages would
 * be loaded and kept by every command and every gateway.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { allTexts } from "../src/infra/texts/all-texts.ts";
import { partOf, type ShelfParts } from "../src/infra/texts/text-shelf.ts";
import type { Language, TextTable } from "../src/infra/texts/table.ts";

const languages: readonly Language[] = ["en", "zh"];

export interface ShelvedTexts {
  content: string;
  parts: ShelfParts;
}

/** All texts of a language as JSON, part after part, and where each part stands. */
export function shelve(texts: TextTable, language: Language): ShelvedTexts {
  const byPart = Object.groupBy(Object.keys(texts), partOf);
  const parts: Record<string, [from: number, bytes: number]> = {};
  let content = "";
  for (const [part, keys = []] of Object.entries(byPart)) {
    const written = JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]?.[language]])));
    parts[part] = [Buffer.byteLength(content), Buffer.byteLength(written)];
    content += `${written}\n`;
  }
  return { content, parts };
}

const sourceOf = (name: string) => fileURLToPath(new URL(`../src/infra/texts/${name}`, import.meta.url));

interface Emitting {
  emitFile(file: { type: "asset"; fileName: string; source: string }): unknown;
}

/** A plugin of the bundler. The files' names tell what is in them: a gateway that runs while another build is made goes on with its own. */
export const shelvedTexts = {
  name: "shelved-texts",
  load(this: Emitting, id: string): string | undefined {
    if (id !== sourceOf("find-text.ts")) return undefined;
    const shelves = languages.map((language) => {
      const { content, parts } = shelve(allTexts, language);
      const digest = createHash("sha256").update(content).digest("hex").slice(0, 8);
      const fileName = `texts.${language}-${digest}.json`;
      this.emitFile({ type: "asset", fileName, source: content });
      return `${language}: createTextShelf({ file: new URL("./${fileName}", import.meta.url), parts: ${JSON.stringify(parts)} })`;
    });
    return `import { createTextShelf } from ${JSON.stringify(sourceOf("text-shelf.ts"))};
const shelves = { ${shelves.join(", ")} };
export const findText = (key, language) => shelves[language].find(key);
`;
  },
};
