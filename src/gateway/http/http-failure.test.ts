import { PincerError, errorCodes, protocolErrorCodes } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { Refusal } from "../method-calls.ts";
import { failureBody, httpFailure } from "./http-failure.ts";
import { HttpFailure } from "./http-route.ts";

describe("what went wrong, over HTTP", () => {
  it.each(errorCodes)("has a status and a code of the protocol for %s", (code) => {
    const { status, code: said } = httpFailure(new PincerError(code, "no"));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(protocolErrorCodes).toContain(said);
  });

  it.each(protocolErrorCodes)("has a status for a refusal with %s", (code) => {
    const { status, message } = httpFailure(new Refusal({ code, message: "no" }));
    expect([400, 401, 403, 404, 409, 429, 500, 503]).toContain(status);
    expect(message).toBe("no");
  });

  it.each([
    ["gateway/unauthorized", 401],
    ["permission/missing", 403],
    ["session/not-found", 404],
    ["approval/over", 409],
    ["usage/key-used", 409],
    ["gateway/busy", 429],
    ["model/failed", 503],
    ["storage/full", 503],
    ["internal/bug", 500],
  ] as const)("is %s as %i", (code, status) => {
    expect(httpFailure(new PincerError(code, "no")).status).toBe(status);
  });

  it("says when to try again where trying again may help", () => {
    expect(httpFailure(new PincerError("gateway/busy", "no")).headers).toEqual({ "retry-after": "5" });
    expect(httpFailure(new PincerError("session/not-found", "no")).headers).toEqual({});
  });

  it("keeps words and hint of ours, and none of what nobody foresaw", () => {
    const ours = httpFailure(new PincerError("session/not-found", "There is none.", { hint: "Look." }));
    expect(failureBody(ours)).toEqual({
      error: { code: "INVALID_REQUEST", message: "There is none.", hint: "Look." },
    });
    const theirs = httpFailure(new TypeError("/root/secret"));
    expect(theirs.status).toBe(500);
    expect(JSON.stringify(failureBody(theirs))).not.toContain("secret");
    const bug = httpFailure(new PincerError("internal/bug", "/root/secret"));
    expect(JSON.stringify(failureBody(bug))).not.toContain("secret");
  });

  it("leaves alone what is said over HTTP already", () => {
    const given = new HttpFailure(418, "TEA", "short and stout");
    expect(httpFailure(given)).toBe(given);
  });
});
