/**
 * The list of error codes. A code is `domain/what`; the domain says who is concerned, and the command line turns it
 * into an exit status. `hint` tells the user what to do next.
 */
export const errorCodes = [
  "usage/empty-input",
  "usage/bad-argument",
  "usage/not-found",
  "usage/key-used",
  "config/unparsable",
  "config/bad-value",
  "config/not-found",
  "secret/not-found",
  "secret/bad-name",
  "secret/locked",
  "storage/unavailable",
  "storage/corrupt",
  "storage/busy",
  "storage/full",
  "storage/failed",
  "storage/too-new",
  "session/busy",
  "session/not-found",
  "session/bad-key",
  "session/lost-lease",
  "transcript/unreadable",
  "backup/invalid",
  "backup/refused",
  "model/not-connected",
  "model/not-found",
  "model/not-allowed",
  "model/failed",
  "model/budget",
  "tool/not-found",
  "tool/invalid-args",
  "tool/failed",
  "tool/limit",
  "tool/repeated",
  "turn/aborted",
  "gateway/running",
  "gateway/unreachable",
  "gateway/stopped",
  "gateway/protocol",
  "gateway/unauthorized",
  "gateway/busy",
  "pairing/unknown-code",
  "pairing/locked",
  "message/not-found",
  "message/over",
  "rule/not-found",
  "approval/not-found",
  "approval/over",
  "permission/missing",
  "internal/bug",
] as const;

export type ErrorCode = (typeof errorCodes)[number];
export type ErrorDomain = ErrorCode extends `${infer Domain}/${string}` ? Domain : never;

/** Where the words of an error stand in the catalogue, so that a front door can say them in its user's language. */
export interface ErrorText {
  key: string;
  hint?: string;
  parameters: Record<string, string | number>;
}

export class PincerError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly text: ErrorText | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string | undefined; cause?: unknown; text?: ErrorText } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "PincerError";
    this.code = code;
    this.hint = options.hint;
    this.text = options.text;
  }

  get domain(): ErrorDomain {
    return this.code.slice(0, this.code.indexOf("/")) as ErrorDomain;
  }
}

/** Anything thrown, as one of ours: what we did not foresee is a bug and keeps its cause. */
export function asPincerError(thrown: unknown): PincerError {
  if (thrown instanceof PincerError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new PincerError("internal/bug", message, { cause: thrown });
}
