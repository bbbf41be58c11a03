import { describe, expect, it } from "vitest";
import type { ApprovalRecord } from "../../storage/approvals/approvals.ts";
import type { KeptPlan } from "../../storage/gate/gate.ts";
import type { Grant } from "./grant.ts";
import { grantedIn } from "./granted.ts";

const grant: Grant = {
  by: "planner",
  id: "",
  tool: "message",
  quote: "tell Bob",
  recipients: ["telegram:7", "bob@work.example"],
  hosts: [],
  args: {},
  sources: [],
  count: 1,
};
const at = "2026-01-01T00:00:00.000Z";
const kept = (type: KeptPlan["type"], made: unknown, callId = ""): KeptPlan => ({ type, callId, made, at });

const shown = (plans: KeptPlan[], cards: Array<Partial<ApprovalRecord>> = []) =>
  grantedIn(
    {
      stores: {
        gate: { listPlans: async () => plans },
        approvals: { list: async () => cards as ApprovalRecord[] },
      },
      contacts: { Bob: ["telegram:7", "bob@work.example"] },
    },
    { turnId: "r_1", queuedAt: at },
  );

describe("what was granted in a turn", () => {
  it("is said of people as the owner calls them, each once, with the calls that it covered", async () => {
    const plans = [kept("plan", { type: "planned", grants: [grant] }), kept("use", grant, "c1")];
    expect(await shown(plans)).toEqual({
      turnId: "r_1",
      at,
      planner: "answered",
      grants: [
        {
          by: "planner",
          id: "",
          tool: "message",
          quote: "tell Bob",
          recipients: [{ place: "telegram:7", name: "Bob" }],
          hosts: [],
          values: [],
          sources: [],
          count: 1,
          uses: ["c1"],
        },
      ],
      worded: [],
    });
  });

  it("holds what covered a call without a planner, and each yes to a request", async () => {
    const standing: Grant = {
      ...grant,
      by: "standing",
      id: "g1",
      quote: "",
      hosts: ["x"],
      recipients: ["x"],
    };
    const card = { id: "k1", subject: { tool: "message", recipient: "irc:9" }, callId: "c2", state: "spent" };
    const found = await shown([kept("use", standing, "c1")], [card as Partial<ApprovalRecord>]);
    expect(found.planner).toBe("not-needed");
    expect(found.grants).toMatchObject([
      { by: "standing", id: "g1", recipients: [{ place: "x" }], hosts: [], uses: ["c1"] },
      { by: "card", id: "k1", recipients: [{ place: "irc:9" }], uses: ["c2"] },
    ]);
  });

  it("says where a planner failed, and counts only texts that were worded", async () => {
    const failed = kept("plan", { type: "failed", reason: "no model" });
    const words = [kept("words", { type: "written" }, "c1"), kept("words", { type: "failed" }, "c2")];
    expect(await shown([failed, ...words])).toMatchObject({
      planner: "failed",
      reason: "no model",
      worded: ["c1"],
    });
    const later = await shown([failed, kept("plan", { type: "planned", grants: [grant] })]);
    expect(later).toMatchObject({ planner: "answered", grants: [{ uses: [] }] });
  });
});
