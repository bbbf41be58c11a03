/** What a user is told when no model answered: what was tried, why it failed, and what to do next. */
import type { Say } from "../../infra/texts.ts";
import type { FailureWords, TriedWay } from "../../models/call/call-model.ts";
import { describeExhausted } from "../../models/credentials/describe-exhausted.ts";
import { budgetWords } from "../../models/ledger/budget-words.ts";
import { remedies } from "../../models/model-failure.ts";
import { referenceOf } from "../../models/model-record.ts";

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
      return [say("call.all-failed"), ...ways.map((way) => `- ${line(way, say)}`)].join("\n");
    },
  };
}

/** Of several attempts the same way the last one tells enough. */
function lastOfEach(tried: readonly TriedWay[]): TriedWay[] {
  const ways = new Map(tried.map((way) => [`${referenceOf(way.record)} ${way.credential?.id}`, way]));
  return [...ways.values()];
}

const isAboutCredential = ({ failure }: TriedWay): boolean => remedies[failure.code] === "credential";

function line({ record, credential, failure, returnsAt }: TriedWay, say: Say): string {
  const { provider } = record;
  const model = referenceOf(record);
  if (!credential) return say("call.no-credential", { provider, model });
  const reason = failure.message || failure.code;
  const told = say("call.failed", { model, reason });
  switch (failure.code) {
    case "auth":
      return `${told} ${say("call.hint.auth", { credential: credential.id, provider })}`;
    case "billing":
      return `${told} ${say("call.hint.billing", { credential: credential.id, provider })}`;
    case "rate_limit":
      return returnsAt === undefined
        ? told
        : `${told} ${say("call.hint.rate", { until: new Date(returnsAt).toISOString() })}`;
    case "not_found":
      return `${told} ${say("call.hint.not-found", { provider })}`;
    case "unavailable":
      return `${told} ${say("call.hint.unavailable", { address: record.baseUrl })}`;
    case "context_overflow":
      return `${told} ${say("call.hint.overflow")}`;
    default:
      return told;
  }
}
