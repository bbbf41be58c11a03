/**
 * Questions to the owner before a call, and the owner's wider grants. `storage.ts` states the contract of all verbs.
 */
import type { ToolCallBlock } from "@pincer/sdk";
import type { TurnRecord } from "../turns/turns.ts";

/**
 * How far a yes reaches. once: this call. task: such calls until the turn ends. recipient: this recipient or host,
 * permanently. shape: commands of this shape, permanently.
 */
export const grantScopes = ["once", "task", "recipient", "shape"] as const;
export type GrantScope = (typeof grantScopes)[number];

/**
 * pending: unanswered. spent: approved, and the call has begun, or its turn ended with a wider yes. expired: not
 * answered in time. withdrawn: no longer needed.
 */
export type ApprovalState = "pending" | "approved" | "spent" | "denied" | "expired" | "withdrawn";

/** What exactly would be done, as shown to people and as compared before it runs. */
export interface ApprovalSubject {
  tool: string;
  /** The model's call, with secrets; they are removed only for display. */
  call: Pick<ToolCallBlock, "name" | "arguments">;
  /** One or several lines for people: the command, the message, the request. */
  shown: string;
  /** Of a command: where it would run, what of the environment is not the usual one, and what each program in it really is. */
  command?: {
    directory: string;
    environment: Record<string, string>;
    programs: string[];
    /** What it would run behind, or that it would run outside any sandbox. */
    wall: string;
  };
  /** Over everything that may not be different when it runs. */
  digest: string;
}

export interface ApprovalDraft {
  turnId: string;
  callId: string;
  workspaceId: string;
  sessionKey: string;
  agentId: string;
  /** Who the turn is for: `channel:id`. */
  personId: string;
  subject: ApprovalSubject;
  /** Why it is asked, in words. */
  reason: string;
  /** Which rule asks, and of provenance which sentence made it ask. */
  rule: string;
  cause?: { argument: string; value: string; from: string; sentence: string } | undefined;
  /** The scopes that apply here; always includes `once`. */
  scopes: GrantScope[];
  /** What a yes would cover under each wider scope. */
  keys: Partial<Record<Exclude<GrantScope, "once">, string>>;
  expiresAt: string;
}

export interface ApprovalRecord extends ApprovalDraft {
  /** Short enough to type; never reused. */
  id: string;
  state: ApprovalState;
  scope: GrantScope | null;
  askedAt: string;
  answeredAt: string | null;
  /** `cli:owner`, `telegram:42`; `time` if it expired. */
  answeredBy: string | null;
}

export interface Grant {
  id: string;
  scope: Exclude<GrantScope, "once">;
  tool: string;
  agentId: string;
  /** What it covers; equal keys are the same thing. */
  key: string;
  /** For lists: the question of a task, otherwise the key. */
  shown: string;
  /** For a task: the turn that it ends with. */
  turnId: string | null;
  grantedBy: string;
  createdAt: string;
  expiresAt: string | null;
}

export interface ApprovalAnswer {
  verdict: "approved" | "denied";
  scope: GrantScope;
  by: string;
}

export type AnswerOutcome =
  /** `turn` is queued again; undefined if it was not parked, or has another open question. */
  | { type: "answered"; approval: ApprovalRecord; turn: TurnRecord | undefined }
  /** Already answered or expired. */
  | { type: "settled"; approval: ApprovalRecord }
  /** This scope was not offered. */
  | { type: "no-scope"; approval: ApprovalRecord }
  | { type: "none" };

export interface ApprovalStore {
  /**
   * Finds the question for the same call and digest, in any state but withdrawn, or creates one. Withdraws an open
   * one for the same call with another digest. For an ended turn the question is withdrawn at once. On disk.
   */
  ask(draft: ApprovalDraft): Promise<ApprovalRecord>;
  /**
   * One transaction: the answer, the grant of a wider scope, the same answer to other questions that it covers, the
   * turn back to its queue, the audit record. A no has no scope. On disk, also if somebody answered first.
   */
  answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  /**
   * Turns an approved one into `spent`, once: on disk before the call begins. False if it is not approved (any more).
   */
  spend(id: string): Promise<boolean>;
  /** Expires overdue ones and returns their turns to the queue, where they get "Denied". */
  expire(now: string, limit: number): Promise<{ approvals: ApprovalRecord[]; turns: TurnRecord[] }>;
  /**
   * Withdraws the pending ones of a turn that does not wait for them, and an unused single approval. Returns how
   * many.
   */
  withdraw(turnId: string): Promise<number>;
  /** By id, ignoring case. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** Newest first; `pending` ones first where no state is named. */
  list(query: {
    limit: number;
    states?: ApprovalState[];
    turnId?: string;
    sessionKey?: string;
  }): Promise<ApprovalRecord[]>;
  /** The grants of an agent that are valid now; for tasks only the turn's own. */
  grants(query: { agentId: string; turnId?: string | undefined }): Promise<Grant[]>;
  /** All valid grants, newest first. */
  listGrants(query: { limit: number }): Promise<Grant[]>;
  /** By id, ignoring case. False if there is none. Leaves an audit record. */
  revokeGrant(id: string, by: string): Promise<boolean>;
  /**
   * Deletes older settled ones, except for those of open turns, and expired grants; returns how many. Pruning a turn
   * deletes its questions.
   */
  prune(before: string, limit: number): Promise<number>;
}
