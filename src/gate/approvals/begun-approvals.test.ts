import type { Entry } from "@pincer/sdk";
import { expect, it } from "vitest";
import type { ApprovalRecord } from "../../storage/approvals/approvals.ts";
import { createBegunApprovals } from "./begun-approvals.ts";

const time = (second: number) => `2026-11-18T12:00:0${second}.000Z`;
const call = { callId: "c", subject: { digest: "d" } as ApprovalRecord["subject"] };

/** Turns that an earlier run left with one call begun and its approval spent. */
const leftBehind = () =>
  createBegunApprovals({
    approvals: {
      list: async ({ turnId }) => [
        { ...call, id: `of-${turnId}`, turnId, state: "spent", askedAt: time(2) } as ApprovalRecord,
      ],
    },
    turns: {
      entries: async () => [
        {
          type: "message",
          seq: 7,
          time: time(1),
          message: { role: "assistant", content: [{ type: "toolCall", id: "c" }] },
        } as unknown as Entry,
      ],
      journal: async () => [
        {
          type: "tool-begin",
          callId: "c",
          name: "send",
          idempotent: false,
          answer: { sessionId: "s", seq: 7 },
          seq: 1,
          time: time(3),
        },
        { type: "claimed", claims: 2, seq: 2, time: time(4) },
      ],
    },
  });

it("gives an approval back once per run, and again to the next run of its turn alone", async () => {
  const begun = leftBehind();
  expect(await begun.find("one", call)).toMatchObject({ id: "of-one", state: "approved" });
  expect(await begun.find("two", call)).toMatchObject({ id: "of-two", state: "approved" });
  expect([begun.use("of-one"), begun.use("of-one"), begun.use("of-two")]).toEqual([true, false, true]);
  begun.forget("one");
  // The other turn's is still used up.
  expect(await begun.find("two", call)).toBeUndefined();
  expect(begun.use("of-two")).toBe(false);
  expect(await begun.find("one", call)).toMatchObject({ id: "of-one" });
  expect(begun.use("of-one")).toBe(true);
});
