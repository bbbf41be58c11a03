import type { FrameError } from "../protocol/frames.ts";

/**
 * Why a request has no answer. `code` is one of the protocol's, or the link's own: CLOSED (the link was closed or
 * refused), UNCERTAIN (the gateway restarted before it answered, and the outcome is unknown).
 */
export class LinkError extends Error {
  readonly code: FrameError["code"] | "CLOSED" | "UNCERTAIN";
  readonly hint: string | undefined;
  readonly reason: string | undefined;
  readonly text: FrameError["text"];

  constructor(error: Omit<FrameError, "code"> & { code: FrameError["code"] | "CLOSED" | "UNCERTAIN" }) {
    super(error.message);
    this.name = "LinkError";
    this.code = error.code;
    this.hint = error.hint;
    this.reason = error.reason;
    this.text = error.text;
  }
}
