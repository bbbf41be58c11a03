import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import type { NoticeDraft } from "../../storage/outbox/notice.ts";
import { createFailedSummaries } from "./failed-summaries.ts";

const session = { sessionId: "s1", sessionKey: "agent:main:main" };

function stage() {
  const clock = createHandClock();
  const told: NoticeDraft[] = [];
  const errors: unknown[] = [];
  const add = async (draft: NoticeDraft) => {
    told.push(draft);
    throw new Error("no disk");
  };
  return {
    clock,
    told,
    errors,
    summaries: createFailedSummaries({ clock, notices: { add }, onError: (error) => errors.push(error) }),
  };
}

it("COMP-02 leaves a session in peace for a while after a summary failed, each time longer", async () => {
  const { clock, summaries } = stage();
  expect(summaries.isResting("s1")).toBe(false);
  summaries.failed(session, "down");
  expect(summaries.isResting("s1")).toBe(true);
  expect(summaries.isResting("s2")).toBe(false);
  await clock.advance(5 * 60_000);
  expect(summaries.isResting("s1")).toBe(false);
  summaries.failed(session, "down");
  await clock.advance(9 * 60_000);
  expect(summaries.isResting("s1")).toBe(true);
  await clock.advance(60_000);
  expect(summaries.isResting("s1")).toBe(false);
});

it("tells the owner, and goes on where even that fails", async () => {
  const { told, errors, summaries } = stage();
  summaries.failed(session, "down");
  await Promise.resolve();
  expect(told).toMatchObject([{ kind: "summary-failed", text: { parameters: { reason: "down" } } }]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toHaveLength(1);
});
