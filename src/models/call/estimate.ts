/** What a request costs, before anybody has counted. */
import type { ModelPrice, ModelRecord } from "../model-record.ts";

/** The question alone, in US dollars, at the highest price that may apply. */
export const estimateCost = ({ cost }: Pick<ModelRecord, "cost">, tokens: number): number =>
  (tokens *
    Math.max(...ratesFor(cost, tokens).flatMap((each) => [each.input, each.cacheRead, each.cacheWrite]))) /
  1_000_000;

/** US dollars per million tokens of an answer to so long a question, at the highest price that may apply. */
export const outputPriceOf = ({ cost }: Pick<ModelRecord, "cost">, tokens: number): number =>
  Math.max(...ratesFor(cost, tokens).map(({ output }) => output));

type Rates = Omit<ModelPrice, "tiers">;

/** In some languages and formats a token has half the bytes that are usual. */
const atMostTimes = 2;

/** The price, and each tier that the question could reach. */
const ratesFor = (price: ModelPrice, tokens: number): [Rates, ...Rates[]] => [
  price,
  ...(price.tiers ?? []).filter(({ inputTokensAbove }) => inputTokensAbove < tokens * atMostTimes),
];
