import { describe, expect, it } from "vitest";
import { needsOwner, type NeedParts } from "./needs-owner.ts";

const none: NeedParts = {
  approvals: [],
  pairing: [],
  channels: [],
  budgets: [],
  notices: [],
  configProblems: [],
};
const at = "2026-01-01T00:00:00.000Z";
const notice = (subject: string, kind: string) => ({
  id: `n-${subject}`,
  kind,
  subject,
  text: { key: "notice.x", parameters: {} },
  words: `words of ${subject}`,
  createdAt: at,
  dismissedAt: null,
});

it("knows in which folder something would steer the assistant", () => {
  const [need] = needsOwner({ ...none, notices: [notice("steering:/home/ada/clone", "steering")] });
  expect(need).toMatchObject({ steering: "/home/ada/clone", link: "#/health" });
});

describe("what needs the owner", () => {
  it("UI-01 is nothing where nothing does", () => {
    const channels = [
      { channel: "irc", accountId: "default", state: "connected", since: at, health: "green" as const },
    ];
    const budgets = [
      { scope: "day" as const, what: "cost" as const, used: 1, limit: 10, configKey: "budgets.day.cost" },
    ];
    expect(needsOwner({ ...none, channels, budgets })).toEqual([]);
  });

  it("tells each thing once, the worst first, with the place where it is settled", () => {
    const needs = needsOwner({
      configProblems: ["broken"],
      approvals: [{ id: "k7", tool: "exec", shown: "npm test\nmore", askedAt: at, expiresAt: at }],
      pairing: [
        { channel: "telegram", accountId: "default", senderId: "5", createdAt: at, meta: { name: "Ada" } },
      ],
      channels: [
        {
          channel: "irc",
          accountId: "default",
          state: "broken",
          since: at,
          health: "red",
          reason: "no route",
        },
        { channel: "off", accountId: "default", state: "stopped", since: at, health: "red", enabled: false },
      ],
      budgets: [
        { scope: "day", what: "cost", used: 9, limit: 10, configKey: "budgets.day.cost" },
        { scope: "month", what: "tokens", used: 11, limit: 10, configKey: "budgets.month.tokens" },
      ],
      notices: [
        notice("approval:k7", "approval"),
        notice("pairing:telegram:default:5", "pairing"),
        notice("channel:irc:default", "channel-broken"),
        notice("turn:r_1", "turn-failed"),
        notice("device:d_1", "device"),
      ],
    });
    expect(needs.map(({ id, tone, link }) => [id, tone, link])).toEqual([
      ["channel:irc:default", "bad", "#/channels"],
      ["config", "bad", "#/config"],
      ["budget:month:tokens", "bad", "#/usage"],
      ["approval:k7", "warn", "#/approvals/k7"],
      ["pairing:telegram:default:5", "warn", "#/channels"],
      ["budget:day:cost", "warn", "#/usage"],
      ["turn:r_1", "info", "#/runs/r_1"],
      ["device:d_1", "info", "#/access"],
    ]);
    expect(needs.at(-2)).toMatchObject({ noticeId: "n-turn:r_1", text: { words: "words of turn:r_1" } });
  });
});
