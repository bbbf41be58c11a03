/** One model, with each of its credentials, each as often as it is worth it. */
import type { AssistantMessage, ModelEvent, ModelRequest } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { CredentialCandidate, CredentialWish } from "../credentials/credentials.ts";
import { remedies, type ModelFailure } from "../model-failure.ts";
import { referenceOf, type ModelRecord } from "../model-record.ts";
import type { CallParts, CallPlan, Course } from "./call-plan.ts";
import { failureMessage, textsOf } from "./failure-message.ts";
import { sendRequest } from "./send-request.ts";

export type Outcome = { type: "over"; message: AssistantMessage } | { type: "given-up" };

interface Asking {
  record: ModelRecord;
  request: ModelRequest;
  course: Course;
}

/** The longest that a provider is waited for within a request. */
const longestPauseMs = 60_000;

/** With every credential that is not on cooldown. */
export async function* askRecord(
  parts: CallParts,
  plan: CallPlan,
  asking: Asking,
): AsyncGenerator<ModelEvent, Outcome> {
  const { record, request, course } = asking;
  const wish = wishOf(plan, record);
  const used = new Set<string>();
  const state: AskingWith["state"] = { attempt: 0, level: "normal" };
  for (;;) {
    // Read anew each time: a credential that failed meanwhile, here or in another turn, is on cooldown by now.
    const candidates = await parts.credentials.candidates(wish);
    if (candidates.length === 0) {
      course.tried.push({ record, credential: undefined, failure: noCredential(record) });
      return { type: "given-up" };
    }
    const credential = candidates.find(
      ({ id, cooldownUntil }) => cooldownUntil === undefined && !used.has(id),
    );
    if (!credential) {
      for (const { cooldownUntil: until, ...rest } of candidates) {
        if (until !== undefined && !used.has(rest.id))
          course.passedOver.push({ record, credential: { ...rest, cooldownUntil: until }, until });
      }
      return { type: "given-up" };
    }
    used.add(credential.id);
    const isOnly = candidates.length === 1;
    const next = yield* askWith(parts, plan, { ...asking, credential, wish, isOnly, state });
    if (next.type !== "next-credential") return next;
    if (request.signal.aborted) return { type: "over", message: aborted(record) };
  }
}

/** No other answered: those on cooldown are asked once each all the same, the first to return first. */
export async function* askLastResort(
  parts: CallParts,
  plan: CallPlan,
  { request, course }: Omit<Asking, "record">,
): AsyncGenerator<ModelEvent, Outcome> {
  const waiting = course.passedOver.toSorted((one, other) => one.until - other.until);
  const hopeless = new Set<ModelRecord>();
  for (const { record, credential } of waiting) {
    if (request.signal.aborted) break;
    if (hopeless.has(record)) continue;
    const outcome = yield* askWith(
      parts,
      { ...plan, attempts: 1 },
      {
        record,
        request,
        course,
        credential,
        wish: wishOf(plan, record),
        isOnly: waiting.length === 1,
        state: { attempt: 0, level: "normal" },
      },
    );
    if (outcome.type === "over") return outcome;
    // What was not the credential's fault fails with the next one, too.
    if (outcome.type === "given-up") hopeless.add(record);
  }
  return { type: "given-up" };
}

const wishOf = ({ purpose, credential }: CallPlan, { provider }: ModelRecord): CredentialWish => ({
  provider,
  agentId: purpose.agentId,
  ...(credential === undefined ? {} : { only: credential.id }),
});

interface AskingWith extends Asking {
  credential: CredentialCandidate;
  wish: CredentialWish;
  isOnly: boolean;
  /** Shared by the credentials of one model: trouble of the provider is not theirs. */
  state: { attempt: number; level: "normal" | "plain" };
}

async function* askWith(
  parts: CallParts,
  plan: CallPlan,
  { record, request, course, credential, wish, isOnly, state }: AskingWith,
): AsyncGenerator<ModelEvent, Outcome | { type: "next-credential" }> {
  const { clock, credentials, history } = parts;
  const conversation = `${plan.purpose.sessionId} ${referenceOf(record)}`;
  let isRenewed = false;
  for (;;) {
    const access = await credentials.authOf(credential, wish, request.signal);
    if (!access.ok) {
      course.tried.push({ record, credential, failure: access.failure });
      // A key that we cannot open is nothing that the provider holds against it.
      if (!access.local) await credentials.failed(credential, access.failure, { isOnly });
      return { type: "next-credential" };
    }
    const sent = yield* sendRequest(parts, plan, {
      record,
      request,
      course,
      credential,
      auth: access.auth,
      level: state.level,
      plainUntil: history.plain.until(conversation, request.messages),
    });
    if (sent.type === "refused") {
      if (request.signal.aborted) return { type: "over", message: aborted(record) };
      const message = parts.describe.overBudget(sent.refusal);
      const content = textsOf(course.unfinished);
      return { type: "over", message: { ...failureMessage(record, { code: "budget" }, message), content } };
    }
    const { end } = sent;
    state.attempt++;
    if (!end.failure) {
      if (end.message.stopReason !== "aborted") await credentials.succeeded(credential);
      if (state.level === "plain") history.plain.note(conversation, request.messages);
      return { type: "over", message: end.message };
    }
    const { failure } = end;
    course.tried.push({ record, credential, failure });
    if (end.hasSpoken) course.unfinished = end.message;

    let pause: { pauseMs: number } | undefined;
    if (failure.code === "auth" && !isRenewed) {
      isRenewed = true;
      if (await credentials.renew(credential, wish, request.signal)) pause = { pauseMs: 0 };
    }
    // An answer that fell silent in the middle is paid for; it is begun anew once, not again and again.
    const isWasted = failure.code === "timeout" && end.hasSpoken && state.attempt > 1;
    if (!isWasted) pause ??= pauseFor(parts, plan, { failure, isOnly, state });
    if (pause) {
      if (await slept(clock, pause.pauseMs, request.signal)) continue;
      return { type: "over", message: { ...end.message, stopReason: "aborted" } };
    }
    await credentials.failed(credential, failure, { isOnly });
    if (sent.isOverTime) {
      const message = parts.describe.overBudget(sent.isOverTime);
      const content = textsOf(end.message);
      return {
        type: "over",
        message: {
          ...failureMessage(record, { code: "budget" }, message),
          content,
          usage: end.message.usage,
        },
      };
    }
    const isItsFault = !failure.isOutOfTime && ["credential", "again"].includes(remedies[failure.code]);
    return isItsFault ? { type: "next-credential" } : { type: "given-up" };
  }
}

/** Undefined where the same way is not worth another try. A repair changes the level. */
function pauseFor(
  { random }: CallParts,
  { attempts }: CallPlan,
  { failure, isOnly, state }: Pick<AskingWith, "isOnly" | "state"> & { failure: ModelFailure },
): { pauseMs: number } | undefined {
  const again = () =>
    state.attempt < attempts
      ? pauseBefore(state.attempt, failure, { random, longestMs: longestPauseMs })
      : undefined;
  switch (remedies[failure.code]) {
    case "again":
      return failure.isOutOfTime ? undefined : again();
    case "credential":
      // With nothing else to turn to, a short wait is worth it.
      return isOnly && failure.code === "rate_limit" ? again() : undefined;
    case "repair":
      if (state.level === "plain") return undefined;
      state.level = "plain";
      return { pauseMs: 0 };
    case "model":
    case "none":
      return undefined;
  }
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

const aborted = (record: ModelRecord): AssistantMessage => ({
  ...failureMessage(record, { code: "unknown" }, ""),
  stopReason: "aborted",
});

const firstPauseMs = 500;
const mostPauseMs = 8000;

/**
 * As long as the provider asks for, else twice as long after each attempt, shortened by up to a half at random so that many do not come
 * back together. Undefined when the provider asks for more than `longestMs`: then it is not worth waiting within a request.
 */
function pauseBefore(
  attempt: number,
  { retryAfterMs }: Pick<ModelFailure, "retryAfterMs">,
  { random, longestMs }: { random(): number; longestMs: number },
): { pauseMs: number } | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= longestMs ? { pauseMs: retryAfterMs } : undefined;
  const full = Math.min(mostPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return { pauseMs: Math.round(full * (1 - random() / 2)) };
}
