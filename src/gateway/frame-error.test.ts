import { PincerError } from "@pincer/sdk";
import { expect, it } from "vitest";
import { frameError } from "./frame-error.ts";

it("tells nothing of what is inside a mistake of ours, and where to look", () => {
  const error = frameError(new Error("no column secret_thing"));
  expect(error).toMatchObject({ code: "INTERNAL_ERROR", text: { key: "gateway.mistake" } });
  expect(JSON.stringify(error)).not.toContain("secret_thing");
  expect(error.hint).toContain("pincer logs");
  expect(frameError(null)).toMatchObject({ code: "INTERNAL_ERROR" });
});

it("asks for a restart where the files of Pincer were replaced while it runs", () => {
  const missing = Object.assign(new Error("Cannot find module '/opt/pincer/dist/status-x.mjs'"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const error = frameError(missing);
  expect(error.hint).toContain("pincer gateway restart");
  expect(JSON.stringify(error)).not.toContain("/opt");
});

it.each([
  ["usage/key-used", "IDEMPOTENCY_CONFLICT"],
  ["usage/bad-argument", "INVALID_REQUEST"],
  ["session/busy", "SESSION_BUSY"],
  ["gateway/busy", "RATE_LIMITED"],
] as const)("says %s as %s, with its own code beside it", (reason, code) => {
  expect(frameError(new PincerError(reason, "no"))).toMatchObject({ code, reason });
});
