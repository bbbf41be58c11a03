import type { ApprovalView } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { sayAnswer, sayApproval } from "./approval-words.ts";

const say = createSay("en");
const view: ApprovalView = {
  id: "K7Q2MP",
  state: "pending",
  turnId: "t",
  callId: "c",
  sessionKey: "agent:main:main",
  agentId: "main",
  personId: "fake:42",
  tool: "message",
  arguments: {},
  shown: "to Ann: see you at 8",
  reason: "Ann is nobody you named",
  rule: "provenance",
  scopes: ["once", "recipient"],
  keys: { recipient: "fake:7" },
  scope: null,
  askedAt: "2026-01-01T12:00:00.000Z",
  expiresAt: "2026-01-02T12:00:00.000Z",
  answeredAt: null,
  answeredBy: null,
};

describe("a question in words", () => {
  it("SAFE-02 says what, why, what else waits, how to answer, and until when", () => {
    const { text } = sayApproval(view, [{ ...view, id: "B2", tool: "exec" }], say);
    expect(text).toBe(
      [
        "May I do this? message, request K7Q2MP:",
        "```",
        "to Ann: see you at 8",
        "```",
        "Why I ask: Ann is nobody you named",
        "Also waiting: B2 (exec).",
        "Answer /approve K7Q2MP once|recipient or /deny K7Q2MP. Without an answer by 2026-01-02 12:00 UTC it counts as denied.",
      ].join("\n"),
    );
  });

  it("offers to press what may be said, in the owner's language", () => {
    expect(sayApproval(view, [], createSay("zh")).actions).toEqual([
      { label: "同意，仅此一次", send: "/approve K7Q2MP once" },
      { label: "对此收件人或主机一直同意", send: "/approve K7Q2MP recipient" },
      { label: "拒绝", send: "/deny K7Q2MP" },
    ]);
  });

  it("SEC-02 a text cannot get out of the block that shows it, hide a part of itself, or add lines to the rest", () => {
    const tricky = fc.array(
      fc.constantFrom("`", "```", "\n", "a", "/approve X", "\u202e", "\u200b", "\u001b[2K", "\r"),
    );
    fc.assert(
      fc.property(tricky, tricky, (shown, reason) => {
        const { text } = sayApproval({ ...view, shown: shown.join(""), reason: reason.join("") }, [], say);
        const [head = "", fence = "", ...rest] = text.split("\n");
        const end = rest.indexOf(fence);
        expect(head).toContain("K7Q2MP");
        expect(fence).toMatch(/^`{3,}$/);
        // After the block come one line for the reason and one that says how to answer.
        expect(rest.slice(end + 1)).toHaveLength(2);
        for (const unseen of ["\u202e", "\u200b", "\u001b", "\r"]) expect(text).not.toContain(unseen);
      }),
    );
  });

  it("shortens what is very long, and says where the rest is", () => {
    const { text } = sayApproval({ ...view, shown: "x".repeat(7000) }, [], say);
    expect(text).toContain("(1000 more characters: `pincer approvals show K7Q2MP`)");
  });

  it("says who answered, and how far a yes reaches", () => {
    const by = { answeredBy: "cli:owner" };
    expect(sayAnswer({ ...view, ...by, state: "approved", scope: "recipient" }, say)).toBe(
      "K7Q2MP: approved always for this recipient or host by cli:owner.",
    );
    expect(sayAnswer({ ...view, ...by, state: "denied" }, say)).toBe("K7Q2MP: denied by cli:owner.");
  });
});
