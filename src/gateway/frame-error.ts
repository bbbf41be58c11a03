/** What went wrong, as it goes over the wire: our own errors with their words, anything else without what is inside. */
import {
  PincerError,
  type ErrorCode,
  type ErrorDomain,
  type FrameError,
  type ProtocolErrorCode,
} from "@pincer/sdk";

export function frameError(thrown: unknown): FrameError {
  if (!(thrown instanceof PincerError) || thrown.code === "internal/bug") {
    return { code: "INTERNAL_ERROR", message: "The gateway made a mistake; its log says more." };
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

const byCode: Partial<Record<ErrorCode, ProtocolErrorCode>> = {
  "session/busy": "SESSION_BUSY",
  "tool/invalid-args": "INVALID_REQUEST",
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
