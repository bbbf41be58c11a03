/** Failures as OpenAI's clients read them: `{ error: { message, type, param, code } }`. */
import { PincerError, type ErrorCode } from "@pincer/sdk";
import { asSentence } from "../../infra/failure.ts";
import { createSay, type TextKey } from "../../infra/texts.ts";
import { HttpFailure } from "../http/http-route.ts";

const english = createSay("en");

export class OpenAiFailure extends HttpFailure {
  /** What of the request is wrong. */
  readonly param: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    { param = null, ...rest }: { param?: string | null } & ConstructorParameters<typeof HttpFailure>[3] = {},
  ) {
    super(status, code, message, rest);
    this.param = param;
  }
}

/** The request is wrong at `param`. */
export const badRequest = (
  key: TextKey,
  param: string,
  { code = "invalid_value", ...parameters }: Record<string, string | number> & { code?: string } = {},
): OpenAiFailure => new OpenAiFailure(400, code, english(key, { ...parameters, param }), { param });

export const unsupported = (param: string): OpenAiFailure =>
  badRequest("openai.unsupported", param, { code: "unsupported_parameter" });

export const noSuchModel = (model: string): OpenAiFailure =>
  new OpenAiFailure(404, "model_not_found", english("openai.no-model", { model }), { param: "model" });

export const noSuchResponse = (id: string, param: string | null = null): OpenAiFailure =>
  new OpenAiFailure(404, "not_found", english("openai.no-response", { id }), { param });

/** The body of any failure on these routes. */
export function failureBody(failure: HttpFailure): { error: Record<string, string | null> } {
  const { status, message, hint } = failure;
  const isOwn = failure instanceof OpenAiFailure;
  return {
    error: {
      message: hint === undefined ? message : `${asSentence(message)} ${hint}`,
      type: typeOf(status),
      param: isOwn ? failure.param : null,
      code: isOwn ? failure.code : (serverCodes[status] ?? failure.code),
    },
  };
}

/** What the server itself refuses, in the words that clients know. */
const serverCodes: Record<number, string> = {
  400: "invalid_json",
  401: "invalid_api_key",
  403: "permission_denied",
  408: "request_timeout",
  413: "request_too_large",
  415: "unsupported_media_type",
  429: "rate_limit_exceeded",
};

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** Anything thrown on the way to an answer. A bug is told without what is inside. */
export function asOpenAiFailure(thrown: unknown, model?: string): HttpFailure {
  if (thrown instanceof HttpFailure) return thrown;
  if (!(thrown instanceof PincerError))
    return new OpenAiFailure(500, "internal_error", english("openai.failed"));
  if (thrown.code === "usage/key-used") {
    return notAgain(new OpenAiFailure(409, "idempotency_conflict", english("openai.key-used")));
  }
  if (thrown.code === "message/not-found") {
    return new OpenAiFailure(404, "not_found", thrown.message, { param: "previous_response_id" });
  }
  return failureOfCode(thrown.code, thrown, model);
}

/** The official clients try again by themselves; what was asked and done must not be asked and done once more. */
export function notAgain({ status, code, message, hint, headers }: HttpFailure): HttpFailure {
  return new OpenAiFailure(status, code, message, {
    hint,
    headers: { ...headers, "x-should-retry": "false" },
  });
}

/** `model`: what the caller named; where it is not there, that is what is wrong. */
export function failureOfCode(
  code: ErrorCode,
  { message, hint }: { message: string; hint?: string | undefined },
  model?: string,
): HttpFailure {
  if (model !== undefined && missing.has(code)) return noSuchModel(model);
  const [status, own, retryAfter] = statuses[code] ?? byDomain(code);
  if (status === 500) return new OpenAiFailure(500, "internal_error", english("openai.failed"));
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return new OpenAiFailure(status, own, message, { hint, headers });
}

/** Of what was asked for by name. */
const missing: ReadonlySet<ErrorCode> = new Set([
  "model/not-connected",
  "model/not-found",
  "usage/not-found",
]);

type Told = [status: number, code: string, retryAfterSeconds?: number];

const statuses: Partial<Record<ErrorCode, Told>> = {
  "usage/not-found": [404, "not_found"],
  "session/busy": [429, "rate_limit_exceeded", 5],
  "session/bad-key": [400, "invalid_value"],
  "session/not-found": [404, "not_found"],
  "model/not-allowed": [403, "model_not_allowed"],
  "model/budget": [429, "insufficient_quota"],
  "permission/missing": [403, "permission_denied"],
  "gateway/stopped": [503, "unavailable", 2],
  "turn/aborted": [503, "aborted"],
};

function byDomain(code: ErrorCode): Told {
  const [domain] = code.split("/");
  if (domain === "usage") return [400, "invalid_value"];
  if (domain === "model" || domain === "config" || domain === "storage") return [503, "unavailable"];
  return [500, "internal_error"];
}
