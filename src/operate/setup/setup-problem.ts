/** What is wrong with a model in words, and what to do next: the same for the terminal and the page. */
import { asPincerError, type SetupProblem } from "@pincer/sdk";
import { sayError } from "../../infra/failure.ts";
import type { Say, TextKey } from "../../infra/texts.ts";

/** `facts` fill the words that say what to do next. */
export function describeProblem(
  failure: { code: string; message: string },
  facts: { provider: string; model: string },
  say: Say,
): SetupProblem {
  const key = Object.hasOwn(nextKeys, failure.code) ? nextKeys[failure.code] : undefined;
  return {
    code: failure.code,
    message: failure.message,
    next: say(key ?? "setup.next.unknown", facts),
    guide: "models",
  };
}

/** Of what was thrown: a refusal by our own rules, or a fault of the home. */
export function describeThrown(error: unknown, say: Say): SetupProblem {
  const known = asPincerError(error);
  const { message, hint } = sayError(known, say);
  return { code: known.code, message, next: hint ?? say("setup.next.doctor"), guide: "models" };
}

const nextKeys: Readonly<Record<string, TextKey>> = {
  auth: "setup.next.auth",
  billing: "setup.next.billing",
  rate_limit: "setup.next.rate-limit",
  overloaded: "setup.next.busy",
  unavailable: "setup.next.unavailable",
  timeout: "setup.next.timeout",
  not_found: "setup.next.not-found",
  refused: "setup.next.refused",
  budget: "setup.next.budget",
  exhausted: "setup.next.auth",
};
