/**
 * Asks a model until it has answered or every way has been tried: the models of the chain in turn, of each the credentials in
 * their order, of each the request again when it failed for the moment only. Nothing of this lasts longer than the one request: the next
 * begins with the first model again.
 */
import { noUsage, type AssistantMessage, type Model } from "@pincer/sdk";
import type { ModelRecord } from "../model-record.ts";
import { askLastResort, askRecord } from "./ask-record.ts";
import type { CallParts, CallPlan, Course, TriedWay } from "./call-plan.ts";
import { failureMessage, textsOf } from "./failure-message.ts";

export function createCalledModel(parts: CallParts, plan: CallPlan): Model {
  const [primary] = plan.chain;
  const chain = plan.chain.filter(
    ({ provider }) => !plan.credential || plan.credential.provider === provider,
  );
  return {
    provider: primary.provider,
    id: primary.id,
    limits: { contextWindow: primary.contextWindow, maxTokens: primary.maxTokens },
    async *stream(request) {
      const course: Course = { tried: [], passedOver: [], unfinished: undefined };
      for (const record of chain.length > 0 ? chain : plan.chain) {
        if (!hasRoom(record, course)) continue;
        const outcome = yield* askRecord(parts, plan, { record, request, course });
        if (outcome.type === "given-up") continue;
        yield { type: "end", message: outcome.message };
        return;
      }
      const last = yield* askLastResort(parts, plan, { request, course });
      if (last.type === "over") yield { type: "end", message: last.message };
      else
        yield {
          type: "end",
          message: failed(course, parts.describe.gaveUp(await ways(parts, plan, course))),
        };
    },
  };
}

/** A request too large for one model is worth a try only where there is more room. */
function hasRoom(record: ModelRecord, { tried }: Course): boolean {
  const overflowed = tried.find(({ failure }) => failure.code === "context_overflow");
  return !overflowed || record.contextWindow > overflowed.record.contextWindow;
}

/** All that was tried, and all that was skipped because it is on cooldown; each with when it returns. */
async function ways(
  { credentials }: CallParts,
  { purpose: { agentId } }: CallPlan,
  { tried, passedOver }: Course,
): Promise<TriedWay[]> {
  const nameOf = (provider: string, id: string | undefined) => `${provider} ${id}`;
  const isTried = new Set(tried.map(({ record, credential }) => nameOf(record.provider, credential?.id)));
  const waiting = passedOver
    .filter(({ record, credential }) => !isTried.has(nameOf(record.provider, credential.id)))
    .map(({ record, credential }): TriedWay => ({
      record,
      credential,
      failure: { code: "rate_limit", message: credential.reason ?? "" },
    }));
  const all = [...tried, ...waiting];
  const providers = [...new Set(all.map(({ record }) => record.provider))];
  const lists = await Promise.all(providers.map((provider) => credentials.candidates({ provider, agentId })));
  const returns = new Map(
    lists.flat().map(({ provider, id, cooldownUntil }) => [nameOf(provider, id), cooldownUntil]),
  );
  return all.map((way) => {
    const returnsAt = returns.get(nameOf(way.record.provider, way.credential?.id));
    return returnsAt === undefined ? way : { ...way, returnsAt };
  });
}

/** The kind of its failure, where there was only one kind; and whatever else failed, where a smaller request might be answered. */
function failed({ tried, passedOver, unfinished }: Course, words: string): AssistantMessage {
  const [first] = tried;
  // Of several the last: it has the most room.
  const overflowed = tried.findLast(({ failure }) => failure.code === "context_overflow");
  const record = (overflowed ?? tried.at(-1))?.record ?? passedOver[0]?.record;
  if (!record) throw new Error("nothing was tried");
  const isOneKind = first && tried.every(({ failure }) => failure.code === first.failure.code);
  const code = overflowed ? "context_overflow" : isOneKind ? first.failure.code : "exhausted";
  return {
    ...failureMessage(record, { code }, words),
    content: textsOf(unfinished),
    usage: unfinished?.usage ?? noUsage(),
  };
}
