/** What is said about a model in the config, by a provider's own list or by a refreshed file: its id, and as much more as is known. */
import { Type, type Static } from "typebox";
import { ModelPrice, type ModelRecord } from "../model-record.ts";

export const ModelEntry = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.Optional(Type.String()),
  contextWindow: Type.Optional(Type.Number({ minimum: 1 })),
  maxTokens: Type.Optional(Type.Number({ minimum: 1 })),
  reasoning: Type.Optional(Type.Boolean()),
  input: Type.Optional(Type.Array(Type.String())),
  cost: Type.Optional(ModelPrice),
  compat: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type ModelEntry = Static<typeof ModelEntry>;

/** Where the newest word about a model comes from. */
export type ModelSource = "built-in" | "refreshed" | "local" | "config";

export type CatalogueModel = ModelRecord & {
  source: ModelSource;
  /** Nobody said how much fits into it: the smallest that is usual is taken. */
  assumed?: boolean;
  /** No list has it; it may exist all the same. */
  unlisted?: boolean;
};

/** What holds for every model of a provider. */
export type ProviderFacts = Pick<ModelRecord, "provider" | "api" | "baseUrl" | "headers" | "compat"> & {
  /** It takes no money: a price that nobody said is none. */
  isFree?: true;
};

/** Small enough for nearly every model of today: too little costs an early summary, too much an error in every long conversation. */
const assumedLimits = { contextWindow: 32_768, maxTokens: 4096 };

/** Lays an entry over what is known, or over what a model of this provider can be assumed to be. */
export function completeModel(
  entry: ModelEntry,
  known: CatalogueModel | undefined,
  { source, facts }: { source: ModelSource; facts: ProviderFacts },
): CatalogueModel {
  const { isFree, ...common } = facts;
  const base: CatalogueModel = known ?? {
    ...common,
    id: entry.id,
    name: entry.id,
    reasoning: false,
    input: ["text"],
    ...assumedLimits,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    source,
    assumed: true,
    ...(isFree ? {} : { unpriced: true }),
  };
  const { name, contextWindow, maxTokens, reasoning, cost, compat } = entry;
  const { assumed, unpriced, ...rest } = base;
  const window = contextWindow ?? base.contextWindow;
  return {
    ...rest,
    source,
    contextWindow: window,
    // An answer is part of what has to fit.
    maxTokens: maxTokens ?? Math.min(base.maxTokens, window),
    ...(name ? { name } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(entry.input ? { input: inputsOf(entry.input) } : {}),
    ...(cost ? { cost } : unpriced ? { unpriced } : {}),
    ...(compat ? { compat: { ...base.compat, ...compat } } : {}),
    ...(assumed && contextWindow === undefined ? { assumed } : {}),
  };
}

const inputsOf = (given: readonly string[]): ModelRecord["input"] =>
  given.includes("image") ? ["text", "image"] : ["text"];
