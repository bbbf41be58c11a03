/** What a provider's refusal means for those who wait for vectors, in words that never hold a key. */
import type { Clock } from "../../infra/clock.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { createRedactor } from "../../infra/redactor.ts";
import type { TextKey } from "../../infra/texts.ts";
import type { RawAnswer } from "./ask-json.ts";
import { embedderError, type EmbedderError, type EmbedderSpec } from "./embedder.ts";

export interface FailureReader {
  /** Of an answer whose status is not a success. */
  ofAnswer(answer: RawAnswer): EmbedderError;
  /** Of what kept an answer from coming. */
  ofSilence(error: unknown): EmbedderError;
  wrongAnswer(reason: string): EmbedderError;
  /** Whether shorter texts may be taken. */
  isTooLong(answer: RawAnswer): boolean;
}

/** Credit does not come back within minutes. */
const quotaMs = 3_600_000;
const mostReason = 200;

type RemoteSpec = Exclude<EmbedderSpec, { type: "none" | "local" }>;

export function createFailureReader(spec: RemoteSpec, name: string, clock: Clock): FailureReader {
  const redactor = createRedactor();
  for (const secret of [spec.apiKey, ...Object.values(spec.headers ?? {})])
    if (secret) redactor.add("embedder", secret);
  const clean = (text: string) => shorten(oneLine(redactor.text(text)), mostReason);
  const about = { embedder: name, address: clean(addressOf(spec.baseUrl)), model: spec.model };

  function ofAnswer(answer: RawAnswer): EmbedderError {
    const { status, body, headers } = answer;
    const parameters = { ...about, status, reason: clean(saidBy(body) || "no reason given") };
    const refuse = (key: TextKey) => embedderError(key, parameters, { retryable: false });
    const later = (key: TextKey, least = 0) => {
      const told = waitOf(answer, clock.now());
      const retryAfterMs = told === undefined && least === 0 ? undefined : Math.max(told ?? 0, least);
      return embedderError(key, parameters, { retryable: true, retryAfterMs });
    };
    if (status === 401 || status === 403) return refuse("embedder.failed.key");
    if (status === 404)
      return refuse(spec.type === "ollama" ? "embedder.failed.pull" : "embedder.failed.not-found");
    if (status === 402 || (status === 429 && /insufficient_quota/.test(body)))
      return later("embedder.failed.quota", quotaMs);
    if (status === 429) return later("embedder.failed.rate");
    if (status >= 500 || [408, 409, 425].includes(status)) return later("embedder.failed.down");
    if (status >= 300 && status < 400) {
      const target = clean(URL.parse(headers.location ?? "", spec.baseUrl)?.origin ?? "nowhere");
      return embedderError(
        "embedder.failed.redirect",
        { ...about, status, reason: target },
        { retryable: false },
      );
    }
    // Google says so with 400.
    return refuse(
      /API_KEY_INVALID|API key not valid/.test(body) ? "embedder.failed.key" : "embedder.failed.refused",
    );
  }

  return {
    ofAnswer,
    ofSilence(error) {
      if (error instanceof RangeError) return wrongAnswer(error.message);
      const { message, code } = error as NodeJS.ErrnoException;
      const reason = clean(message || code || String(error));
      const setting = unsendable.has(code ?? "") ? settingIn(message, spec) : undefined;
      if (setting !== undefined)
        return embedderError(
          "embedder.failed.setting",
          { ...about, setting, reason },
          { retryable: false, cause: error },
        );
      return embedderError(
        "embedder.failed.unreachable",
        { ...about, reason },
        { retryable: true, cause: error },
      );
    },
    wrongAnswer,
    isTooLong: ({ status, body }) =>
      status === 413 ||
      (status === 400 &&
        /too long|too large|exceed|maximum (context|input)|context length|less than \d+ tokens/i.test(body)),
  };

  function wrongAnswer(reason: string): EmbedderError {
    return embedderError("embedder.failed.answer", { ...about, reason }, { retryable: false });
  }
}

/** With them Node refuses a request before anything is sent. */
const unsendable = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
  "ERR_INVALID_URL",
  "ERR_INVALID_PROTOCOL",
  "ERR_UNESCAPED_CHARACTERS",
]);

/** The setting that Node complains of: it names the header, unless it is the address. */
function settingIn(message: string, { headers = {} }: Pick<RemoteSpec, "headers">): string {
  const [, named] = /header.*\["?(.*?)"?\]/i.exec(message) ?? [];
  const settings = "agents.defaults.memorySearch.remote";
  if (named === undefined) return `${settings}.baseUrl`;
  const own = Object.keys(headers).find((name) => name.toLowerCase() === named.toLowerCase());
  return own === undefined ? `${settings}.apiKey` : `${settings}.headers.${own}`;
}

/** Without what may be secret in it. */
function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? url.origin + url.pathname.replace(/\/+$/, "") : baseUrl;
}

/** The sentence in an error's body, wherever the provider keeps it; else the body itself. */
function saidBy(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    return sentenceIn(Array.isArray(parsed) ? parsed[0] : parsed) ?? body;
  } catch {
    // A page of a proxy, or nothing at all.
    return body;
  }
}

function sentenceIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message, detail } = value as Record<string, unknown>;
  return sentenceIn(message) ?? sentenceIn(error) ?? sentenceIn(detail);
}

/** The requested delay: in a header, as seconds or a date, or as Google does in the body. */
function waitOf({ headers, body }: RawAnswer, now: number): number | undefined {
  const told = headers["retry-after"] ?? /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  if (told === undefined) return undefined;
  const seconds = Number(told);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(told) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : undefined;
}
