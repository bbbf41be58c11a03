import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { allTexts } from "../src/infra/texts/all-texts.ts";
import { createTextShelf } from "../src/infra/texts/text-shelf.ts";
import { shelve } from "./shelve-texts.ts";

it.each(["en", "zh"] as const)("every text in %s is on its shelf as it was written", (language) => {
  const folder = mkdtempSync(join(tmpdir(), "pincer-shelf-"));
  const path = join(folder, "texts.json");
  const { content, parts } = shelve(allTexts, language);
  writeFileSync(path, content);
  const { find } = createTextShelf({ file: pathToFileURL(path), parts });
  const texts = Object.entries(allTexts);
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter(([key, text]) => find(key) !== text[language]).map(([key]) => key)).toEqual([]);
  rmSync(folder, { recursive: true });
});
