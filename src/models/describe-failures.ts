/** The message when no model answered: what was tried, why it failed, and what to do next. */
import type { Say } from "../infra/texts.ts";
import type { FailureWords, TriedWay } from "./call/call-plan.ts";
import type { CredentialCandidate } from "./credentials/credentials.ts";
import { budgetWords } from "./ledger/budget-words.ts";
import { remedies, type ModelFailure } from "./model-failure.ts";
import { referenceOf } from "./model-record.ts";

export function describeFailures(say: Say): FailureWords {
  return {
    overBudget: (verdict) => budgetWords(verdict, say),
    gaveUp(tried) {
      const ways = lastOfEach(tried);
      const [first, ...others] = ways;
      if (!first) throw new Error("nothing was tried");
      if (others.length === 0) return line(first, say);
      const isOneProvider = ways.every(({ record }) => record.provider === first.record.provider);
      if (isOneProvider && ways.every(isAboutCredential)) {
        const named = ways.map(({ credential, failure, returnsAt }) => ({
          id: credential?.id ?? first.record.provider,
          failure,
          returnsAt,
        }));
        return describeExhausted(named, say);
      }
      return [
        say("call.all-failed"),
        ...ways.map((way) => `- ${line(way, say, namedWhere(way, ways))}`),
      ].join("\n");
    },
  };
}

/** Of several attempts the same way the last one tells enough. */
function lastOfEach(tried: readonly TriedWay[]): TriedWay[] {
  const ways = new Map(tried.map((way) => [`${referenceOf(way.record)} ${way.credential?.id}`, way]));
  return [...ways.values()];
}

const isAboutCredential = ({ failure }: TriedWay): boolean => remedies[failure.code] === "credential";

/** Where one model was asked with several credentials, the lines say with which. */
const namedWhere = ({ record }: TriedWay, ways: readonly TriedWay[]): boolean =>
  ways.filter((other) => referenceOf(other.record) === referenceOf(record)).length > 1;

function line({ record, credential, failure, returnsAt }: TriedWay, say: Say, isNamed = false): string {
  const { provider } = record;
  const reference = referenceOf(record);
  if (!credential) return say("call.no-credential", { provider, model: reference });
  const reason = (failure.message || failure.code).replace(/[.。]$/u, "");
  const model = isNamed ? `${reference} (${credential.id})` : reference;
  const hints = [
    hintFor({ record, credential, failure }, say),
    ...(returnsAt === undefined ? [] : [say("call.hint.rate", { until: new Date(returnsAt).toISOString() })]),
  ];
  return [say("call.failed", { model, reason }), ...hints].filter(Boolean).join(" ");
}

function hintFor(
  { record, credential, failure }: Pick<TriedWay, "record" | "failure"> & { credential: CredentialCandidate },
  say: Say,
): string {
  const { provider, baseUrl: address } = record;
  // What stands in for a credential where none is needed has no name that means anything to people.
  const isNone = credential.id === "none";
  switch (failure.code) {
    case "auth":
      if (isNone) return say("call.hint.auth.none", { provider });
      return say("call.hint.auth", { credential: credential.id, provider });
    case "billing":
      if (isNone) return say("call.hint.billing.none", { provider });
      return say("call.hint.billing", { credential: credential.id, provider });
    case "not_found":
      return say("call.hint.not-found", { provider });
    case "unavailable":
      // A server that answered with an error is there.
      return failure.status === undefined ? say("call.hint.unavailable", { address: placeOf(address) }) : "";
    case "context_overflow":
      return say("call.hint.overflow");
    default:
      return "";
  }
}

/** Where it is, without what some write into an address: names, passwords, keys. */
function placeOf(address: string): string {
  const { origin, pathname } = URL.parse(address) ?? {};
  return origin === undefined ? "" : `${origin}${pathname}`;
}

/** What was tried, why each failed and when each returns. `tried` is in the order of trying; empty: there was none to try. */
export function describeExhausted(
  tried: ReadonlyArray<{ id: string; failure: ModelFailure; returnsAt?: number | undefined }>,
  say: Say,
): string {
  if (tried.length === 0) return say("auth.exhausted.none");
  const lines = tried.map(({ id, failure, returnsAt }) =>
    say(returnsAt === undefined ? "auth.exhausted.line" : "auth.exhausted.line-until", {
      name: id,
      reason: failure.message || failure.code,
      until: returnsAt === undefined ? "" : new Date(returnsAt).toISOString(),
    }),
  );
  return [say("auth.exhausted"), ...lines].join("\n");
}
