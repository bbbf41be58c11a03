/** How an answer ends: complete, with a failure, or aborted; and what it took. */
import { noUsage, type AssistantMessage, type Usage } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import { secretsIn } from "../../storage/credentials/credential-secret.ts";
import { classifyFailure } from "../failure/classify-failure.ts";
import type { FailureEvidence } from "../failure/failure-evidence.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord } from "../model-record.ts";
import type { AnswerReader, PiAnswer } from "../pi/read-answer.ts";
import type { ArgumentBuffer } from "./argument-buffer.ts";
import type { Exchange } from "./exchange.ts";
import { estimateUsage, type TokenCounts } from "./usage.ts";
import type { RequestAuth, WireEvent, WireRequest } from "./wire.ts";

type End = Extract<WireEvent, { type: "end" }>;

export interface Endings {
  /** The library says that the answer is complete. */
  complete(answer: PiAnswer): End;
  /** The library says that it failed, or that it was aborted. */
  broken(answer: PiAnswer): End;
  /** The request never became an answer. */
  failed(error: unknown): End;
  aborted(): End;
  /** It says more than an answer may have. */
  tooLong(): End;
  /** It cannot be asked: the key could not be sent. */
  impossibleKey(): End;
}

export interface EndingsParts {
  clock: Clock;
  record: ModelRecord;
  auth: RequestAuth;
  request: WireRequest;
  reader: AnswerReader;
  shelf: ArgumentBuffer;
  exchange: Pick<Exchange, "evidence" | "isSent" | "isTaken">;
}

export function createEndings(parts: EndingsParts): Endings {
  const { clock, record, auth, request, reader, shelf, exchange } = parts;

  function end(
    message: Pick<AssistantMessage, "content" | "usage" | "stopReason">,
    failure?: ModelFailure,
  ): End {
    const { provider, id: model, api } = record;
    const whole: AssistantMessage = { role: "assistant", provider, model, api, ...message };
    if (!failure) return { type: "end", message: whole };
    const { code: errorCode, message: errorMessage } = failure;
    return { type: "end", message: { ...whole, errorCode, errorMessage }, failure };
  }

  const estimated = (said: AssistantMessage["content"]): Usage =>
    estimateUsage(record.cost, request, { said, told: reader.usageSoFar() });

  const hasSaid = (): boolean => reader.allSoFar().length > 0 || isCounted(reader.usageSoFar());

  /** Refusals are free, also those that come as an answer; whatever else was sent may have to be paid for, though not a word came. */
  const usageAfter = ({ code }: ModelFailure): Usage =>
    hasSaid() || (exchange.isTaken() && !refusals.includes(code)) ? estimated(reader.allSoFar()) : noUsage();

  const failedWith = (failure: ModelFailure, usage: Usage): End =>
    end({ content: reader.wordsSoFar(), usage, stopReason: "error" }, failure);

  function failed(seen: FailureEvidence): End {
    const evidence = { ...seen, ...exchange.evidence() };
    const failure = classifyFailure(evidence, { now: clock.now(), secrets: secretsOf(record, auth) });
    return failedWith(failure, usageAfter(failure));
  }

  const aborted = (): End =>
    end({
      content: reader.wordsSoFar(),
      usage: exchange.isSent() || hasSaid() ? estimated(reader.allSoFar()) : noUsage(),
      stopReason: "aborted",
    });

  return {
    aborted,
    tooLong() {
      const content = reader.wordsSoFar();
      return end({ content, usage: estimated(reader.allSoFar()), stopReason: "length" });
    },
    impossibleKey: () =>
      failedWith(
        { code: "auth", message: "the key holds a character that no key can have; nothing was sent" },
        noUsage(),
      ),
    failed: (error) => (request.signal.aborted ? aborted() : failed({ error })),
    broken({ errorMessage = "" }) {
      if (request.signal.aborted) return aborted();
      const complete = [...reader.wordsSoFar(), ...reader.callsSoFar()];
      // A word for the end that the library does not know is an end all the same.
      if (errorMessage.startsWith("Unhandled stop reason") && saysSomething(complete)) {
        const stopReason = reader.callsSoFar().length > 0 ? "toolUse" : "stop";
        return end({ content: complete, usage: estimated(complete), stopReason });
      }
      if (!shelf.isOverflowing()) return failed({ text: errorMessage });
      // The model is told that its arguments were too long; what else it would have said is not worth waiting for.
      const content = [...reader.wordsSoFar(), ...reader.callsSoFar()];
      return end({ content, usage: estimated(content), stopReason: "toolUse" });
    },
    complete(answer) {
      const content = reader.whole(answer);
      const told = toldUsage(answer);
      const usage = isCounted(told) ? told : estimated(content);
      if (saysSomething(content)) return end({ content, usage, stopReason: stopReasonOf(answer, content) });
      // Some servers cut the question to what fits, and then have no room left to answer.
      const isFull =
        answer.stopReason === "length" && told.input + told.cacheRead >= 0.99 * record.contextWindow;
      return failedWith(
        isFull
          ? { code: "context_overflow", message: "the request left no room for an answer" }
          : { code: "empty", message: "the answer was empty" },
        usage,
      );
    },
  };
}

/** Kinds of failure after which nobody sends a bill. */
const refusals: ReadonlyArray<ModelFailure["code"]> = [
  "auth",
  "billing",
  "context_overflow",
  "invalid_request",
  "not_found",
  "rate_limit",
];

/** What a provider may repeat of what it was sent. The longest first, so that one within another leaves no rest of it. */
function secretsOf(record: ModelRecord, { apiKey = "", headers, settings }: RequestAuth): string[] {
  const sent = [headers, record.headers].flatMap((each) => Object.values(each ?? {}));
  // Of `Bearer …` the provider may repeat the second half alone.
  const halves = sent.map((value) => value.replace(/^\S+\s+/, ""));
  return [apiKey, ...sent, ...halves, ...secretsIn(settings)].toSorted(
    (one, other) => other.length - one.length,
  );
}

const saysSomething = (content: AssistantMessage["content"]): boolean =>
  content.some((block) => block.type === "toolCall" || (block.type === "text" && block.text.trim() !== ""));

const isCounted = (usage: TokenCounts | undefined): boolean =>
  usage !== undefined && usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0;

function toldUsage({ usage }: PiAnswer): Usage {
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = usage;
  const total = totalTokens || input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, total, cost: cost.total };
}

/** Not every server says so when it calls tools. */
function stopReasonOf(
  { stopReason }: PiAnswer,
  content: AssistantMessage["content"],
): AssistantMessage["stopReason"] {
  if (stopReason === "length") return "length";
  return content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
}
