/** What the gate decides, and from what. Everybody who wants to know whether something may happen asks `decide` and nobody else. */
export type Verdict = "allow" | "ask" | "deny";

/** In the order in which they are asked; deny wins wherever it stands. */
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

/** What decided: for `/why` and `pincer policy explain`. */
export interface DecidingRule {
  layer: PolicyLayer;
  /** Where it is written: a config key, `rule 3`, `grant g12`, the name of a check. */
  source: string;
}

/** Of provenance: which argument, and the sentence that it comes from. */
export interface ProvenanceCause {
  argument: string;
  value: string;
  /** `web example.org`, `file notes.md`, `nowhere`. */
  from: string;
  /** What stands around the value there; empty where it stands nowhere. */
  sentence: string;
}

export interface Decision {
  verdict: Verdict;
  /** One sentence, for the model and people alike. */
  reason: string;
  rule: DecidingRule;
  cause?: ProvenanceCause;
}
