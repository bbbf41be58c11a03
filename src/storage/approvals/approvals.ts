/**
 * Questions to the owner before a call, and the owner's wider grants. `storage.ts` states the contract of all verbs.
 */
import type { GateReason, ToolCallBlock } from "@pincer/sdk";
import type { TurnRecord } from "../turns/turns.ts";

/**
 * How far a yes reaches. once: this call. task: such calls until the task ends. while: such calls in this session for
 * `whileMinutes`. recipient: this recipient or host, permanently. shape: commands of this shape, permanently.
 */
export const grantScopes = ["once", "task", "while", "recipient", "shape"] as const;
export type GrantScope = (typeof grantScopes)[number];

export const whileMinutes = 30;

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
  /** The arguments, as fields that people read; the page shows them instead of JSON. */
  fields?: CallField[];
  /** Who or which host would hear of it. */
  recipient?: string;
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

/** One argument of a call, or one part of it: `guests[1].name`. */
export interface CallField {
  name: string;
  /** What the tool says about it. */
  about?: string;
  value: string;
}

export interface ApprovalDraft {
  turnId: string;
  /** The turn that this one works for; left out where that is the same. */
  taskId?: string;
  callId: string;
  workspaceId: string;
  sessionKey: string;
  agentId: string;
  /** Who the turn is for: `channel:id`. */
  personId: string;
  subject: ApprovalSubject;
  /** Why it is asked, in one English sentence. */
  reason: string;
  /** The same as codes; older rows have none. */
  reasons?: readonly GateReason[];
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
  /** Short enough to type; never reused. Of one on a card: the card's id and its number there, as in `k7q2mp-2`. */
  id: string;
  /** The card that it is on together with others. */
  card?: string;
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
  /** For `while`: the session that it is good for. */
  sessionKey?: string;
  grantedBy: string;
  createdAt: string;
  expiresAt: string | null;
}

export interface ApprovalAnswer {
  verdict: "approved" | "denied";
  scope: GrantScope;
  by: string;
  /** Of a card: the numbers that this yes is for; the others are denied. */
  only?: readonly number[] | undefined;
}

/** How much may be asked. What is over that is not asked at all. */
export interface CardLimits {
  /** Cards of one task. */
  inTask: number;
  /** Cards of one session that wait at the same time. */
  openInSession?: number | undefined;
}

export type AskOutcome =
  | { type: "asked"; approval: ApprovalRecord }
  | { type: "not-asked"; why: "cards-spent" | "cards-open" };

export type AnswerOutcome =
  /**
   * `approvals`: all that this answer settled, of a card in its order; `approval` is the first one. `turn` is queued
   * again; undefined if it was not parked, or has another open question.
   */
  | {
      type: "answered";
      approval: ApprovalRecord;
      approvals: readonly ApprovalRecord[];
      turn: TurnRecord | undefined;
    }
  /** Already answered or expired. */
  | { type: "settled"; approval: ApprovalRecord }
  /** This scope was not offered. */
  | { type: "no-scope"; approval: ApprovalRecord }
  /** The card has no open question of this number. */
  | { type: "no-number"; approval: ApprovalRecord; number: number }
  | { type: "none" };

export interface ApprovalStore {
  /**
   * Finds the question for the same call and digest, in any state but withdrawn, or creates one. Withdraws an open
   * one for the same call with another digest. For an ended turn the question is withdrawn at once. On disk.
   */
  ask(draft: ApprovalDraft): Promise<ApprovalRecord>;
  /**
   * The same for the calls of one answer, in one transaction: what is new of them becomes one card, if the limits allow
   * one more.
   */
  askTogether(drafts: readonly ApprovalDraft[], limits: CardLimits): Promise<AskOutcome[]>;
  /**
   * By the id of a question, or of a card for all that is open on it. One transaction: the answer, the grant of a wider scope, the same answer to other questions that it covers, the
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
  /** By its own id, ignoring case. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** Newest first; `pending` ones first where no state is named. */
  list(query: {
    limit: number;
    states?: ApprovalState[];
    turnId?: string;
    /** Those of the task that this turn is, and of the turns that work for it. */
    taskId?: string;
    sessionKey?: string;
    card?: string;
  }): Promise<ApprovalRecord[]>;
  /** The grants of an agent that are valid now; for tasks and sessions only the turn's own. */
  grants(query: {
    agentId: string;
    turnId?: string | undefined;
    sessionKey?: string | undefined;
  }): Promise<Grant[]>;
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
