/**
 * What was asked of the owner before a call ran, and what the owner allowed beyond the one call. The promises that all verbs keep are in
 * `storage.ts`.
 */
import type { ToolCallBlock } from "@pincer/sdk";
import type { TurnRecord } from "../turns/turns.ts";

/**
 * How far a yes reaches. once: this very call. task: the same kind of call until the turn is over. recipient: this recipient, or this
 * host, from now on. shape: commands of this shape, from now on.
 */
export const grantScopes = ["once", "task", "recipient", "shape"] as const;
export type GrantScope = (typeof grantScopes)[number];

/** pending: nobody has answered. spent: approved, and the call has begun, or its turn has ended with a wider yes. expired: nobody answered in time. withdrawn: nobody needs it any more. */
export type ApprovalState = "pending" | "approved" | "spent" | "denied" | "expired" | "withdrawn";

/** What exactly would be done, as people are shown it and as it is compared before it runs. */
export interface ApprovalSubject {
  tool: string;
  /** The call as the model made it; its secrets are taken out for people, never here. */
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
  /** Those that make sense here; `once` is always among them. */
  scopes: GrantScope[];
  /** What a yes would be good for under each of the wider scopes. */
  keys: Partial<Record<Exclude<GrantScope, "once">, string>>;
  expiresAt: string;
}

export interface ApprovalRecord extends ApprovalDraft {
  /** Short enough to type: letters and digits, given once. */
  id: string;
  state: ApprovalState;
  scope: GrantScope | null;
  askedAt: string;
  answeredAt: string | null;
  /** `cli:owner`, `telegram:42`; `time` where it ran out. */
  answeredBy: string | null;
}

export interface Grant {
  id: string;
  scope: Exclude<GrantScope, "once">;
  tool: string;
  agentId: string;
  /** What it is good for; equal keys are the same thing. */
  key: string;
  /** In words, for lists: of a task what was asked, else the key. */
  shown: string;
  /** Of a task: the turn with which it ends. */
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
  /** `turn` waits no longer and is queued again; undefined where it was not parked, or another of its questions is open. */
  | { type: "answered"; approval: ApprovalRecord; turn: TurnRecord | undefined }
  /** Somebody was faster, or it ran out. */
  | { type: "settled"; approval: ApprovalRecord }
  /** The scope is none of those that were offered. */
  | { type: "no-scope"; approval: ApprovalRecord }
  | { type: "none" };

export interface ApprovalStore {
  /**
   * The question about a call of a turn: the one that is there for the same call and digest, whatever became of it, unless it was withdrawn, or
   * a new one. An open one about the same call with another digest is withdrawn. For a turn that is over it is withdrawn from the start. On the disk.
   */
  ask(draft: ApprovalDraft): Promise<ApprovalRecord>;
  /**
   * One transaction: the answer, the grant that goes with a wider scope, the same answer to what else the turn asks that this grant is good
   * for, the turn back to its queue, the audit. A no has no scope. On the disk, also where somebody was faster.
   */
  answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  /** An approved one becomes `spent`, once: on the disk before the call begins. False when it is not approved (any more). */
  spend(id: string): Promise<boolean>;
  /** Pending ones whose time is over become `expired`, and their turns go back to the queue, where they are told "Denied". */
  expire(now: string, limit: number): Promise<{ approvals: ApprovalRecord[]; turns: TurnRecord[] }>;
  /** Pending ones of a turn that needs them no more become `withdrawn`, as they do when it ends, together with a yes for one call that was not used; never those of one that waits. Answers how many. */
  withdraw(turnId: string): Promise<number>;
  /** By id, upper and lower case alike. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** Newest first; `pending` ones first where no state is named. */
  list(query: {
    limit: number;
    states?: ApprovalState[];
    turnId?: string;
    sessionKey?: string;
  }): Promise<ApprovalRecord[]>;
  /** Those of an agent that hold now: not run out, and of tasks only the turn's own. */
  grants(query: { agentId: string; turnId?: string | undefined }): Promise<Grant[]>;
  /** All that are not run out, newest first. */
  listGrants(query: { limit: number }): Promise<Grant[]>;
  /** By id, upper and lower case alike. False when there is none. Leaves an audit record. */
  revokeGrant(id: string, by: string): Promise<boolean>;
  /** Deletes settled ones from before, but for those of open turns, and grants that ran out; answers how many. What a turn asked goes with it when it is pruned. */
  prune(before: string, limit: number): Promise<number>;
}
