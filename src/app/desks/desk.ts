/**
 * A desk is one family of the gateway's methods, as calls: `outbox.retry` is `retry` of the outbox desk. What each promises is
 * written at the method. A desk works over the stores where they are open, and through the gateway's socket everywhere else.
 */
import type { FamilyOf, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { GatewayClient } from "../../client/gateway-client.ts";
import type { MethodHandlers } from "../../gateway/rpc.ts";

/** Stops the work, or the waiting for it. */
type Until = { signal: AbortSignal };

type Call<Name> = Name extends MethodName
  ? (params: MethodParams<Name>, until?: Until) => Promise<MethodResults[Name]>
  : never;

/** Its methods throw PincerError. */
export type Desk<Family extends string> = {
  [Verb in keyof FamilyOf<Family>]: Call<FamilyOf<Family>[Verb]>;
};

export type VerbOf<Family extends string> = keyof FamilyOf<Family> & string;

/** The same desk, spoken to through a gateway. */
export function remoteDesk<Family extends string>(
  client: Pick<GatewayClient, "request">,
  family: Family,
  verbs: ReadonlyArray<VerbOf<Family>>,
): Desk<Family> {
  const call = (verb: string) => (params: never, until?: Until) =>
    client.request(`${family}.${verb}` as MethodName, params, until);
  return Object.fromEntries(verbs.map((verb) => [verb, call(verb)])) as Desk<Family>;
}

/** The handlers by which a gateway offers a desk of its own. */
export function deskHandlers<Family extends string>(
  family: Family,
  desk: Desk<Family>,
): Partial<MethodHandlers> {
  return Object.fromEntries(
    Object.entries(desk).map(([verb, call]) => [`${family}.${verb}`, call]),
  ) as Partial<MethodHandlers>;
}
