/** What was asked of the owner before a call ran, what a yes was good for beyond it, and why the gate decides as it does. */

export const approvalScopes = ["once", "task", "recipient", "shape"] as const;
/** How far a yes reaches. once: this very call. task: calls of this kind until the turn is over. recipient: this recipient or host. shape: commands of this shape. */
export type ApprovalScope = (typeof approvalScopes)[number];

export const approvalStates = ["pending", "approved", "spent", "denied", "expired", "withdrawn"] as const;
/** spent: approved, and the call has begun. withdrawn: nobody needs it any more. */
export type ApprovalStateView = (typeof approvalStates)[number];

/** Which argument made the gate ask, and the sentence that its value comes from. */
export interface ApprovalCauseView {
  argument: string;
  value: string;
  /** `web example.org`, `file notes.md`, `nowhere`. */
  from: string;
  /** Empty where the value stands nowhere. */
  sentence: string;
}

/** A request as people may see it: secrets are taken out. */
export interface ApprovalView {
  id: string;
  state: ApprovalStateView;
  turnId: string;
  callId: string;
  sessionKey: string;
  agentId: string;
  /** Who the turn is for: `channel:id`. */
  personId: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** The command, the message or the request, as it would be made. */
  shown: string;
  /** Of a command: where it would run, what of the environment is not the usual one, what each program really is, and what it would run behind. */
  command?: { directory: string; environment: Record<string, string>; programs: string[]; wall: string };
  reason: string;
  /** Which rule asks. */
  rule: string;
  cause?: ApprovalCauseView;
  /** Those that are offered; `once` is always among them. */
  scopes: ApprovalScope[];
  /** What a yes would be good for under the wider ones. */
  keys: Partial<Record<Exclude<ApprovalScope, "once">, string>>;
  /** How far the yes reached; null while there is none. */
  scope: ApprovalScope | null;
  askedAt: string;
  expiresAt: string;
  answeredAt: string | null;
  /** `cli:owner`, `telegram:42`; `time` where nobody answered. */
  answeredBy: string | null;
}

/** What the owner allowed beyond one call. */
export interface GrantView {
  id: string;
  scope: Exclude<ApprovalScope, "once">;
  tool: string;
  agentId: string;
  /** What it is good for, in words. */
  shown: string;
  /** Of a task: the turn with which it ends. */
  turnId: string | null;
  grantedBy: string;
  createdAt: string;
  expiresAt: string | null;
}

/** Of the layer that decided, and of each one that was asked on the way. */
export interface PolicyStepView {
  layer: string;
  /** Where it is written: a config key, `rule 3`, the name of a check. */
  source: string;
  /** `-`: it has nothing to say about this call. */
  says: "allow" | "ask" | "deny" | "-";
  words: string;
}

export interface PolicyExplanation {
  verdict: "allow" | "ask" | "deny";
  reason: string;
  rule: { layer: string; source: string };
  cause?: ApprovalCauseView;
  steps: PolicyStepView[];
}
