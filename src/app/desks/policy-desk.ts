/** Why the gate decides as it does. */
import type { MethodParams, PolicyExplanation } from "@pincer/sdk";
import type { Desk } from "./desk.ts";

/** Decides about a call as the gate would, without running or asking anything. Throws `tool/not-found`. */
export type ExplainCall = (request: MethodParams<"policy.explain">) => Promise<PolicyExplanation>;

export const createPolicyDesk = (explain: ExplainCall): Desk<"policy"> => ({
  explain: (request) => explain(request),
});
