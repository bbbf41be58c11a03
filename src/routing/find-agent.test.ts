import { describe, expect, it } from "vitest";
import { findAgent, type Binding } from "./find-agent.ts";
import { inbound } from "./testing/inbound.ts";

const agentIds = ["by-peer", "by-parent", "by-guild", "by-team", "by-account", "by-channel"];
const from = {
  channel: "discord",
  accountId: "work",
  peer: { kind: "room" as const, id: "r1" },
  parentPeerId: "p1",
  guildId: "g1",
  teamId: "t1",
};
const bindings: Binding[] = [
  { match: { channel: "discord" }, agentId: "by-channel" },
  { match: { channel: "discord", accountId: "work" }, agentId: "by-account" },
  { match: { channel: "discord", teamId: "t1" }, agentId: "by-team" },
  { match: { channel: "discord", guildId: "g1" }, agentId: "by-guild" },
  { match: { channel: "discord", parentPeer: { kind: "group", id: "p1" } }, agentId: "by-parent" },
  { match: { channel: "discord", peer: { kind: "channel", id: "r1" } }, agentId: "by-peer" },
];
const facts = { bindings, defaultAgentId: "main", agentIds };
const choose = (message: Parameters<typeof inbound>[0], rules: Binding[]) =>
  findAgent(inbound(message), { ...facts, bindings: rules });

describe("finding the agent", () => {
  it("ROUTE-02 ROUTE-04 takes the most specific binding: peer, parent peer, guild, team, account, channel, default", () => {
    const rules = ["peer", "parent-peer", "guild", "team", "account", "channel"].map(
      (tier) => `binding.${tier}`,
    );
    const left = [...bindings];
    for (const rule of rules) {
      const choice = choose(from, left);
      expect(choice.rule).toBe(rule);
      expect(choice.agentId).toBe(left.at(-1)?.agentId);
      left.pop();
    }
    expect(choose(from, left)).toEqual({ agentId: "main", rule: "default" });
  });

  it("answers the same in whatever order the bindings are written", () => {
    expect(choose(from, [...bindings].reverse())).toEqual({ agentId: "by-peer", rule: "binding.peer" });
  });

  it.each([
    [{ channel: "telegram" }],
    [{ channel: "discord", accountId: "home" }],
    [{ channel: "discord", peer: { kind: "group", id: "r1" } }],
    [{ channel: "discord", peer: { kind: "room", id: "R1" } }],
    [{ channel: "discord", peer: { kind: "room", id: "r1" }, guildId: "g2" }],
    [{ channel: "discord", teamId: "t2" }],
    [{ channel: "discord", parentPeer: { kind: "group", id: "p2" } }],
  ] satisfies Array<[Binding["match"]]>)(
    "does not take %j for a message that differs in one condition",
    (match) => {
      expect(choose(from, [{ match, agentId: "by-peer" }]).rule).toBe("default");
    },
  );

  it("lets a thread inherit the rule of the group or room above it", () => {
    const rule: Binding = {
      match: { channel: "discord", peer: { kind: "group", id: "p1" } },
      agentId: "by-parent",
    };
    expect(choose(from, [rule])).toEqual({ agentId: "by-parent", rule: "binding.parent-peer" });
  });

  it("prefers a named channel and account to any", () => {
    const peer = { kind: "room" as const, id: "r1" };
    const any: Binding = { match: { channel: "*", accountId: "*", peer }, agentId: "by-team" };
    const named: Binding = { match: { channel: "discord", peer }, agentId: "by-peer" };
    expect(choose(from, [any, named]).agentId).toBe("by-peer");
    expect(choose({ ...from, channel: "slack" }, [any, named]).agentId).toBe("by-team");
    expect(choose(from, [{ match: { channel: "*", accountId: "*" }, agentId: "by-team" }]).rule).toBe(
      "binding.channel",
    );
  });

  it("ROUTE-04 falls back to the default agent when the binding names one that is not there, and says so", () => {
    expect(choose(from, [{ match: { channel: "discord" }, agentId: "ghost" }])).toEqual({
      agentId: "main",
      rule: "binding.channel unknown-agent",
    });
  });
});
