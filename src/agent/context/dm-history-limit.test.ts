import { describe, expect, it } from "vitest";
import { dmHistoryLimit } from "./dm-history-limit.ts";

const channels = {
  telegram: { dmHistoryLimit: 20, dms: { "123456789": { historyLimit: 5 }, "7": {} } },
  feishu: { dms: { ou_1: { historyLimit: 3 } } },
};

describe("how much of a direct chat is shown", () => {
  it("SESS-18 is found by the key, whose thread does not matter", () => {
    expect(dmHistoryLimit("agent:default:telegram:dm:123456789:thread:42", channels)).toBe(5);
    expect(dmHistoryLimit("agent:default:telegram:dm:123456789", channels)).toBe(5);
    expect(dmHistoryLimit("agent:default:telegram:work:dm:123456789", channels)).toBe(5);
  });

  it("SESS-18 CFG-09 is the person's, else the channel's, else not limited", () => {
    expect(dmHistoryLimit("agent:default:telegram:dm:42", channels)).toBe(20);
    expect(dmHistoryLimit("agent:default:telegram:dm:7", channels)).toBe(20);
    expect(dmHistoryLimit("agent:default:feishu:dm:ou_1", channels)).toBe(3);
    expect(dmHistoryLimit("agent:default:feishu:dm:ou_2", channels)).toBeUndefined();
    expect(dmHistoryLimit("agent:default:slack:dm:ou_1", channels)).toBeUndefined();
  });

  it("SESS-18 is not limited where the key is of no direct chat on a channel", () => {
    for (const key of [
      "agent:default:telegram:group:42",
      "agent:default:main",
      "main",
      "agent:default:dm:42",
      "agent::",
      "",
    ])
      expect(dmHistoryLimit(key, channels)).toBeUndefined();
  });

  it("SESS-18 of the owner's main session is that of the chat that the turn came from", () => {
    const from = (channel: string, peerKind: string, peerId: string) =>
      dmHistoryLimit("agent:default:main", channels, { channel, target: { peerKind, peerId } });
    expect(from("telegram", "user", "123456789")).toBe(5);
    expect(from("telegram", "user", "42")).toBe(20);
    expect(from("telegram", "group", "42")).toBeUndefined();
    expect(from("irc", "user", "42")).toBeUndefined();
    expect(dmHistoryLimit("agent:default:main", channels, null)).toBeUndefined();
  });

  it("is not limited where no channel says anything of it", () => {
    const quiet = { telegram: {}, irc: undefined };
    expect(dmHistoryLimit("agent:default:telegram:dm:42", quiet)).toBeUndefined();
    expect(dmHistoryLimit("agent:default:telegram:dm:42", {})).toBeUndefined();
    const zero = { telegram: { dmHistoryLimit: 0 } };
    expect(dmHistoryLimit("agent:default:telegram:dm:42", zero)).toBe(0);
  });

  it("finds only what was configured, whatever people are called", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(dmHistoryLimit(`agent:default:telegram:dm:${name}`, channels)).toBe(20);
      expect(dmHistoryLimit(`agent:default:${name}:dm:42`, channels)).toBeUndefined();
    }
  });
});
