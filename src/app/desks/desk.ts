/**
 * A desk is one family of the gateway's methods, as calls: `outbox.retry` is `retry` of the outbox desk. What each promises is
 * written at the method. A desk works over the stores where they are open, and through the gateway's socket everywhere else.
 */
import type { FamilyOf, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { GatewayClient } from "../../client/gateway-client.ts";
import type { MethodCall, MethodHandlers } from "../../gateway/method-calls.ts";
import { isOwner } from "../../policy/caller.ts";

/** Stops the work, or the waiting for it; in a gateway also who asks, and how they are told meanwhile. Without a caller it is the owner, at home. */
export type Until = Pick<MethodCall, "signal"> & Partial<Pick<MethodCall, "caller" | "emit">>;

/** Who did it, as it is written down: the owner, or whom they let in. */
export const actorOf = (until: Until | undefined): string =>
  until?.caller === undefined || isOwner(until.caller) ? "cli:owner" : `web:${until.caller.id}`;

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

/** The same desk, opened with the first thing that is asked of it; one that could not be opened is tried again. */
export function deskWhenNeeded<Family extends string>(
  verbs: ReadonlyArray<VerbOf<Family>>,
  open: () => Promise<Desk<Family>>,
): Desk<Family> {
  let opened: Promise<Desk<Family>> | undefined;
  const forget = (error: unknown) => {
    opened = undefined;
    throw error;
  };
  const call = (verb: VerbOf<Family>) => async (params: never, until?: Until) => {
    const desk = (await (opened ??= open().catch(forget))) as unknown as Record<
      string,
      (params: never, until?: Until) => Promise<unknown>
    >;
    return desk[verb]?.(params, until);
  };
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
