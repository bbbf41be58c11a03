/** A decision of the gate, and its basis. `decide` is the only function that makes one. */
import type { GateReason } from "@pincer/sdk";
import { inEnglish } from "../infra/gate-reasons.ts";

export type Verdict = "allow" | "ask" | "deny";

/** In the order of evaluation; deny wins at any position. */
export const policyLayers = [
  "switch",
  "permission",
  "standing",
  "deny",
  "run",
  "agent",
  "visibility",
  "mode",
  "tool",
  "provenance",
  "secret",
  "grant",
  "edition",
] as const;
export type PolicyLayer = (typeof policyLayers)[number];

/** The deciding rule, for `/why` and `pincer policy explain`. */
export interface DecidingRule {
  layer: PolicyLayer;
  /** Where it is written: a config key, `rule 3`, `grant g12`, the name of a check. */
  source: string;
}

/** For provenance: which argument, and the sentence that it comes from. */
export interface ProvenanceCause {
  argument: string;
  value: string;
  /** `web example.org`, `file notes.md`, `nowhere`. */
  from: string;
  /** The text around the value there; empty if it is found nowhere. */
  sentence: string;
}

export interface Decision {
  verdict: Verdict;
  /** The reasons in one English sentence, for the model. */
  reason: string;
  /** For people, who read them in their language. At least one. */
  reasons: readonly GateReason[];
  rule: DecidingRule;
  cause?: ProvenanceCause;
}

export const decisionOf = (
  verdict: Verdict,
  rule: DecidingRule,
  reasons: readonly GateReason[],
  cause?: ProvenanceCause,
): Decision => ({ verdict, reason: inEnglish(reasons), reasons, rule, ...(cause && { cause }) });
