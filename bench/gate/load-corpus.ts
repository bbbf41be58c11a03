/** The cases: those of this folder, or a file of somebody else's. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Case, Corpus } from "./corpus/case.ts";

const folder = join(import.meta.dirname, "corpus");

export async function loadCorpus(given?: string): Promise<Case[]> {
  const files =
    given === undefined
      ? readdirSync(folder)
          .filter((name) => /^(attacks|tasks)[\w-]*\.(ts|json)$/.test(name))
          .sort()
          .map((name) => join(folder, name))
      : [resolve(given)];
  const cases = (await Promise.all(files.map(readCases))).flat();
  const ids = cases.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`these ids are there twice: ${twice.join(", ")}`);
  return cases;
}

async function readCases(file: string): Promise<Corpus> {
  if (file.endsWith(".json")) return JSON.parse(readFileSync(file, "utf8")) as Corpus;
  const module = (await import(pathToFileURL(file).href)) as { cases?: Corpus };
  if (!module.cases) throw new Error(`${file} exports no cases`);
  return module.cases;
}

/** `attacks`, `tasks`, or a part of an id, a class, a carrier or a kind. */
export function isWanted(each: Case, only: readonly string[]): boolean {
  if (only.length === 0) return true;
  const names = each.type === "attack" ? [each.class, each.carrier, "attacks"] : [each.kind, "tasks"];
  return only.some((wish) => each.id.includes(wish) || names.includes(wish));
}
