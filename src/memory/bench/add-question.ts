/** Adds a person's own question to a set. */
import { failure } from "../../infra/failure.ts";
import type { BenchCollection, BenchSet } from "./bench-set.ts";

export const ownQuestions = "own";

/**
 * The set with the question in it. Without places it is one that nothing answers, and goes to the first collection. Throws
 * `usage/not-found` for a place that the set does not have.
 */
export function addQuestion(
  set: BenchSet,
  { text, relevant }: { text: string; relevant: readonly string[] },
): { set: BenchSet; id: string } {
  const collection = collectionWith(set, relevant);
  const id = freeId(collection);
  const query = { id, text, category: ownQuestions, relevant: [...new Set(relevant)] };
  const { headline } = set;
  return {
    id,
    set: {
      ...set,
      ...(headline?.length ? { headline: [...new Set([...headline, ownQuestions])] } : {}),
      collections: set.collections.map((each) =>
        each === collection ? { ...each, queries: [...each.queries, query] } : each,
      ),
    },
  };
}

function collectionWith({ collections }: BenchSet, places: readonly string[]): BenchCollection {
  const missing = (collection: BenchCollection): string | undefined => {
    const ids = new Set(collection.docs.map(({ id }) => id));
    return places.find((place) => !ids.has(place));
  };
  const found = collections.find((collection) => missing(collection) === undefined);
  if (found) return found;
  const [first] = collections;
  const id = (first && missing(first)) ?? places[0] ?? "";
  throw failure("usage/not-found", "memory.bench.no-place", { id }, { hint: "memory.bench.no-place.hint" });
}

function freeId({ queries }: BenchCollection): string {
  const taken = new Set(queries.map(({ id }) => id));
  for (let number = 1; ; number++)
    if (!taken.has(`${ownQuestions}-${number}`)) return `${ownQuestions}-${number}`;
}
