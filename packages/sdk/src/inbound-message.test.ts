import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { InboundMessage } from "./inbound-message.ts";

const message: InboundMessage = {
  tenantId: "t_default",
  workspaceId: "w_default",
  channel: "pigeon",
  accountId: "default",
  peer: { kind: "group", id: "g1" },
  threadId: "t1",
  sender: { id: "42" },
  message: { type: "text", id: "m1", text: "hi", attachments: [], mentioned: false },
  timestamp: 1_700_000_000_000,
};

describe("an inbound message", () => {
  it("PROTO-08 says whose it is, where it came from, who wrote it and when", () => {
    expect(Check(InboundMessage, message)).toBe(true);
    for (const key of [
      "tenantId",
      "workspaceId",
      "channel",
      "accountId",
      "peer",
      "sender",
      "message",
      "timestamp",
    ]) {
      const { [key as keyof InboundMessage]: _left, ...rest } = message;
      expect({ key, isWhole: Check(InboundMessage, rest) }).toEqual({ key, isWhole: false });
    }
  });

  it("PROTO-08 may change or take back another, under an id of its own", () => {
    const edit = { type: "edit", id: "e1", of: "m1", text: "ho", attachments: [], mentioned: true };
    expect(Check(InboundMessage, { ...message, message: edit })).toBe(true);
    expect(Check(InboundMessage, { ...message, message: { type: "delete", id: "d1", of: "m1" } })).toBe(true);
    expect(Check(InboundMessage, { ...message, message: { type: "delete", id: "d1" } })).toBe(false);
  });
});
