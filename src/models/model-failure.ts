/** Why a request to a model failed, in the one shape that retries, failover, credentials and people go by. */
import type { ModelErrorCode } from "@pincer/sdk";

export interface ModelFailure {
  code: ModelErrorCode;
  /** One line for people: what the provider said, without secrets and without markup. */
  message: string;
  /** Of the HTTP answer, where there was one. */
  status?: number;
  /** How long the provider asked to be left alone. */
  retryAfterMs?: number;
  /** It took all the time that it may: the same again would take as long. */
  isOutOfTime?: boolean;
}

/**
 * What is done next, by kind. `again`: the same request, the same way, after a pause. `credential`: the next credential of the provider, and
 * this one goes on cooldown. `repair`: once, with a history cut down to what every provider takes. `model`: the next model of the chain.
 */
export type FailureRemedy = "again" | "credential" | "repair" | "model" | "none";

export const remedies: Record<ModelErrorCode, FailureRemedy> = {
  auth: "credential",
  billing: "credential",
  rate_limit: "credential",
  overloaded: "again",
  unavailable: "again",
  timeout: "again",
  truncated: "again",
  empty: "again",
  unknown: "again",
  invalid_request: "repair",
  context_overflow: "none",
  refused: "model",
  not_found: "model",
  budget: "none",
  exhausted: "none",
};
