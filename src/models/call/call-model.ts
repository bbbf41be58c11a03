/**
 * Asks a model until it has answered or every way has been tried: the models of the chain in turn, of each the credentials in
 * their order, of each the request again when it failed for the moment only. Nothing of this lasts longer than the one request: the next
 * begins with the first model again.
 */
import {
  noUsage,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { CredentialCandidate, Credentials, CredentialWish } from "../credentials/credentials.ts";
import type { BudgetSettings, Budgets, BudgetVerdict, CallPurpose } from "../ledger/budgets.ts";
import { remedies, type ModelFailure } from "../model-failure.ts";
import type { ModelRecord, ThinkingLevel } from "../model-record.ts";
import type { UsageDraft } from "../../storage/usage.ts";
import type { RequestAuth, Wire, WireRequest } from "../wire/wire.ts";
import { streamOnce, type AttemptEnd } from "./attempt.ts";
import { estimateCost, estimateTokens } from "./estimate.ts";
import { pauseBefore } from "./pause.ts";

export interface CallParts {
  wire: Wire;
  credentials: Credentials;
  budgets: Budgets;
  /** Takes a row of the ledger; must not throw and is not waited for. */
  note(draft: UsageDraft): void;
  /** Messages as this model takes them; `plain` is what every model takes. */
  prepare(messages: readonly Message[], record: ModelRecord, level: "normal" | "plain"): Message[];
  clock: Clock;
  /** Between 0 and 1. */
  random(): number;
  /** What the user is told when nothing answered. */
  describe: FailureWords;
}

export interface FailureWords {
  overBudget(verdict: Extract<BudgetVerdict, { allowed: false }>): string;
  /** In the order of trying; at least one. */
  gaveUp(tried: readonly TriedWay[]): string;
}

/** One model with one credential, and why it did not answer. */
export interface TriedWay {
  record: ModelRecord;
  /** Undefined: the provider has none that could be used. */
  credential: CredentialCandidate | undefined;
  failure: ModelFailure;
  /** When the credential is tried again, where it was set aside. */
  returnsAt?: number;
}

/** What holds for the requests of one turn. */
export interface CallPlan {
  /** The first that answers is taken; at least one. */
  chain: readonly [ModelRecord, ...ModelRecord[]];
  purpose: CallPurpose;
  thinking: ThinkingLevel;
  cacheKey?: string;
  /** This credential and no other. */
  credential?: string;
  budgets: BudgetSettings;
  attempts: number;
  idleTimeoutMs(provider: string): number;
  totalTimeoutMs: number;
}

/** The longest that a provider is waited for within a request. */
const longestPauseMs = 60_000;

export function createCalledModel(parts: CallParts, plan: CallPlan): Model {
  const [primary] = plan.chain;
  return {
    provider: primary.provider,
    id: primary.id,
    async *stream(request) {
      const course: Course = { tried: [], unfinished: undefined };
      const { tried } = course;
      for (const record of plan.chain) {
        // A request too large for one model is worth a try only where there is more room.
        const overflowed = tried.find(({ failure }) => failure.code === "context_overflow");
        if (overflowed && record.contextWindow <= overflowed.record.contextWindow) continue;
        const outcome = yield* askRecord(parts, plan, { record, request, course });
        if (outcome.type === "given-up") continue;
        yield { type: "end", message: outcome.message };
        return;
      }
      const told = await withReturns(parts, plan, tried);
      yield { type: "end", message: failed(course, parts.describe.gaveUp(told)) };
    },
  };
}

/** How the one request has gone so far. */
interface Course {
  tried: TriedWay[];
  /** An answer that broke off after something of it was passed on; it counts unless another begins. */
  unfinished: AssistantMessage | undefined;
}

async function withReturns(
  { credentials }: CallParts,
  { purpose: { agentId } }: CallPlan,
  tried: readonly TriedWay[],
): Promise<TriedWay[]> {
  const providers = [...new Set(tried.map(({ record }) => record.provider))];
  const lists = await Promise.all(providers.map((provider) => credentials.candidates({ provider, agentId })));
  const returns = new Map(
    lists.flat().map(({ provider, id, cooldownUntil }) => [`${provider} ${id}`, cooldownUntil]),
  );
  return tried.map((way) => {
    const returnsAt = returns.get(`${way.record.provider} ${way.credential?.id}`);
    return returnsAt === undefined ? way : { ...way, returnsAt };
  });
}

interface Asking {
  record: ModelRecord;
  request: ModelRequest;
  course: Course;
}

type Outcome = { type: "over"; message: AssistantMessage } | { type: "given-up" };

/** One model, with each of its credentials. */
async function* askRecord(
  parts: CallParts,
  plan: CallPlan,
  asking: Asking,
): AsyncGenerator<ModelEvent, Outcome> {
  const { credentials } = parts;
  const { record, request, course } = asking;
  const wish: CredentialWish = {
    provider: record.provider,
    agentId: plan.purpose.agentId,
    ...(plan.credential === undefined ? {} : { only: plan.credential }),
  };
  const used = new Set<string>();
  const state = { attempt: 0, level: "normal" as "normal" | "plain" };
  for (;;) {
    // Read anew each time: what failed meanwhile, here or in another turn, has moved to the end.
    const candidates = await credentials.candidates(wish);
    const credential = candidates.find(({ id }) => !used.has(id));
    if (!credential) {
      if (used.size === 0)
        course.tried.push({ record, credential: undefined, failure: noCredential(record) });
      return { type: "given-up" };
    }
    used.add(credential.id);
    const isOnly = candidates.length === 1;
    const next = yield* askWith(parts, plan, { ...asking, credential, wish, isOnly, state });
    if (next.type !== "next-credential") return next;
    if (request.signal.aborted) return { type: "over", message: aborted(record) };
  }
}

interface AskingWith extends Asking {
  credential: CredentialCandidate;
  wish: CredentialWish;
  isOnly: boolean;
  /** Shared by the credentials of one model: trouble of the provider is not theirs. */
  state: { attempt: number; level: "normal" | "plain" };
}

/** One model with one credential, as often as it is worth it. */
async function* askWith(
  parts: CallParts,
  plan: CallPlan,
  { record, request, course, credential, wish, isOnly, state }: AskingWith,
): AsyncGenerator<ModelEvent, Outcome | { type: "next-credential" }> {
  const { clock, credentials } = parts;
  for (;;) {
    const verdict = await checkBudget(parts, plan, record, request);
    if (!verdict.allowed) {
      const failure: ModelFailure = { code: "budget", message: parts.describe.overBudget(verdict) };
      const content = textsOf(course.unfinished);
      return { type: "over", message: { ...failureMessage(record, failure, failure.message), content } };
    }
    if (course.unfinished) yield { type: "start-over", reason: course.tried.at(-1)?.failure.message ?? "" };
    course.unfinished = undefined;
    state.attempt++;
    const end = yield* attempt(parts, plan, {
      record,
      request,
      credential,
      wish,
      verdict,
      level: state.level,
    });
    if (!end.failure) {
      if (end.message.stopReason !== "aborted") await credentials.succeeded(credential);
      return { type: "over", message: end.message };
    }
    const { failure } = end;
    course.tried.push({ record, credential, failure });
    if (end.hasSpoken) course.unfinished = end.message;
    const again = (): { pauseMs: number } | undefined =>
      state.attempt < plan.attempts
        ? pauseBefore(state.attempt, failure, { random: parts.random, longestMs: longestPauseMs })
        : undefined;

    let pause: { pauseMs: number } | undefined;
    switch (remedies[failure.code]) {
      case "again":
        pause = again();
        break;
      case "credential":
        // With nothing else to turn to, a short wait is worth it.
        if (isOnly && failure.code === "rate_limit") pause = again();
        break;
      case "repair":
        if (state.level === "normal") {
          state.level = "plain";
          pause = { pauseMs: 0 };
        }
        break;
      case "model":
      case "none":
        break;
    }
    if (pause) {
      if (await slept(clock, pause.pauseMs, request.signal)) continue;
      return { type: "over", message: { ...end.message, stopReason: "aborted" } };
    }
    await credentials.failed(credential, failure, { isOnly });
    const isItsFault = ["credential", "again"].includes(remedies[failure.code]);
    return isItsFault ? { type: "next-credential" } : { type: "given-up" };
  }
}

interface Attempt {
  record: ModelRecord;
  request: ModelRequest;
  credential: CredentialCandidate;
  wish: CredentialWish;
  verdict: Extract<BudgetVerdict, { allowed: true }>;
  level: "normal" | "plain";
}

/** One request over the wire, with its row in the ledger. */
async function* attempt(
  parts: CallParts,
  plan: CallPlan,
  { record, request, credential, wish, verdict, level }: Attempt,
): AsyncGenerator<ModelEvent, AttemptEnd> {
  const access = await parts.credentials.authOf(credential, wish, request.signal);
  if (!access.ok) {
    const message = failureMessage(record, access.failure, access.failure.message);
    return { message, failure: access.failure, hasSpoken: false, firstByteMs: null };
  }
  const startedAt = parts.clock.now();
  const end = yield* streamOnce({
    wire: parts.wire,
    clock: parts.clock,
    record,
    auth: access.auth satisfies RequestAuth,
    request: wireRequest(parts, plan, { record, request, verdict, level }),
    idleTimeoutMs: plan.idleTimeoutMs(record.provider),
    totalTimeoutMs: plan.totalTimeoutMs,
  });
  const { turnId, sessionId, sessionKey, agentId } = plan.purpose;
  parts.note({
    turnId,
    sessionId,
    sessionKey,
    agentId,
    provider: record.provider,
    model: record.id,
    credential: credential.id,
    usage: end.message.usage,
    outcome: end.failure?.code ?? (end.message.stopReason === "aborted" ? "aborted" : "ok"),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: parts.clock.now() - startedAt,
    firstByteMs: end.firstByteMs,
  });
  return end;
}

function wireRequest(
  parts: CallParts,
  plan: CallPlan,
  { record, request, verdict, level }: Pick<Attempt, "record" | "request" | "verdict" | "level">,
): WireRequest {
  const room = roomFor(verdict, record, estimateTokens(request));
  return {
    systemPrompt: request.systemPrompt,
    messages: parts.prepare(request.messages, record, level),
    tools: request.tools,
    thinking: level === "plain" ? "off" : plan.thinking,
    signal: request.signal,
    ...(room === undefined || room >= record.maxTokens ? {} : { maxTokens: room }),
    ...(plan.cacheKey === undefined ? {} : { cacheKey: plan.cacheKey }),
  };
}

/** The tokens that the limits leave for the answer. */
function roomFor(
  { tokensLeft, costLeft }: Attempt["verdict"],
  record: ModelRecord,
  asked: number,
): number | undefined {
  const rooms: number[] = [];
  if (tokensLeft !== undefined) rooms.push(tokensLeft - asked);
  if (costLeft !== undefined && record.cost.output > 0)
    rooms.push(((costLeft - estimateCost(record, asked)) * 1_000_000) / record.cost.output);
  return rooms.length === 0 ? undefined : Math.max(1, Math.floor(Math.min(...rooms)));
}

function checkBudget(
  parts: CallParts,
  plan: CallPlan,
  record: ModelRecord,
  request: ModelRequest,
): Promise<BudgetVerdict> {
  const tokens = estimateTokens(request);
  return parts.budgets.check(plan.budgets, plan.purpose, { tokens, cost: estimateCost(record, tokens) });
}

/** False when it was aborted meanwhile. */
async function slept(clock: Clock, pauseMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (pauseMs === 0) return true;
  return clock.sleep(pauseMs, signal).then(
    () => true,
    () => false,
  );
}

const noCredential = ({ provider }: ModelRecord): ModelFailure => ({
  code: "auth",
  message: `there is no credential for ${provider}`,
});

const failureMessage = (
  { provider, id, api }: ModelRecord,
  { code }: ModelFailure,
  errorMessage: string,
): AssistantMessage => ({
  role: "assistant",
  content: [],
  provider,
  model: id,
  api,
  usage: noUsage(),
  stopReason: "error",
  errorCode: code,
  errorMessage,
});

/** What is left of a call that nobody answered: the kind of its failure, where there was only one kind. */
function failed({ tried, unfinished }: Course, words: string): AssistantMessage {
  const [first] = tried;
  const last = tried.at(-1);
  if (!first || !last) throw new Error("nothing was tried");
  const isOneKind = tried.every(({ failure }) => failure.code === first.failure.code);
  const code = isOneKind ? first.failure.code : "exhausted";
  return {
    ...failureMessage(last.record, { ...last.failure, code }, words),
    content: textsOf(unfinished),
    usage: unfinished?.usage ?? noUsage(),
  };
}

const textsOf = (message: AssistantMessage | undefined): AssistantMessage["content"] =>
  message?.content.filter((block) => block.type === "text") ?? [];

const aborted = (record: ModelRecord): AssistantMessage => ({
  ...failureMessage(record, { code: "unknown", message: "" }, ""),
  stopReason: "aborted",
});
