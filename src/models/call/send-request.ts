/** One request over the wire, within the limits and with its row in the ledger. */
import { noUsage, type ModelEvent, type ModelRequest } from "@pincer/sdk";
import type { UsageDraft } from "../../storage/usage/usage.ts";
import type { CredentialCandidate } from "../credentials/credentials.ts";
import type { Refusal } from "../ledger/budgets.ts";
import type { ModelRecord, ModelPrice } from "../model-record.ts";
import type { RequestAuth, WireRequest } from "../wire/wire.ts";
import { streamOnce, type AttemptEnd } from "./attempt.ts";
import type { CallParts, CallPlan, Course } from "./call-plan.ts";
import { estimateInput } from "../wire/usage.ts";

interface Sending {
  record: ModelRecord;
  request: ModelRequest;
  course: Course;
  credential: CredentialCandidate;
  auth: RequestAuth;
  level: "normal" | "plain";
  plainUntil: number;
}

export type Sent =
  | { type: "refused"; refusal: Refusal }
  /** `isOverTime`: the turn's own time ran out before the answer was there. */
  | { type: "sent"; end: AttemptEnd; isOverTime?: Refusal };

export async function* sendRequest(
  parts: CallParts,
  plan: CallPlan,
  { record, request, course, credential, auth, level, plainUntil }: Sending,
): AsyncGenerator<ModelEvent, Sent> {
  const { provider, id: model } = record;
  const inputTokens = estimateInput(request);
  const inputCost = estimateCost(record, inputTokens);
  const verdict = await parts.budgets.reserve(
    plan.budgets,
    plan.purpose,
    {
      provider,
      model,
      credential: credential.id,
      inputTokens,
      inputCost,
      outputPrice: outputPriceOf(record, inputTokens),
      maxOutput: record.maxTokens,
      isPriced: record.unpriced !== true,
    },
    request.signal,
  );
  if (!verdict.allowed) return { type: "refused", refusal: verdict };
  const { reservation } = verdict;
  const { turnId, sessionId, sessionKey, agentId } = plan.purpose;
  const startedAt = parts.clock.monotonic();
  const settle = (how: Pick<UsageDraft, "usage" | "outcome" | "firstByteMs">) => {
    isSettled = true;
    reservation.settle({
      turnId,
      sessionId,
      sessionKey,
      agentId,
      provider,
      model,
      credential: credential.id,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Math.max(0, parts.clock.monotonic() - startedAt),
      ...how,
    });
  };
  const timeLeft = timeLeftOf(plan, startedAt);
  let isSent = false;
  let isSettled = false;
  try {
    if (course.unfinished) yield { type: "start-over", reason: course.tried.at(-1)?.failure.message ?? "" };
    course.unfinished = undefined;
    isSent = true;
    const messages = parts.history.prepare(request.messages, record, level, plainUntil);
    const mayThink = level === "normal" && parts.history.thinkingFits(messages, record);
    const wireRequest: WireRequest = {
      systemPrompt: request.systemPrompt,
      messages,
      tools: request.tools,
      thinking: mayThink ? plan.thinking : "off",
      signal: request.signal,
      ...(reservation.room === undefined || reservation.room >= record.maxTokens
        ? {}
        : { maxTokens: reservation.room }),
      ...(plan.cacheKey === undefined ? {} : { cacheKey: plan.cacheKey }),
    };
    const end = yield* streamOnce({
      wire: parts.wire,
      clock: parts.clock,
      record,
      auth,
      request: wireRequest,
      idleTimeoutMs: plan.idleTimeoutMs(provider),
      totalTimeoutMs: Math.min(plan.totalTimeoutMs, timeLeft),
    });
    settle({
      usage: end.message.usage,
      outcome: end.failure?.code ?? (end.message.stopReason === "aborted" ? "aborted" : "ok"),
      firstByteMs: end.firstByteMs,
    });
    const isOver = end.failure?.isOutOfTime === true && timeLeft < plan.totalTimeoutMs;
    return { type: "sent", end, ...(isOver ? { isOverTime: outOfTime(plan) } : {}) };
  } finally {
    // The reader has left midway; what was sent has been sent.
    if (!isSent) reservation.release();
    else if (!isSettled) {
      const usage = {
        ...noUsage(),
        input: inputTokens,
        total: inputTokens,
        cost: inputCost,
        estimated: true,
      };
      settle({ usage, outcome: "aborted", firstByteMs: null });
    }
  }
}

/** What a limit on the turn's time leaves. */
function timeLeftOf({ budgets, purpose }: CallPlan, now: number): number {
  const { wallTimeMs } = budgets.turn;
  // Somebody may have set the clock back.
  const elapsed = Math.max(0, now - purpose.startedAt);
  return wallTimeMs === undefined ? Infinity : Math.max(1, wallTimeMs - elapsed);
}

const outOfTime = ({ budgets }: CallPlan): Refusal => ({
  allowed: false,
  scope: "turn",
  limit: "wallTimeMs",
  allowance: budgets.turn.wallTimeMs ?? 0,
  used: budgets.turn.wallTimeMs ?? 0,
});

/** The question alone, in US dollars, at the highest price that may apply. */
export const estimateCost = ({ cost }: Pick<ModelRecord, "cost">, tokens: number): number =>
  (tokens *
    Math.max(...ratesFor(cost, tokens).flatMap((each) => [each.input, each.cacheRead, each.cacheWrite]))) /
  1_000_000;

/** US dollars per million tokens of an answer to a question of this length, at the highest price that may apply. */
export const outputPriceOf = ({ cost }: Pick<ModelRecord, "cost">, tokens: number): number =>
  Math.max(...ratesFor(cost, tokens).map(({ output }) => output));

type Rates = Omit<ModelPrice, "tiers">;

/** In some languages and formats a token has half the bytes that are usual. */
const atMostTimes = 2;

/** The price, and each tier that the question could reach. */
const ratesFor = (price: ModelPrice, tokens: number): [Rates, ...Rates[]] => [
  price,
  ...(price.tiers ?? []).filter(({ inputTokensAbove }) => inputTokensAbove < tokens * atMostTimes),
];
