/** What was granted in a turn and what was done with it, as it is shown to people. */
import type { GrantedRecipient, GrantedTurnView, GrantedView } from "@pincer/sdk";
import type { ApprovalRecord } from "../../storage/approvals/approvals.ts";
import type { KeptPlan } from "../../storage/gate/gate.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { Written } from "../leaving/write-anew.ts";
import type { Grant } from "./grant.ts";
import { isSamePlace } from "./places.ts";
import type { Plan } from "./planner.ts";

export interface GrantedParts {
  stores: {
    gate: Pick<TenantStores["gate"], "listPlans">;
    approvals: Pick<TenantStores["approvals"], "list">;
  };
  /** As the owner calls them. */
  contacts: Readonly<Record<string, readonly string[]>>;
}

const mostCards = 50;

/** Throws what the storage does. */
export async function grantedIn(
  { stores, contacts }: GrantedParts,
  { turnId, queuedAt }: Pick<TurnRecord, "turnId" | "queuedAt">,
): Promise<GrantedTurnView> {
  const [kept, cards] = await Promise.all([
    stores.gate.listPlans(turnId),
    stores.approvals.list({ turnId, limit: mostCards, states: ["approved", "spent"] }),
  ]);
  const plans = kept.filter(({ type }) => type === "plan").map(({ made }) => made as Plan);
  const failed = plans.find((plan) => plan.type === "failed");
  const planned = plans.flatMap((plan) => (plan.type === "planned" ? plan.grants : []));
  return {
    turnId,
    at: queuedAt,
    planner:
      planned.length > 0 || (plans.length > 0 && !failed) ? "answered" : failed ? "failed" : "not-needed",
    ...(failed && { reason: failed.reason }),
    grants: [
      ...withUses(planned, kept).map((each) => viewGrant(each, contacts)),
      ...cards.toReversed().map((card) => viewCard(card, contacts)),
    ],
    worded: kept.flatMap(({ type, callId, made }) =>
      type === "words" && (made as Written).type === "written" ? [callId] : [],
    ),
  };
}

interface UsedGrant {
  grant: Grant;
  uses: string[];
}

/** What was planned, and what else covered a call, in this order. */
function withUses(planned: readonly Grant[], kept: readonly KeptPlan[]): UsedGrant[] {
  const found = new Map<string, UsedGrant>(
    planned.map((grant) => [JSON.stringify(grant), { grant, uses: [] }]),
  );
  for (const { type, callId, made } of kept) {
    if (type !== "use") continue;
    const grant = made as Grant;
    const key = JSON.stringify(grant);
    const known = found.get(key) ?? { grant, uses: [] };
    known.uses.push(callId);
    found.set(key, known);
  }
  return [...found.values()];
}

function viewGrant({ grant, uses }: UsedGrant, contacts: GrantedParts["contacts"]): GrantedView {
  const { by, id, tool, quote, recipients, hosts, args, sources, count } = grant;
  return {
    by,
    id,
    tool,
    quote,
    recipients: recipientsOf(recipients, contacts),
    // A standing yes does not say which of the two its place is.
    hosts: by === "standing" ? [] : hosts,
    values: Object.entries(args).map(([name, given]) =>
      "from" in given ? { name, from: given.from } : { name, value: String(given.value) },
    ),
    sources,
    ...(count !== undefined && { count }),
    uses,
  };
}

const viewCard = (
  { id, subject, state, callId }: ApprovalRecord,
  contacts: GrantedParts["contacts"],
): GrantedView => ({
  by: "card",
  id,
  tool: subject.tool,
  quote: "",
  recipients: recipientsOf(subject.recipient === undefined ? [] : [subject.recipient], contacts),
  hosts: [],
  values: [],
  sources: [],
  count: 1,
  uses: state === "spent" ? [callId] : [],
});

/** Several places of one contact are one recipient. */
function recipientsOf(places: readonly string[], contacts: GrantedParts["contacts"]): GrantedRecipient[] {
  const named = places.map((place) => ({
    place,
    name: Object.entries(contacts).find(([, known]) => known.some((each) => isSamePlace(each, place)))?.[0],
  }));
  return named
    .filter(
      ({ name }, index) => name === undefined || named.findIndex((each) => each.name === name) === index,
    )
    .map(({ place, name }) => (name === undefined ? { place } : { place, name }));
}
