/** Questions that wait for the owner, what a yes was good for beyond them, and why the gate decides as it does. */
import { Type } from "typebox";
import {
  approvalScopes,
  approvalStates,
  type ApprovalView,
  type GrantView,
  type PolicyExplanation,
} from "./approval-views.ts";
import { answer, language, limit, method, name, sessionKey, strict } from "./method.ts";

const approvalId = Type.String({ minLength: 1, maxLength: 64 });

export const approvalsMethods = {
  /** Without states, those that wait come first; newest first within. */
  "approvals.list": method({
    params: {
      limit,
      states: Type.Optional(Type.Array(Type.Enum([...approvalStates]), { maxItems: approvalStates.length })),
    },
    /** `waiting`: how many wait in all, counted to 1000. */
    result: answer<{ approvals: ApprovalView[]; waiting: number }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /** By id, upper and lower case alike; the beginning of an id is enough where only one that waits begins so. Here and below. */
  "approvals.get": method({
    params: { id: approvalId },
    /** `others`: what else waits, newest first, at most 20. */
    result: answer<{ approval: ApprovalView; others: ApprovalView[] }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /** Without a scope, this very call and no other. A question that is settled is not answered again. */
  "approvals.approve": method({
    params: { id: approvalId, scope: Type.Optional(Type.Enum([...approvalScopes])) },
    /** `goesOn`: the turn is queued again; else it was waiting in place, or waits for another answer. */
    result: answer<{ approval: ApprovalView; goesOn: boolean }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),
  "approvals.deny": method({
    params: { id: approvalId },
    result: answer<{ approval: ApprovalView; goesOn: boolean }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),

  /** What holds beyond one call, newest first. */
  "grants.list": method({
    params: { limit },
    result: answer<{ grants: GrantView[] }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /** From now on it is asked about again. */
  "grants.revoke": method({
    params: { id: name },
    result: answer<{ revoked: string }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),

  /**
   * What the gate would say to a call, and which rule decides. `as` is whoever would make it, and where; without it the owner, in the main
   * session. Nothing is run, and nobody is asked.
   */
  "policy.explain": method({
    params: {
      tool: name,
      arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      as: Type.Optional(
        Type.Object(
          {
            role: Type.Optional(Type.Enum(["owner", "peer", "group"])),
            channel: Type.Optional(name),
            chatId: Type.Optional(name),
            sessionKey,
            agentId: Type.Optional(name),
          },
          strict,
        ),
      ),
      language,
    },
    result: answer<PolicyExplanation>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
};
