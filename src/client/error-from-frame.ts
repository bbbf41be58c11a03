import { PincerError, errorCodes, type ErrorCode, type FrameError } from "@pincer/sdk";

/**
 * The error as it was thrown in the gateway, so that a command ends as it would without one. The place of its words in the catalogue
 * is kept only between equal versions: another one may not have them.
 */
export function errorFromFrame(error: FrameError, sameVersion: boolean): PincerError {
  const { code, message, hint, reason, text } = error;
  const known = errorCodes.find((each) => each === reason);
  return new PincerError(known ?? byProtocolCode[code] ?? "internal/bug", message, {
    hint,
    ...(text && sameVersion ? { text } : {}),
  });
}

const byProtocolCode: Partial<Record<FrameError["code"], ErrorCode>> = {
  INVALID_REQUEST: "usage/bad-argument",
  METHOD_NOT_FOUND: "gateway/protocol",
  AUTH_REQUIRED: "gateway/protocol",
  FORBIDDEN: "gateway/unreachable",
  RATE_LIMITED: "gateway/busy",
  IDEMPOTENCY_CONFLICT: "usage/key-used",
};
