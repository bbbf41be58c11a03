/** Questions that wait for the owner, what a yes was good for beyond them, and why the gate decides as it does. */
import { Type, type TObject } from "typebox";
import {
  approvalScopes,
  approvalStates,
  type ApprovalView,
  type GrantView,
  type PolicyExplanation,
} from "./approval-views.ts";
import { change, language, limit, name, read, session, strict, type Method } from "./method.ts";

const approvalId = Type.String({ minLength: 1, maxLength: 64 });

export const approvalsMethods = {
  /** Without states, those that wait come first; newest first within. */
  "approvals.list": read({
    limit,
    states: Type.Optional(Type.Array(Type.Enum([...approvalStates]), { maxItems: approvalStates.length })),
  }),
  /** By id, upper and lower case alike; the beginning of an id is enough where only one that waits begins so. Here and below. */
  "approvals.get": read({ id: approvalId }),
  /** Without a scope, this very call and no other. A question that is settled is not answered again. */
  "approvals.approve": change({ id: approvalId, scope: Type.Optional(Type.Enum([...approvalScopes])) }),
  "approvals.deny": change({ id: approvalId }),

  /** What holds beyond one call, newest first. */
  "grants.list": read({ limit }),
  /** From now on it is asked about again. */
  "grants.revoke": change({ id: name }),

  /**
   * What the gate would say to a call, and which rule decides. `as` is whoever would make it, and where; without it the owner, in the main
   * session. Nothing is run, and nobody is asked.
   */
  "policy.explain": read({
    tool: name,
    arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    as: Type.Optional(
      Type.Object(
        {
          role: Type.Optional(Type.Enum(["owner", "peer", "group"])),
          channel: Type.Optional(name),
          chatId: Type.Optional(name),
          sessionKey: session,
          agentId: Type.Optional(name),
        },
        strict,
      ),
    ),
    language,
  }),
} as const satisfies Record<string, Method<TObject>>;

export interface ApprovalsResults {
  /** `waiting`: how many wait in all, counted to 1000. */
  "approvals.list": { approvals: ApprovalView[]; waiting: number };
  /** `others`: what else waits, newest first, at most 20. */
  "approvals.get": { approval: ApprovalView; others: ApprovalView[] };
  /** `goesOn`: the turn is queued again; else it was waiting in place, or waits for another answer. */
  "approvals.approve": { approval: ApprovalView; goesOn: boolean };
  "approvals.deny": { approval: ApprovalView; goesOn: boolean };
  "grants.list": { grants: GrantView[] };
  "grants.revoke": { revoked: string };
  "policy.explain": PolicyExplanation;
}
