/** An error of an HTTP request: our own errors by their code, others without internals. */
import { PincerError, type ErrorCode, type ErrorDomain, type FrameError } from "@pincer/sdk";
import { frameError } from "../frame-error.ts";
import { Refusal } from "../method-calls.ts";
import { HttpFailure } from "./http-route.ts";

export function httpFailure(thrown: unknown): HttpFailure {
  if (thrown instanceof HttpFailure) return thrown;
  if (thrown instanceof Refusal) {
    return new HttpFailure(statusOfFrame[thrown.frame.code] ?? 500, thrown.frame.code, thrown.frame.message);
  }
  const { code, message, hint } = frameError(thrown);
  const status = thrown instanceof PincerError ? statusOf(thrown) : 500;
  const headers = status === 429 || status === 503 ? { "retry-after": "5" } : {};
  return new HttpFailure(status, code, message, { hint, headers });
}

export const failureBody = ({ code, message, hint }: HttpFailure): { error: unknown } => ({
  error: { code, message, ...(hint === undefined ? {} : { hint }) },
});

const statusOf = ({ code, domain }: PincerError): number => byCode[code] ?? byDomain[domain] ?? 500;

const byCode: Partial<Record<ErrorCode, number>> = {
  "gateway/unauthorized": 401,
  "gateway/busy": 429,
  "session/busy": 429,
  "session/not-found": 404,
  "usage/not-found": 404,
  "usage/key-used": 409,
  "config/not-found": 404,
  "secret/not-found": 404,
  "model/not-found": 404,
  "tool/not-found": 404,
  "message/not-found": 404,
  "rule/not-found": 404,
  "approval/not-found": 404,
  "approval/over": 409,
  "message/over": 409,
  "model/not-allowed": 403,
  "model/budget": 429,
};

const byDomain: Partial<Record<ErrorDomain, number>> = {
  permission: 403,
  usage: 400,
  config: 400,
  secret: 400,
  session: 400,
  backup: 400,
  pairing: 400,
  message: 400,
  approval: 400,
  rule: 400,
  tool: 400,
  model: 503,
  storage: 503,
  gateway: 503,
};

const statusOfFrame: Partial<Record<FrameError["code"], number>> = {
  UNAUTHORIZED: 401,
  AUTH_REQUIRED: 401,
  FORBIDDEN: 403,
  TENANT_SCOPE_MISMATCH: 403,
  WORKSPACE_SCOPE_MISMATCH: 403,
  INVALID_REQUEST: 400,
  METHOD_NOT_FOUND: 404,
  IDEMPOTENCY_CONFLICT: 409,
  RATE_LIMITED: 429,
  SESSION_BUSY: 429,
  POLICY_DENIED: 403,
  MODEL_UNAVAILABLE: 503,
};
