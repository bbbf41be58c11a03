import { describe, expect, it } from "vitest";
import { readSystemMessage, systemMessage } from "./system-message.ts";
import { inbound } from "./testing/inbound.ts";

const message = {
  tenantId: "t_default",
  workspaceId: "w_default",
  id: "result_1",
  from: "subagent:7",
  sessionKey: "agent:main:telegram:dm:42",
  destination: {
    channel: "telegram",
    accountId: "default",
    target: { peerKind: "user" as const, peerId: "42" },
  },
  text: "done",
  now: 0,
};

describe("a system message", () => {
  it("ROUTE-14 carries its session and its destination through the inbox", () => {
    const { sessionKey, destination } = message;
    expect(readSystemMessage(systemMessage(message))).toEqual({ sessionKey, destination });
    expect(readSystemMessage(systemMessage({ ...message, destination: null }))).toEqual({
      sessionKey,
      destination: null,
    });
  });

  it("is not read from anything else", () => {
    expect(readSystemMessage(inbound())).toBeUndefined();
    expect(readSystemMessage({ ...systemMessage(message), threadId: "7" })).toBeUndefined();
    expect(readSystemMessage({ ...systemMessage(message), threadId: "{" })).toBeUndefined();
  });
});
