import * as fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { OutboundMessage, conversationOf, recipientOf, type Destination } from "./outbound-message.ts";

const part = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("", ":", "%", "a:b", "%3A", "%25", "1"));
const destination: fc.Arbitrary<Destination> = fc.record({
  channel: part,
  accountId: part,
  target: fc.record(
    {
      peerKind: fc.constantFrom("user" as const, "group" as const, "room" as const),
      peerId: part,
      threadId: part.filter((text) => text !== ""),
    },
    { requiredKeys: ["peerKind", "peerId"] },
  ),
});

describe("an outbound message", () => {
  it("PROTO-09 says where it goes and what it holds", () => {
    const message = {
      channel: "pigeon",
      accountId: "default",
      target: { peerKind: "user", peerId: "42" },
      response: { text: "hi", attachments: [] },
    };
    expect(Check(OutboundMessage, message)).toBe(true);
    expect(Check(OutboundMessage, { ...message, target: { peerKind: "user" } })).toBe(false);
    expect(Check(OutboundMessage, { ...message, response: { text: "hi" } })).toBe(false);
  });

  it("PROTO-09 belongs to one conversation, which no other destination shares", () => {
    fc.assert(
      fc.property(destination, destination, (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(conversationOf(one) === conversationOf(other)).toBe(isSame);
        expect(recipientOf(one) === recipientOf(other)).toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });
});

const sorted = ({ channel, accountId, target }: Destination) => [
  channel,
  accountId,
  target.peerKind,
  target.peerId,
  target.threadId ?? null,
];
