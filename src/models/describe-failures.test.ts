import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { TriedWay } from "./call/call-plan.ts";
import type { ModelFailure } from "./model-failure.ts";
import { describeFailures, describeExhausted } from "./describe-failures.ts";

const { gaveUp } = describeFailures(createSay("en"));
const record = { provider: "mine", id: "m", baseUrl: "http://10.0.0.5/v1" } as TriedWay["record"];
const told = (code: ModelFailure["code"], id: string) =>
  gaveUp([{ record, credential: { id, provider: "mine" }, failure: { code, message: "Refused" } }]);

it("AUTH-11 names the credential that was refused, and none where there is none", () => {
  expect(told("auth", "mine:default")).toContain("The credential mine:default was rejected");
  expect(told("auth", "none")).toBe(
    "mine/m: Refused. It needs a credential, but there is none; `pincer auth login mine` stores one.",
  );
  expect(told("billing", "none")).not.toContain("behind none");
});

it("AUTH-11 says what was tried, why each failed and when each returns", () => {
  const words = describeExhausted(
    [
      {
        id: "work",
        failure: { code: "rate_limit", message: "slow down" },
        returnsAt: Date.UTC(2026, 0, 1, 12, 5),
      },
      { id: "home", failure: { code: "auth", message: "" } },
    ],
    createSay("en"),
  );
  expect(words).toBe(
    "All auth profiles exhausted:\n- work: slow down (retried from 2026-01-01T12:05:00.000Z on)\n- home: auth",
  );
});

it("AUTH-11 says what to do when there was none to try", () => {
  expect(describeExhausted([], createSay("en"))).toMatch(/^All auth profiles exhausted: .*pincer auth login/);
});
