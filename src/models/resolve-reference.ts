/** Resolves the name of a model, and suggests others if there is no such model. */
import { distance } from "fastest-levenshtein";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueModel } from "./catalogue/model-entry.ts";
import { referenceOf } from "./model-record.ts";

export type Resolution =
  | { found: true; model: CatalogueModel }
  /** `nearest`: as references, the likeliest first; of an ambiguous name, those that it fits. */
  | {
      found: false;
      reason: "unknown-provider" | "unknown-model" | "no-model" | "ambiguous";
      nearest: string[];
    };

export type ModelIndex = Pick<Catalogue, "find" | "list" | "firstOf" | "providerIds">;

/**
 * `provider/model`, whose id may hold slashes; a provider alone, which is its usual model; a model alone, where one provider has it, or one
 * of those that `prefers`. A model that its provider's list lacks is not found; a provider without a list is believed.
 */
export async function resolveReference(
  text: string,
  index: ModelIndex,
  prefers: (provider: string) => boolean = () => false,
): Promise<Resolution> {
  const name = text.trim();
  const slash = name.indexOf("/");
  const provider = slash < 0 ? name : name.slice(0, slash);
  if (index.providerIds().includes(provider)) {
    if (slash >= 0) return inProvider(provider, name, index);
    const model = await index.firstOf(provider);
    return model ? { found: true, model } : { found: false, reason: "no-model", nearest: [] };
  }

  const all = await index.list({});
  const same = all.filter(({ id }) => id === name);
  const preferred = same.filter((model) => prefers(model.provider));
  const [only, ...others] = preferred.length > 0 ? preferred : same;
  if (only && others.length === 0) return { found: true, model: only };
  if (only) return { found: false, reason: "ambiguous", nearest: same.map(referenceOf) };
  if (slash < 0) return { found: false, reason: "unknown-model", nearest: nearestOf(name, all) };
  const [likely] = closest(provider, index.providerIds(), (id) => id);
  const nearest = likely ? [`${likely}${name.slice(slash)}`] : [];
  return { found: false, reason: "unknown-provider", nearest };
}

async function inProvider(provider: string, reference: string, index: ModelIndex): Promise<Resolution> {
  const listed = await index.list({ provider });
  const named = (name: string) => listed.find((each) => referenceOf(each) === name);
  // Ollama's own way: a name without a tag means the latest.
  const model = named(reference) ?? named(`${reference}:latest`);
  if (model) return { found: true, model };
  // Only those have a whole list; the config names some of many.
  const hasWholeList = listed.some(({ source }) => source === "built-in" || source === "local");
  const believed = hasWholeList ? undefined : await index.find(reference);
  if (believed) return { found: true, model: believed };
  return { found: false, reason: "unknown-model", nearest: nearestOf(reference, listed) };
}

const most = 3;

function nearestOf(name: string, models: readonly CatalogueModel[]): string[] {
  const wanted = name.slice(name.indexOf("/") + 1);
  return closest(wanted, models, ({ id }) => id).map(referenceOf);
}

/** By how many letters differ; what holds the wanted word whole comes before what only resembles it. */
function closest<Item>(wanted: string, items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const word = wanted.toLowerCase();
  if (word === "") return [];
  const bound = Math.max(2, Math.floor(word.length / 3));
  return items
    .map((item) => {
      const name = nameOf(item).toLowerCase();
      const letters = distance(word, name);
      return { item, letters: name.includes(word) ? Math.min(letters, 1) : letters };
    })
    .filter(({ letters }) => letters <= bound)
    .toSorted((one, other) => one.letters - other.letters)
    .slice(0, most)
    .map(({ item }) => item);
}
