import { defineTool, type ToolVisibility } from "@pincer/sdk";
import * as fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { decide, grantKeys, type PolicyObject } from "./decide.ts";
import type { Verdict } from "./decision.ts";
import type { Finding } from "./finding.ts";
import type { ToolRule } from "./tool-access.ts";

const place: ToolVisibility = {
  channel: "cli",
  chatType: "main",
  userRoles: ["owner"],
  sessionKey: "main",
  agentId: "main",
};
const peer: ToolVisibility = { ...place, chatType: "direct", userRoles: ["peer"] };
const tool = defineTool({
  name: "send",
  effect: "act",
  description: "Send.",
  input: Type.Object({ to: Type.String(), text: Type.String() }),
  controls: { to: "recipient" },
  run: async () => ({ text: "sent" }),
});
const object = (more: Partial<PolicyObject> = {}): PolicyObject => ({
  tool,
  arguments: { to: "eve", text: "hi" },
  input: { to: "eve", text: "hi" },
  description: { shown: "", exact: "", recipient: "eve", shape: "hi" },
  ...more,
});
const recipient: Finding = {
  verdict: "ask",
  check: "recipient",
  code: "other-recipient",
  values: { argument: "to", value: "eve" },
};
const secret: Finding = {
  verdict: "ask",
  check: "secret",
  code: "stored-secret",
  values: { argument: "text" },
};
const hijacked = [recipient];
const asked: Finding[] = [];

const rank: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };
const rules = fc.array(
  fc.oneof(
    fc.constant<ToolRule>({ type: "deny", source: "tools.deny", names: ["send"] }),
    fc.constant<ToolRule>({ type: "deny", source: "tools.deny", names: ["other"] }),
    fc.constant<ToolRule>({ type: "only", source: "tools.allow", names: ["send", "read"] }),
    fc.constant<ToolRule>({ type: "only", source: "tools.allow", names: ["read"] }),
    fc.constant<ToolRule>({ type: "standing", source: "rule 1", names: ["send"], match: ["eve"] }),
    fc.constant<ToolRule>({
      type: "mode",
      source: "tools.modes.send",
      names: ["send"],
      mode: "approval-required",
    }),
    fc.constant<ToolRule>({ type: "off", source: "off", names: [] }),
  ),
  { maxLength: 4 },
);
const everyGrant = new Map(
  ["send recipient eve", "send to eve", "send hi", "send mode eve", "send tool eve", "send secret eve"].map(
    (key) => [key, { id: key }],
  ),
);

describe("what the policy decides", () => {
  it("TOOL-21 is never milder than any single rule", () => {
    fc.assert(
      fc.property(rules, fc.boolean(), (all, isHijacked) => {
        const findings = isHijacked ? hijacked : asked;
        const together = decide({ place, rules: all }, "run", object(), findings).verdict;
        for (const rule of all) {
          const alone = decide({ place, rules: [rule] }, "run", object(), findings).verdict;
          expect(rank[together]).toBeGreaterThanOrEqual(rank[alone]);
        }
      }),
    );
  });

  it("TEN-03 is not moved from deny by any grant, nor by the owner's own hand", () => {
    fc.assert(
      fc.property(rules, (all) => {
        const before = decide({ place, rules: all }, "run", object(), hijacked).verdict;
        const granted = decide({ place, rules: all, grants: everyGrant }, "run", object(), hijacked).verdict;
        const byHand = decide({ place, rules: all, isOwnersCall: true }, "run", object(), hijacked).verdict;
        expect([granted, byHand].map((verdict) => verdict === "deny")).toEqual([
          before === "deny",
          before === "deny",
        ]);
      }),
    );
  });

  it("TOOL-21 shows nothing that could not run at all", () => {
    fc.assert(
      fc.property(rules, (all) => {
        const shown = decide({ place, rules: all }, "show", { tool }).verdict;
        const run = decide({ place, rules: all }, "run", object({ arguments: {} }), asked).verdict;
        expect(shown === "deny").toBe(run === "deny");
      }),
    );
  });

  it("never asks the owner about strangers' ideas in somebody else's turn", () => {
    fc.assert(
      fc.property(rules, (all) => {
        expect(decide({ place: peer, rules: all }, "run", object(), hijacked).verdict).toBe("deny");
      }),
    );
  });

  it("SEC-02 asks about a secret also where the recipient is granted, and says both", () => {
    const both = [recipient, secret];
    const decision = decide({ place, rules: [] }, "run", object(), both);
    expect(decision).toMatchObject({ verdict: "ask", rule: { layer: "secret" } });
    expect(decision.reason).toMatch(/secret.*did not ask/);
    const grants = new Map([
      ["send to eve", { id: "g1" }],
      ["send recipient eve", { id: "g2" }],
    ]);
    expect(decide({ place, rules: [], grants }, "run", object(), both)).toMatchObject({
      verdict: "ask",
      rule: { layer: "secret" },
    });
  });

  it("a yes to the recipient is none to telling private things", () => {
    const sources: Finding = {
      verdict: "ask",
      check: "sources",
      code: "private-sources",
      values: { sources: "memory" },
    };
    const grants = new Map([["send to eve", { id: "g1" }]]);
    expect(decide({ place, rules: [], grants }, "run", object(), [recipient])).toMatchObject({
      verdict: "allow",
    });
    expect(decide({ place, rules: [], grants }, "run", object(), [recipient, sources])).toMatchObject({
      verdict: "ask",
      rule: { source: "sources" },
    });
    const keys = grantKeys(object(), { rule: { layer: "provenance", source: "sources" } });
    expect(keys).toEqual({ task: "send sources eve", while: "send sources eve" });
  });

  it.each(["value", "paste", "unseen"])(
    "SAFE-01 a yes for a recipient settles no %s: that is asked each time",
    (check) => {
      expect(grantKeys(object(), { rule: { layer: "provenance", source: check } }).recipient).toBeUndefined();
      const grants = new Map([["send to eve", { id: "g1" }]]);
      const finding = { verdict: "ask", check, code: "other-value", values: {} } as const;
      expect(decide({ place, rules: [], grants }, "run", object(), [finding]).verdict).toBe("ask");
    },
  );

  it("SAFE-01 settles each time which addresses are read, whatever may be sent to their host for good", () => {
    const address = grantKeys(object(), { rule: { layer: "provenance", source: "address" } });
    const host = grantKeys(object(), { rule: { layer: "provenance", source: "url" } });
    expect([address.recipient, host.recipient]).toEqual([undefined, "send to eve"]);
  });

  it("TEN-03 gives nobody else what the owner was granted", () => {
    const asking: ToolRule = {
      type: "mode",
      source: "tools.modes.send",
      names: ["send"],
      mode: "approval-required",
    };
    const grants = new Map([["send hi", { id: "g1" }]]);
    expect(decide({ place, rules: [asking], grants }, "run", object(), asked).verdict).toBe("allow");
    expect(decide({ place: peer, rules: [asking], grants }, "run", object(), asked).verdict).toBe("ask");
  });

  it("always has a rule and a reason", () => {
    fc.assert(
      fc.property(rules, fc.boolean(), (all, isHijacked) => {
        const { rule, reason } = decide(
          { place, rules: all },
          "run",
          object(),
          isHijacked ? hijacked : asked,
        );
        expect([rule.source, reason].every((text) => text.length > 0)).toBe(true);
      }),
    );
  });

  it("offers no wider yes for a secret than for this task, and none for any command but one like it", () => {
    const about = (layer: "secret" | "tool" | "provenance", more: Partial<PolicyObject> = {}) =>
      Object.keys(grantKeys(object(more), { rule: { layer, source: layer } })).sort();
    const command = { directory: "/", environment: {}, programs: [], wall: "none" };
    expect(about("secret")).toEqual(["task"]);
    expect(about("provenance")).toEqual(["recipient", "task", "while"]);
    expect(about("provenance", { description: { shown: "", exact: "" } })).toEqual([]);
    expect(about("tool", { description: { shown: "", exact: "", command } })).toEqual([]);
    expect(about("tool", { description: { shown: "", exact: "", command, shape: "git status" } })).toEqual([
      "shape",
      "task",
      "while",
    ]);
  });
});
