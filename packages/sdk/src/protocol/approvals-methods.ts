/** Approval requests that wait for the owner, grants, and explanations of the gate's decisions. */
import { Type } from "typebox";
import type { GrantedTurnView } from "../granted.ts";
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
  /** Newest first; without `states`, waiting ones come before all others. */
  "approvals.list": method({
    params: {
      limit,
      states: Type.Optional(Type.Array(Type.Enum([...approvalStates]), { maxItems: approvalStates.length })),
    },
    /** `waiting`: how many requests wait in total, counted up to 1000. */
    result: answer<{ approvals: ApprovalView[]; waiting: number }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /**
   * By id, case-insensitive; a prefix is enough if only one waiting request starts with it. This applies to all
   * methods below. The id of a card means all that waits on it.
   */
  "approvals.get": method({
    params: { id: approvalId },
    /** `together`: the rest of the card, in its order. `others`: other waiting requests, newest first, at most 20. */
    result: answer<{ approval: ApprovalView; together: ApprovalView[]; others: ApprovalView[] }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /**
   * Without a scope, exactly this call. A request that is already settled is not answered again. `only`: the numbers on
   * the card that this is for; the others are denied.
   */
  "approvals.approve": method({
    params: {
      id: approvalId,
      scope: Type.Optional(Type.Enum([...approvalScopes])),
      only: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), { minItems: 1, maxItems: 99 }),
      ),
    },
    /**
     * `approvals`: all that this answered, of a card in its order. `goesOn`: the turn is queued again; otherwise it was
     * waiting in place, or waits for another answer.
     */
    result: answer<{ approval: ApprovalView; approvals: ApprovalView[]; goesOn: boolean }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),
  "approvals.deny": method({
    params: { id: approvalId },
    result: answer<{ approval: ApprovalView; approvals: ApprovalView[]; goesOn: boolean }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),

  /** Everything that is approved for more than one call, newest first. */
  "grants.list": method({
    params: { limit },
    result: answer<{ grants: GrantView[] }>(),
    effect: "read",
    permission: "approvals.view",
    scope: "tenant",
  }),
  /** The gate asks again from now on. */
  "grants.revoke": method({
    params: { id: name },
    result: answer<{ revoked: string }>(),
    effect: "change",
    permission: "approvals.answer",
    scope: "tenant",
  }),

  /**
   * What the gate would decide about a call, and which rule decides. `as` is who would make it, and where; by default
   * the owner, in the main session. Nothing runs, and nobody is asked.
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
  /**
   * What the owner's words granted, and what was done with it: of a run, or else of the runs of a session that had
   * something to grant, the newest first.
   */
  "policy.granted": method({
    params: { runId: Type.Optional(name), sessionKey, limit },
    result: answer<{ turns: GrantedTurnView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
};
