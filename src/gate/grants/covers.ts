/**
 * Whether a grant covers a call. One grant covers a call whole: two halves make none. The grant says to whom, to which
 * host, with which values and how often; what may leave is judged by `leaving/judge-leaving.ts`.
 */
import { sameAddress } from "../leaving/addresses-in.ts";
import { controlled, textsIn, type CallFacts } from "../call-facts.ts";
import type { CallContext } from "../call-context.ts";
import type { Grant } from "./grant.ts";
import { isSamePlace } from "./places.ts";

/** A tool that a mark stands for: any whose recipient is all that steers it. */
export const anyMessenger = "*";

export type Coverage =
  | {
      type: "covered";
      grant: Grant;
      /** Values that the grant wants taken from a source: a reader says which they are before the call runs. */
      taken: TakenValue[];
    }
  /** The closest grant, and what it does not cover. */
  | { type: "open"; why: OpenPoint };

export interface TakenValue {
  argument: string;
  /** As the acting model wrote it. */
  value: string;
  source: string;
}

export type OpenPoint =
  | { type: "tool" }
  | { type: "recipient"; argument: string; value: string }
  | { type: "host"; argument: string; value: string }
  | { type: "value"; argument: string; value: string }
  | { type: "count"; count: number };

export interface CoverageQuestion {
  call: CallFacts;
  context: Pick<CallContext, "label">;
  grants: readonly Grant[];
  /** How many calls of the task ran under this grant. */
  uses(grant: Grant): number;
}

/** Pure. */
export function coverageOf({ call, context, grants, uses }: CoverageQuestion): Coverage {
  let closest = unasked(call);
  for (const grant of grants) {
    const open = openPoint(grant, call, context, uses(grant));
    if (!open) return { type: "covered", grant, taken: takenValues(grant, call, context) };
    if (rank(open) > rank(closest)) closest = open;
  }
  return { type: "open", why: closest };
}

/** Without any grant for the tool, whom it would reach says most. */
function unasked(call: CallFacts): OpenPoint {
  const [recipient] = recipientsOf(call);
  if (recipient) return { type: "recipient", ...recipient };
  const [address] = controlled(call, "url");
  return address ? { type: "host", ...address } : { type: "tool" };
}

const order = ["tool", "recipient", "host", "value", "count"] as const;
const rank = ({ type }: OpenPoint): number => order.indexOf(type);

function openPoint(
  grant: Grant,
  call: CallFacts,
  context: CoverageQuestion["context"],
  used: number,
): OpenPoint | undefined {
  if (grant.tool !== call.tool && !(grant.tool === anyMessenger && isMessenger(call)))
    return { type: "tool" };
  const stranger = recipientsOf(call).find(
    ({ value }) => !grant.recipients.some((place) => isSamePlace(place, value)),
  );
  if (stranger) return { type: "recipient", ...stranger };
  const elsewhere = controlled(call, "url").find(({ value }) => !isOnHost(value, grant.hosts));
  if (elsewhere) return { type: "host", ...elsewhere };
  const unknown = steeringValues(call).find(
    (given) => !isOwnersValue(given, grant, context) && sourceOf(given.argument, grant, call) === undefined,
  );
  if (unknown) return { type: "value", ...unknown };
  if (grant.count !== undefined && used >= grant.count) return { type: "count", count: grant.count };
  return undefined;
}

/** What is there and says nothing steers, too: a lamp may take an empty state for off. */
function steeringValues(call: CallFacts): Array<{ argument: string; value: string }> {
  const { controls, arguments: given } = call;
  const empty = Object.entries(controls).flatMap(([argument, kind]) => {
    const isSteering = (kind === "value" || kind === "schedule") && given[argument] !== undefined;
    return isSteering && textsIn(given[argument]).length === 0 ? [{ argument, value: "" }] : [];
  });
  return [...controlled(call, "value", "schedule"), ...empty];
}

/** Whoever hears of it. Of one recipient the tool says who it is; of several it resolves one at most. Pure. */
export function recipientsOf(call: CallFacts): Array<{ argument: string; value: string }> {
  const written = controlled(call, "recipient");
  const [only] = written;
  if (call.recipient === undefined || written.length > 1) return written;
  if (only) return [{ argument: only.argument, value: call.recipient }];
  const argument = Object.entries(call.controls).find(([, kind]) => kind === "recipient")?.[0];
  return argument === undefined ? [] : [{ argument, value: call.recipient }];
}

/** Nothing but its recipient steers it. Pure. */
export const isMessenger = ({ controls }: CallFacts): boolean => {
  const kinds = Object.values(controls);
  return kinds.length > 0 && kinds.every((kind) => kind === "recipient");
};

/** A whole address allows itself, a name allows the host. */
function isOnHost(value: string, hosts: readonly string[]): boolean {
  const url = URL.parse(value);
  if (!url || url.username !== "" || url.password !== "") return false;
  return hosts.some((host) =>
    host.includes("://") ? sameAddress(host) === sameAddress(value) : url.host === host.toLowerCase(),
  );
}

/** In a context that nobody else wrote in, every value comes from the owner. */
function isOwnersValue(
  { argument, value }: { argument: string; value: string },
  { args }: Grant,
  { label }: CoverageQuestion["context"],
): boolean {
  const granted = args[argument];
  if (granted && "value" in granted && isSameValue(String(granted.value), value)) return true;
  return !label.untrusted;
}

/** The source that the grant names for an argument with one plain value. */
function sourceOf(argument: string, { args }: Grant, { arguments: given }: CallFacts): string | undefined {
  const [granted, value] = [args[argument], given[argument]];
  if (!granted || !("from" in granted)) return undefined;
  return typeof value === "string" || typeof value === "number" ? granted.from : undefined;
}

const takenValues = (grant: Grant, call: CallFacts, context: CoverageQuestion["context"]): TakenValue[] =>
  steeringValues(call).flatMap((given) => {
    const source = sourceOf(given.argument, grant, call);
    return source === undefined || isOwnersValue(given, grant, context) ? [] : [{ ...given, source }];
  });

/** Spaces, case and the spelling of a moment make no difference. Pure. */
export function isSameValue(one: string, other: string): boolean {
  const [a, b] = [plainValue(one), plainValue(other)];
  if (a === b) return true;
  const [at, then] = [momentOf(a), momentOf(b)];
  return at !== undefined && at === then;
}

const plainValue = (value: string): string =>
  value.normalize("NFC").trim().replaceAll(/\s+/gu, " ").toLowerCase();

/** To the minute, in the zone that it names; undefined for what is no ISO date with a time. */
function momentOf(value: string): string | undefined {
  const [, date, time, zone = ""] =
    /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(?::00(?:\.0+)?)?(z|[+-]\d\d:?\d\d)?$/u.exec(value) ?? [];
  return date === undefined || time === undefined ? undefined : `${date} ${time} ${zone}`;
}
