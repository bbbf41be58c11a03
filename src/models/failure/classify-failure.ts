/**
 * From what a server, a socket or a library said to the kind of failure that decides what is done next. First the words, because the
 * same status means many things; then the status; then what is known of the connection.
 */
import type { ModelErrorCode } from "@pincer/sdk";
import type { ModelFailure } from "../model-failure.ts";
import { connectionFailure } from "./connection-failure.ts";
import type { FailureEvidence } from "./failure-evidence.ts";
import { readFailureWords, type FailureWords } from "./failure-words.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { retryAfterOf } from "./retry-after.ts";
import { codeOfStatus } from "./status-codes.ts";
import { withoutMarkup } from "./without-markup.ts";
import { blamesTheRequest, wordings, type Wording } from "./wordings.ts";

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
  const status = evidence.status ?? words.status;
  const retryAfterMs = mayReturn.includes(code)
    ? retryAfterOf({ ...evidence, text: words.source }, now)
    : undefined;
  return {
    code,
    // Secrets go before anything is cut or joined: half a key would be no key that we know.
    message: line(words.status, withoutMarkup(hideSecrets(message, secrets))),
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

type Verdict = Pick<ModelFailure, "code" | "message">;

function verdictOn(evidence: FailureEvidence, words: FailureWords): Verdict {
  const { status, reason: message } = words;
  const { body, ...withoutBody } = evidence;
  if (status === undefined && !body?.trim()) {
    const connection = connectionFailure(evidence);
    if (connection) return connection;
  }
  if (words.isPage && !(status !== undefined && status >= 500)) return { code: codeOfPage(status), message };
  const wording = wordingFor(words);
  if (wording) return { code: wording.code, message };
  if (status !== undefined) return { code: codeOfStatus(status), message };
  // An answer that claims success and names no failure: what the library made of it says more.
  if (body !== undefined && (evidence.text || evidence.error))
    return verdictOn(withoutBody, readFailureWords(withoutBody));
  return { code: "unknown", message };
}

/** A proxy before the provider asks for a key or for patience as the provider would; that it blocks says nothing of the key. */
const codeOfPage = (status: number | undefined): ModelErrorCode =>
  status === undefined || status === 400 || status === 403 ? "unavailable" : codeOfStatus(status);

function wordingFor({ status, said }: FailureWords): Wording | undefined {
  if (status === 402) return undefined;
  const isBlamed =
    (status === 400 || status === 422) &&
    said.some(({ text, isName, isSentence }) => isName && !isSentence && blamesTheRequest.test(text));
  return wordings.find(
    ({ names, sentences, statuses, isLoose }) =>
      (!statuses || statuses.includes(status)) &&
      !(isLoose && isBlamed) &&
      said.some(
        ({ text, isName, isSentence }) =>
          (isName && names?.test(text)) || (isSentence && sentences?.test(text)),
      ),
  );
}

const mostCharacters = 300;

function line(status: number | undefined, text: string): string {
  const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const begun = status === undefined || clean.startsWith(String(status)) ? clean : `${status}: ${clean}`;
  const whole = begun.replace(/: $/, "") || "nothing was said about the reason";
  if (whole.length <= mostCharacters) return whole;
  return `${whole.slice(0, mostCharacters - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
