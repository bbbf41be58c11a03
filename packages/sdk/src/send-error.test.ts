import { describe, expect, it } from "vitest";
import { SendError, retryPolicies, sendErrorCodes, readableWords, refuseInClear } from "./send-error.ts";

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
      ["closed", "unknown", "marked"],
    ]);
  });

  it("PLUG-06 keep what the network said", () => {
    const cause = new Error("429");
    const error = new SendError("rate-limited", "too fast", { retryAfterMs: 5000, cause });
    expect(error).toMatchObject({ name: "SendError", code: "rate-limited", retryAfterMs: 5000, cause });
    expect("cause" in new SendError("closed", "gone")).toBe(false);
  });

  it("let no password leave the machine in clear", () => {
    const refusal = expect.objectContaining({ code: "rejected" });
    expect(() => refuseInClear("irc.example", "pw")).toThrow(refusal);
    expect(() => refuseInClear("127.0.0.1.evil.example", "pw")).toThrow(refusal);
    for (const server of ["localhost", "127.0.0.1", "::1"])
      expect(() => refuseInClear(server, "pw")).not.toThrow();
    expect(() => refuseInClear("irc.example", undefined)).not.toThrow();
  });

  it("show the words of a network without what could write elsewhere", () => {
    expect(readableWords(`no\r\nway\u001b[2J${"x".repeat(400)}`)).toBe(`noway[2J${"x".repeat(292)}`);
  });
});
