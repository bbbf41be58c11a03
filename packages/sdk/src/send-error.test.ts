import { describe, expect, it } from "vitest";
import { SendError, retryPolicies, sendErrorCodes } from "./send-error.ts";

describe("send errors", () => {
  it("PLUG-06 say in four words what to do next", () => {
    expect(Object.keys(retryPolicies).sort()).toEqual([...sendErrorCodes].sort());
    const outcomes = sendErrorCodes.map((code) => [
      code,
      retryPolicies[code].outcome,
      retryPolicies[code].retry.type,
    ]);
    expect(outcomes).toEqual([
      ["rate-limited", "not-sent", "backoff"],
      ["unavailable", "not-sent", "backoff"],
      ["rejected", "not-sent", "never"],
      ["closed", "unknown", "once-marked"],
    ]);
  });

  it("PLUG-06 keep what the network said", () => {
    const cause = new Error("429");
    const error = new SendError("rate-limited", "too fast", { retryAfterMs: 5000, cause });
    expect(error).toMatchObject({ name: "SendError", code: "rate-limited", retryAfterMs: 5000, cause });
    expect("cause" in new SendError("closed", "gone")).toBe(false);
  });
});
