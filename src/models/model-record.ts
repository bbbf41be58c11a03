/** One model of the catalogue: its provider, wire format, address and price. */
import { Type, type Static } from "typebox";

const prices = {
  input: Type.Number({ default: 0 }),
  output: Type.Number({ default: 0 }),
  cacheRead: Type.Number({ default: 0 }),
  cacheWrite: Type.Number({ default: 0 }),
};

/** In US dollars per million tokens; a tier holds for a whole request whose input is above its threshold. */
export const ModelPrice = Type.Object({
  ...prices,
  tiers: Type.Optional(Type.Array(Type.Object({ ...prices, inputTokensAbove: Type.Number() }))),
});

export const ModelRecord = Type.Object({
  provider: Type.String(),
  id: Type.String(),
  name: Type.String(),
  /** The wire format: `openai-completions`, `anthropic-messages`, … */
  api: Type.String(),
  baseUrl: Type.String(),
  reasoning: Type.Boolean(),
  input: Type.Array(Type.Union([Type.Literal("text"), Type.Literal("image")])),
  contextWindow: Type.Number(),
  maxTokens: Type.Number(),
  cost: ModelPrice,
  /** Nobody said what it costs, and it is of a provider that takes money. */
  unpriced: Type.Optional(Type.Literal(true)),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Thinking levels as the provider names them; null: it has none such. */
  thinkingLevelMap: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
  /** How the server deviates from its wire format. */
  compat: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export type ModelPrice = Static<typeof ModelPrice>;
export type ModelRecord = Static<typeof ModelRecord>;

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

/** `provider/model`; a model's id may hold slashes itself. */
export const referenceOf = ({ provider, id }: Pick<ModelRecord, "provider" | "id">): string =>
  `${provider}/${id}`;
