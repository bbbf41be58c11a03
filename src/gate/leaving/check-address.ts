/** Rule 3 as the gate asks it about a call: judges its addresses, and counts what asking for them says. */
import type { CallContext } from "../call-context.ts";
import type { CallFacts } from "../call-facts.ts";
import { findValue } from "../find-value.ts";
import type { Finding } from "../../policy/finding.ts";
import {
  bitsOfScout,
  holdsPrivate,
  judgeAddress,
  type AddressContext,
  type AddressQuestion,
} from "./judge-address.ts";

/** How many bits an agent's addresses may tell their hosts in a day, over sessions, children and schedules. */
export const bitsPerDay = 64;

export type AddressRules = Pick<AddressQuestion, "trusted" | "hasScout" | "calls">;

/** The name of the check: a yes to sending something to a host is none to reading addresses there. */
const addressCheck = "address";

interface CalledAddress {
  call: CallFacts;
  argument: string;
  value: string;
}

/** Counts bits against the agent's day, before they are said: false where they are more than is left. */
export type SpendBits = (bits: number) => Promise<boolean>;

export type WeighedAddress =
  | { type: "free" }
  | { type: "bits"; bits: number }
  | { type: "found"; finding: Finding };

/** Pure. */
export function weighAddress(
  context: AddressContext,
  { call, argument, value }: CalledAddress,
  rules: AddressRules,
): WeighedAddress {
  const isRead = call.effect === "read";
  const verdict = judgeAddress(context, { ...rules, url: value, isRead, isBare: isBare(call, argument) });
  if (verdict.type === "free" || verdict.type === "bits") return verdict;
  const cause = { argument, value, ...findValue(context.shown, value) };
  return {
    type: "found",
    finding: {
      verdict: verdict.type === "asks" ? "ask" : "deny",
      check: addressCheck,
      ...verdict.reason,
      cause,
    },
  };
}

/** Undefined: it may be asked for, and is counted. Throws what counting does. */
export async function checkAddress(
  context: AddressContext,
  address: CalledAddress,
  rules: AddressRules,
  spendBits: SpendBits,
): Promise<Finding | undefined> {
  const weighed = weighAddress(context, address, rules);
  if (weighed.type === "found") return weighed.finding;
  if (weighed.type === "free" || (await spendBits(weighed.bits))) return undefined;
  const { argument, value } = address;
  // A scout says less, and may still be paid; if not, that is asked.
  const { hasScout } = rules;
  return {
    verdict: hasScout ? "deny" : "ask",
    check: addressCheck,
    code: hasScout ? "address-bits-for-scout" : "address-bits",
    values: { url: value.slice(0, 200), count: String(weighed.bits) },
    cause: { argument, value, from: "web", sentence: "" },
  };
}

/** Undefined: a scout may set out. That it does, and when, says something; it is counted. Throws what counting does. */
export async function checkScout(
  context: Pick<CallContext, "label">,
  spendBits: SpendBits,
): Promise<Finding | undefined> {
  if (mayBriefScout(context) || (await spendBits(bitsOfScout))) return undefined;
  return {
    verdict: "ask",
    check: addressCheck,
    code: "scout-bits",
    values: { count: String(bitsOfScout) },
  };
}

/** Whether a scout may be told what the model wrote: nothing private is there, or nobody else had a say in it. Pure. */
export const mayBriefScout = (context: Pick<CallContext, "label">): boolean =>
  !context.label.untrusted || !holdsPrivate(context);

/** The address is all that the caller chose of what leaves. */
const isBare = ({ leaves, arguments: given }: CallFacts, address: string): boolean =>
  leaves.every((name) => name === address || isUsual(name, given[name]));

function isUsual(name: string, value: unknown): boolean {
  if (value === undefined || value === "") return true;
  if (name === "method") return value === "GET";
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
