/**
 * From what a server, a socket or a library said to the kind of failure that decides what is done next. First the words, because the
 * same status means many things; then the status; then what is known of the connection.
 */
import type { ModelErrorCode } from "@pincer/sdk";
import type { ModelFailure } from "../model-failure.ts";
import { connectionFailure } from "./connection-failure.ts";
import type { FailureEvidence } from "./failure-evidence.ts";
import { readFailureWords, type FailureWords } from "./failure-words.ts";
import { retryAfterOf } from "./retry-after.ts";
import { statusCodes, wordings, wordingsWithoutStatus } from "./wordings.ts";

export interface ClassifyParts {
  /** Milliseconds since the epoch, for times that a provider names. */
  now: number;
  /** Must not show in the message. */
  secrets?: ReadonlyArray<string | undefined>;
}

export function classifyFailure(
  evidence: FailureEvidence,
  { now, secrets = [] }: ClassifyParts,
): ModelFailure {
  const words = readFailureWords(evidence);
  const { code, message } = verdictOn(evidence, words);
  const { status } = words;
  const retryAfterMs = mayReturn.includes(code)
    ? retryAfterOf({ ...evidence, text: words.all }, now)
    : undefined;
  return {
    code,
    message: withoutSecrets(message, secrets),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Those that time heals. */
const mayReturn: readonly ModelErrorCode[] = [
  "rate_limit",
  "overloaded",
  "unavailable",
  "billing",
  "timeout",
];

function verdictOn(evidence: FailureEvidence, words: FailureWords): Pick<ModelFailure, "code" | "message"> {
  const { status, all, message } = words;
  if (status === undefined) {
    const connection = connectionFailure(evidence);
    if (connection) return connection;
  }
  const table = status === undefined ? [...wordings, ...wordingsWithoutStatus] : wordings;
  const wording = table.find(
    ({ pattern, statuses }) =>
      pattern.test(all) && (!statuses || (status !== undefined && statuses.includes(status))),
  );
  if (wording) return { code: wording.code, message };
  if (status === undefined) return { code: "unknown", message };
  return { code: words.isPage && status < 500 ? "unavailable" : codeOfStatus(status), message };
}

function codeOfStatus(status: number): ModelErrorCode {
  const known = statusCodes[status];
  if (known) return known;
  if (status >= 500) return "unavailable";
  return status >= 400 ? "invalid_request" : "unknown";
}

function withoutSecrets(message: string, secrets: ReadonlyArray<string | undefined>): string {
  let clean = message.replace(looksSecret, "…");
  for (const secret of secrets) if (secret && secret.length >= 6) clean = clean.replaceAll(secret, "…");
  return clean;
}

/** Keys as providers repeat them in their refusals, half masked or not. */
const looksSecret =
  /\b(?:(?:sk|pk|gsk|xai|pplx|nvapi|hf|r8|ghp|gho|ghu|fw)[-_][\w*.-]{6,}|AIza[\w-]{10,}|ya29\.[\w-]+|ey[A-Za-z0-9_-]{10,}\.[\w-]+\.[\w-]+|Bearer [\w.~+/*-]{6,})/g;
