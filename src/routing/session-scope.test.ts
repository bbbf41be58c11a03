import { formatSessionKey, type InboundMessage } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnPerson } from "../storage/turns/turns.ts";
import { scopeFor, type ScopeSettings } from "./session-scope.ts";
import { inbound } from "./testing/inbound.ts";

const scopes = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const;
const identityLinks = { alice: ["telegram:42", "feishu:ou_1"] };

const key = (
  message: InboundMessage,
  role: TurnPerson["role"],
  dmScope: ScopeSettings["dmScope"],
  links: ScopeSettings["identityLinks"] = {},
) => {
  const person: TurnPerson = { role, id: `${message.channel}:${message.sender.id}` };
  return formatSessionKey(scopeFor(message, "main", person, { dmScope, identityLinks: links }));
};

describe("the session of a message", () => {
  it.each([
    ["main", "agent:main:main"],
    ["per-peer", "agent:main:dm:alice"],
    ["per-channel-peer", "agent:main:telegram:dm:42"],
    ["per-account-channel-peer", "agent:main:telegram:work:dm:42"],
  ] as const)("ROUTE-07 ROUTE-08 puts the owner's direct messages under %s into %s", (dmScope, expected) => {
    expect(key(inbound({ accountId: "work" }), "owner", dmScope, identityLinks)).toBe(expected);
  });

  it.each(scopes)("ROUTE-07 keeps everybody else apart from the owner's main session under %s", (dmScope) => {
    const theirs = key(inbound(), "peer", dmScope);
    expect(theirs).toMatch(/^agent:main:telegram:(default:)?dm:42$/);
    expect(theirs).not.toBe(
      key(inbound({ peer: { kind: "user", id: "43" }, sender: { id: "43" } }), "peer", dmScope),
    );
  });

  it("ROUTE-08 makes one person of the channels that a link names, and of no others", () => {
    const feishu = inbound({ channel: "feishu", peer: { kind: "user", id: "ou_1" }, sender: { id: "ou_1" } });
    const stranger = inbound({ channel: "feishu", sender: { id: "42" } });
    expect(key(feishu, "peer", "per-peer", identityLinks)).toBe("agent:main:dm:alice");
    expect(key(inbound(), "peer", "per-peer", identityLinks)).toBe("agent:main:dm:alice");
    expect(key(stranger, "peer", "per-peer", identityLinks)).toBe("agent:main:feishu:dm:42");
    expect(key(feishu, "peer", "per-channel-peer", identityLinks)).toBe("agent:main:feishu:dm:ou_1");
  });

  it("does not take a peer whose id is a linked name for that person", () => {
    const impostor = inbound({ peer: { kind: "user", id: "alice" }, sender: { id: "alice" } });
    for (const role of ["owner", "peer"] as const) {
      expect(key(impostor, role, "per-peer", identityLinks)).not.toBe("agent:main:dm:alice");
    }
  });

  it.each(scopes)(
    "ROUTE-09 gives a group and each of its threads a session of its own under %s",
    (dmScope) => {
      const group = inbound({ channel: "discord", peer: { kind: "group", id: "9" } });
      expect(key(group, "owner", dmScope)).toBe("agent:main:discord:group:9");
      expect(key({ ...group, threadId: "7" }, "peer", dmScope)).toBe("agent:main:discord:group:9:thread:7");
      expect(key({ ...group, peer: { kind: "room", id: "9" } }, "peer", dmScope)).toBe(
        "agent:main:discord:room:9",
      );
    },
  );

  it("ROUTE-03 ROUTE-07 never lets two places share a session, unless they are the owner's", () => {
    const part = fc.constantFrom("42", "042", "a", "a:b", "a/b", "%", "thread", "dm", "default", "主");
    const place = fc.record({
      channel: fc.constantFrom("telegram", "feishu", "dm"),
      accountId: part,
      kind: fc.constantFrom("user" as const, "group" as const, "room" as const),
      id: part,
      threadId: fc.option(part, { nil: undefined }),
    });
    fc.assert(
      fc.property(place, place, fc.constantFrom(...scopes), (one, other, dmScope) => {
        const keyOf = ({ kind, id, threadId, ...rest }: typeof one) =>
          key(
            inbound({
              ...rest,
              peer: { kind, id },
              sender: { id },
              ...(threadId !== undefined && { threadId }),
            }),
            "peer",
            dmScope,
          );
        expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2000 },
    );
  });
});
