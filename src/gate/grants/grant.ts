/**
 * What the owner allowed: one shape, whoever wrote it down. A planner reads it from the owner's present words, a mark
 * (`@bob`) says it, a card of ours got a yes, or it is a standing grant.
 */
import { Type, type Static } from "typebox";

/** The owner's own value, or a field of a closed type that the reader takes from a source that the grant names. */
export const GrantedValue = Type.Union([
  Type.Object({ value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]) }),
  Type.Object({ from: Type.String() }),
]);
export type GrantedValue = Static<typeof GrantedValue>;

export const grantKinds = ["planner", "mark", "card", "standing"] as const;

export const Grant = Type.Object({
  by: Type.Enum([...grantKinds]),
  /** Of the standing grant or the card; empty for the others. */
  id: Type.String(),
  /** The tool's own name. */
  tool: Type.String(),
  /** The owner's words that ask for it; empty for a standing grant. */
  quote: Type.String(),
  /** Places: `channel:id`, `channel/account:id`, an address. Each recipient of a call must be one of them. */
  recipients: Type.Array(Type.String()),
  /** Host names, or whole addresses. Each address that a call asks for must be one of them or on one of them. */
  hosts: Type.Array(Type.String()),
  /** The other arguments that steer, by name. In a tainted context each must be here. */
  args: Type.Record(Type.String(), GrantedValue),
  /** Private sources whose content may leave with it. Standing grants have none. */
  sources: Type.Array(Type.String()),
  /** How many calls it covers in its task; left out: any number. */
  count: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type Grant = Static<typeof Grant>;
