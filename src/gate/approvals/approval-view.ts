import type { ApprovalView, GrantView } from "@pincer/sdk";
import type { Redactor } from "../../infra/redactor.ts";
import type { ApprovalRecord, Grant } from "../../storage/approvals/approvals.ts";

/**
 * An approval as people may see it, without secrets. The stored one stays complete, since it is compared with what
 * runs.
 */
export function viewApproval(
  record: ApprovalRecord,
  redactor: Pick<Redactor, "data" | "values">,
): ApprovalView {
  const { subject, cause } = record;
  return redactor.values({
    id: record.id,
    state: record.state,
    turnId: record.turnId,
    callId: record.callId,
    sessionKey: record.sessionKey,
    agentId: record.agentId,
    personId: record.personId,
    tool: subject.tool,
    arguments: redactor.data(subject.call.arguments),
    shown: subject.shown,
    ...(subject.command ? { command: redactor.data(subject.command) } : {}),
    reason: record.reason,
    rule: record.rule,
    ...(cause ? { cause } : {}),
    scopes: record.scopes,
    keys: record.keys,
    scope: record.scope,
    askedAt: record.askedAt,
    expiresAt: record.expiresAt,
    answeredAt: record.answeredAt,
    answeredBy: record.answeredBy,
  });
}

export const viewGrant = (grant: Grant, redactor: Pick<Redactor, "values">): GrantView =>
  redactor.values({
    id: grant.id,
    scope: grant.scope,
    tool: grant.tool,
    agentId: grant.agentId,
    shown: grant.shown,
    turnId: grant.turnId,
    grantedBy: grant.grantedBy,
    createdAt: grant.createdAt,
    expiresAt: grant.expiresAt,
  });
