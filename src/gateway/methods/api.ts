/**
 * An API is one family of the gateway's methods, as functions: `outbox.retry` is `retry` of the outbox API. The
 * contract of each is written at the method. An API works directly on open stores, and through the gateway's socket
 * everywhere else.
 */
import type { FamilyOf, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import type { GatewayClient } from "../../client/gateway-client.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { MethodCall } from "../method-calls.ts";
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

/** One that was opened where the work can be done. */
export interface OpenApi<Family extends string> {
  api: Api<Family>;
  where: "gateway" | "home";
  /** What a gateway must be told, so that it speaks like us. */
  language?: Language;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** The same API, spoken to through a gateway. */
export const remoteApi = <Family extends string>(
  client: Pick<GatewayClient, "request">,
  family: Family,
): Api<Family> =>
  byVerb(
    (verb) => (params, until) => client.request(`${family}.${verb}` as MethodName, params as never, until),
  ) as Api<Family>;

/** The same API, opened with the first thing that is asked of it; one that could not be opened is tried again. */
export function lazyApi<Family extends string>(open: () => Promise<Api<Family>>): Api<Family> {
  let opened: Promise<Api<Family>> | undefined;
  const forget = (error: unknown) => {
    opened = undefined;
    throw error;
  };
  return byVerb((verb) => async (params, until) => {
    const api = (await (opened ??= open().catch(forget))) as Record<string, AnyCall>;
    return api[verb]?.(params, until);
  }) as Api<Family>;
}

type AnyCall = (params: unknown, until?: Until) => Promise<unknown>;

/** Has a call for every verb, so that nobody has to list them; a name that is no verb is refused where it is asked. */
const byVerb = (call: (verb: string) => AnyCall): object =>
  new Proxy(
    {},
    {
      // `await` looks for a `then`; this is not a promise.
      get: (_target, verb) => (typeof verb === "string" && verb !== "then" ? call(verb) : undefined),
    },
  );
