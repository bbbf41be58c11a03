import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createOneTimeCodes } from "./one-time-codes.ts";

const grant = { role: "owner", scope: { type: "tenant" }, by: "owner", boundTo: null } as const;

it("GW-11 at most twenty are alive; the oldest goes first", () => {
  const codes = createOneTimeCodes({ clock: createHandClock() });
  const made = Array.from({ length: 21 }, () => codes.make(grant).code);
  expect(new Set(made).size).toBe(21);
  expect(codes.take(made[0] ?? "")).toBeUndefined();
  expect(made.slice(1).map((code) => codes.take(code))).toEqual(made.slice(1).map(() => grant));
});

it("GW-11 one that is over does not work, and one that was used does not either", async () => {
  const clock = createHandClock();
  const codes = createOneTimeCodes({ clock });
  const { code, expiresAt } = codes.make(grant);
  expect(expiresAt).toBe("2026-01-01T12:05:00.000Z");
  await clock.advance(299_999);
  expect(codes.take(code)).toEqual(grant);
  expect(codes.take(code)).toBeUndefined();
  const late = codes.make(grant);
  await clock.advance(300_000);
  expect(codes.take(late.code)).toBeUndefined();
});
