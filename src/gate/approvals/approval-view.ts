import type { ApprovalView, GrantView } from "@pincer/sdk";
import type { Redactor } from "../../infra/redactor.ts";
import { numberOn } from "../../storage/approvals/approval-row.ts";
import type { ApprovalRecord, CallField, Grant } from "../../storage/approvals/approvals.ts";

/**
 * An approval as people may see it, without secrets. The stored one stays complete, since it is compared with what
 * runs.
 */
export function viewApproval(
  record: ApprovalRecord,
  redactor: Pick<Redactor, "data" | "values">,
  /** How many of its card wait. */
  open = 1,
): ApprovalView {
  const { subject, cause, card, reasons } = record;
  // A field is judged by its own name, as in the arguments.
  const shownField = (field: CallField): CallField => {
    const name = /[^.]*$/u.exec(field.name)?.[0] ?? "";
    return { ...field, value: String(redactor.data({ [name]: field.value })[name]) };
  };
  return redactor.values({
    id: record.id,
    ...(card !== undefined && { card: { id: card, number: numberOn(record), open } }),
    state: record.state,
    turnId: record.turnId,
    callId: record.callId,
    sessionKey: record.sessionKey,
    agentId: record.agentId,
    personId: record.personId,
    tool: subject.tool,
    arguments: redactor.data(subject.call.arguments),
    ...(subject.fields && { fields: subject.fields.map(shownField) }),
    shown: subject.shown,
    ...(subject.recipient !== undefined && { recipient: subject.recipient }),
    ...(subject.command ? { command: redactor.data(subject.command) } : {}),
    reason: record.reason,
    ...(reasons && { reasons: [...reasons] }),
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
    ...(grant.sessionKey !== undefined && { sessionKey: grant.sessionKey }),
    grantedBy: grant.grantedBy,
    createdAt: grant.createdAt,
    expiresAt: grant.expiresAt,
  });
