/**
 * How a send can fail, as four codes that tell the host what to do next. The connector names what happened; the host
 * decides when and whether to try again. Any other error of a connector counts as `closed`: it is unknown whether the
 * message was sent.
 */
export const sendErrorCodes = ["rate-limited", "unavailable", "rejected", "closed"] as const;
export type SendErrorCode = (typeof sendErrorCodes)[number];

export class SendError extends Error {
  readonly code: SendErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: SendErrorCode,
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "SendError";
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a network said, as a person may read it in a reason. */
export const readableWords = (words: string): string => words.replaceAll(/\p{Cc}/gu, "").slice(0, 300);

/** For connections without encryption. Throws SendError `rejected` where a password would leave this machine. */
export function refuseInClear(server: string, password: string | undefined): void {
  if (password === undefined || ["localhost", "127.0.0.1", "::1"].includes(server)) return;
  throw new SendError("rejected", "without TLS the password would be sent unencrypted");
}

/** What the host does about each. */
export interface RetryPolicy {
  /** Whether the message may have been shown all the same. */
  outcome: "not-sent" | "unknown";
  retry:
    | { type: "never" }
    /** `firstMs`, doubled each time up to `mostMs`, a little uneven; a `retryAfterMs` of the error is waited for at least. */
    | { type: "backoff"; firstMs: number; mostMs: number }
    /** Only after finding out, or as a repeat that is marked as such. */
    | { type: "marked" };
}

export const retryPolicies: Record<SendErrorCode, RetryPolicy> = {
  /** Too fast; certainly not sent. */
  "rate-limited": { outcome: "not-sent", retry: { type: "backoff", firstMs: 1000, mostMs: 60_000 } },
  /** The network cannot take it at the moment; certainly not sent. */
  unavailable: { outcome: "not-sent", retry: { type: "backoff", firstMs: 500, mostMs: 25_000 } },
  /** It will never take this one: the chat is gone, we are blocked, the text is not allowed. */
  rejected: { outcome: "not-sent", retry: { type: "never" } },
  /** The connection ended or hung in the middle. */
  closed: { outcome: "unknown", retry: { type: "marked" } },
};
