/** What went wrong, as it goes over the wire: our own errors with their words, anything else without what is inside. */
import {
  PincerError,
  type ErrorCode,
  type ErrorDomain,
  type FrameError,
  type ProtocolErrorCode,
} from "@pincer/sdk";
import { createSay } from "../infra/texts.ts";

const english = createSay("en");

export function frameError(thrown: unknown): FrameError {
  if (!(thrown instanceof PincerError) || thrown.code === "internal/bug") {
    return ourFault(thrown);
  }
  const { code, message, hint, text, domain } = thrown;
  return {
    code: byCode[code] ?? byDomain[domain] ?? "INTERNAL_ERROR",
    message,
    ...(hint === undefined ? {} : { hint }),
    reason: code,
    ...(text ? { text } : {}),
  };
}

/** Nothing of what is inside is told. One whose files were replaced while it runs can say what helps. */
function ourFault(thrown: unknown): FrameError {
  const isReplaced = (thrown as { code?: unknown } | undefined)?.code === "ERR_MODULE_NOT_FOUND";
  const key = isReplaced ? "gateway.replaced" : "gateway.mistake";
  const hint = `${key}.hint` as const;
  const text = { key, hint, parameters: {} };
  return { code: "INTERNAL_ERROR", message: english(key), hint: english(hint), text };
}

const byCode: Partial<Record<ErrorCode, ProtocolErrorCode>> = {
  "session/busy": "SESSION_BUSY",
  "usage/key-used": "IDEMPOTENCY_CONFLICT",
  "tool/invalid-args": "INVALID_REQUEST",
  "gateway/unauthorized": "UNAUTHORIZED",
  "gateway/busy": "RATE_LIMITED",
};

const byDomain: Partial<Record<ErrorDomain, ProtocolErrorCode>> = {
  usage: "INVALID_REQUEST",
  config: "INVALID_REQUEST",
  session: "INVALID_REQUEST",
  backup: "INVALID_REQUEST",
  pairing: "INVALID_REQUEST",
  message: "INVALID_REQUEST",
  gateway: "INVALID_REQUEST",
  approval: "INVALID_REQUEST",
  permission: "FORBIDDEN",
  model: "MODEL_UNAVAILABLE",
  tool: "TOOL_EXEC_FAILED",
};
