/**
 * An API is one family of the gateway's methods, as calls: `outbox.retry` is `retry` of the outbox API. What each promises is
 * written at the method. An API works over the stores where they are open, and through the gateway's socket everywhere else.
 */
import type { FamilyOf, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { GatewayClient } from "../../client/gateway-client.ts";
import type { MethodCall, MethodHandlers } from "../method-calls.ts";
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
export type Api<Family extends string> = {
  [Verb in keyof FamilyOf<Family>]: Call<FamilyOf<Family>[Verb]>;
};

export type VerbOf<Family extends string> = keyof FamilyOf<Family> & string;

/** The same API, spoken to through a gateway. */
export function remoteApi<Family extends string>(
  client: Pick<GatewayClient, "request">,
  family: Family,
  verbs: ReadonlyArray<VerbOf<Family>>,
): Api<Family> {
  const call = (verb: string) => (params: never, until?: Until) =>
    client.request(`${family}.${verb}` as MethodName, params, until);
  return Object.fromEntries(verbs.map((verb) => [verb, call(verb)])) as Api<Family>;
}

/** The same API, opened with the first thing that is asked of it; one that could not be opened is tried again. */
export function lazyApi<Family extends string>(
  verbs: ReadonlyArray<VerbOf<Family>>,
  open: () => Promise<Api<Family>>,
): Api<Family> {
  let opened: Promise<Api<Family>> | undefined;
  const forget = (error: unknown) => {
    opened = undefined;
    throw error;
  };
  const call = (verb: VerbOf<Family>) => async (params: never, until?: Until) => {
    const api = (await (opened ??= open().catch(forget))) as unknown as Record<
      string,
      (params: never, until?: Until) => Promise<unknown>
    >;
    return api[verb]?.(params, until);
  };
  return Object.fromEntries(verbs.map((verb) => [verb, call(verb)])) as Api<Family>;
}

/** The handlers by which a gateway offers an API of its own. */
export function apiHandlers<Family extends string>(
  family: Family,
  api: Api<Family>,
): Partial<MethodHandlers> {
  return Object.fromEntries(
    Object.entries(api).map(([verb, call]) => [`${family}.${verb}`, call]),
  ) as Partial<MethodHandlers>;
}
