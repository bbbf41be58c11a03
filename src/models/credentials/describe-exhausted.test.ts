import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { describeExhausted } from "./describe-exhausted.ts";

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
