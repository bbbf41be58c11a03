/** Approval requests, grants, and explanations of the gate's decisions. */
import type { GateReason } from "../gate-reason.ts";

export const approvalScopes = ["once", "task", "while", "recipient", "shape"] as const;
/**
 * How far a yes reaches. once: exactly this call. task: calls of this kind until the task is over. while: calls of this
 * kind in this session for 30 minutes. recipient: this recipient or host. shape: commands of this shape.
 */
export type ApprovalScope = (typeof approvalScopes)[number];

export const approvalStates = ["pending", "approved", "spent", "denied", "expired", "withdrawn"] as const;
/** spent: approved, and the call has started. withdrawn: no longer needed. */
export type ApprovalStateView = (typeof approvalStates)[number];

/** Which argument made the gate ask, and the sentence that its value comes from. */
export interface ApprovalCauseView {
  argument: string;
  value: string;
  /** `web example.org`, `file notes.md`, `nowhere`; empty if it is not known. */
  from: string;
  /** Empty if the value appears nowhere. */
  sentence: string;
}

/** One argument of a call, or one part of it: `guests[1].name`. */
export interface CallFieldView {
  name: string;
  /** What the tool says about it. */
  about?: string;
  value: string;
}

/** A request as people may see it: secrets are removed. */
export interface ApprovalView {
  id: string;
  /**
   * The card on which it is asked together with others, its number there, and how many of the card wait. The card's id
   * answers all of them.
   */
  card?: { id: string; number: number; open: number };
  state: ApprovalStateView;
  turnId: string;
  callId: string;
  sessionKey: string;
  agentId: string;
  /** Who the turn is for: `channel:id`. */
  personId: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** The arguments for people; left out for requests of older versions. */
  fields?: CallFieldView[];
  /** The command, the message or the request, exactly as it would be made. */
  shown: string;
  /** Who or which host would hear of it. */
  recipient?: string;
  /** For commands: the directory, unusual environment variables, which file each program really is, and the sandbox. */
  command?: { directory: string; environment: Record<string, string>; programs: string[]; wall: string };
  /** Why it is asked, in one English sentence. */
  reason: string;
  /** The same as codes, which every client says in its language; left out for requests of older versions. */
  reasons?: readonly GateReason[];
  /** Which rule asks. */
  rule: string;
  cause?: ApprovalCauseView;
  /** The scopes that are offered; `once` is always among them. */
  scopes: ApprovalScope[];
  /** What a yes would cover with the wider scopes. */
  keys: Partial<Record<Exclude<ApprovalScope, "once">, string>>;
  /** How far the yes reached; null if there is none yet. */
  scope: ApprovalScope | null;
  askedAt: string;
  expiresAt: string;
  answeredAt: string | null;
  /** `cli:owner`, `telegram:42`; `time` if nobody answered. */
  answeredBy: string | null;
}

/** What the owner approved for more than one call. */
export interface GrantView {
  id: string;
  scope: Exclude<ApprovalScope, "once">;
  tool: string;
  agentId: string;
  /** What it covers, in words. */
  shown: string;
  /** For the scope `task`: the turn with which it ends. */
  turnId: string | null;
  /** For the scope `while`: its session. */
  sessionKey?: string;
  grantedBy: string;
  createdAt: string;
  expiresAt: string | null;
}

/** The layer that decided, and each layer that was consulted. */
export interface PolicyStepView {
  layer: string;
  /** Where the rule is: a config key, `rule 3`, the name of a check. */
  source: string;
  /** `-`: this layer has no opinion about the call. */
  says: "allow" | "ask" | "deny" | "-";
  /** In one English sentence. */
  words: string;
  reasons: readonly GateReason[];
}

export interface PolicyExplanation {
  verdict: "allow" | "ask" | "deny";
  /** In one English sentence. */
  reason: string;
  reasons: readonly GateReason[];
  rule: { layer: string; source: string };
  cause?: ApprovalCauseView;
  steps: PolicyStepView[];
}
