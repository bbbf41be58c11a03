import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ada,
  at,
  owner,
  ownerInGroup,
  stageConversation,
  usualConfig,
  type CallFrom,
} from "./testing/conversation-stage.ts";

async function find(to: string | undefined, from: CallFrom = owner, change: object = {}) {
  const stage = await stageConversation(change);
  await stage.session("agent:main:telegram:dm:42", {
    channel: "telegram",
    accountId: "default",
    peerKey: "user:42",
    subject: "Ada",
  });
  await stage.session("agent:main:telegram:group:-7", {
    channel: "telegram",
    accountId: "default",
    peerKey: "group:-7",
    subject: "The club",
  });
  return stage.access.messages.find(to, from);
}

const key = async (...asked: Parameters<typeof find>) => {
  const found = await find(...asked);
  return "refused" in found ? found.refused : found.key;
};

describe("a recipient", () => {
  it.each([
    ["Bob", "telegram/default:77"],
    ["bob", "telegram/default:77"],
    [" Bob ", "telegram/default:77"],
    ["Anna Meier", "slack/work:U5"],
    ["carla", "telegram/default:99"],
    ["owner", "telegram/default:1"],
    ["telegram:42", "telegram/default:42"],
    ["telegram/default:42", "telegram/default:42"],
    ["telegram:77", "telegram/default:77"],
    ["telegram:-7", "telegram/default:-7#group"],
    ["slack:U6", "slack/work:U6"],
    ["slack/work:U6", "slack/work:U6"],
    ["slack:U5", "slack/work:U5"],
    ["agent:main:telegram:group:-7", "telegram/default:-7#group"],
    ["agent:main:telegram:dm:42", "telegram/default:42"],
  ])("TOOL-06 %s is one place, by an id that nobody can take", async (to, place) => {
    expect(await key(to)).toBe(place);
  });

  it("TOOL-06 without a name is where the turn answers", async () => {
    expect(await find(undefined)).toMatchObject({ key: "telegram/default:1", isOwn: true });
    expect(await find(undefined, ada)).toMatchObject({ key: "telegram/default:42", isOwn: true });
    expect(await key(undefined, { ...owner, conversation: undefined as never })).toMatch(
      /no conversation of its own/,
    );
  });

  it.each([
    "Ada",
    "The club",
    "the owner's friend",
    "42",
    "-7",
    "@bob",
    "mail:bob@example.org",
    "anna@example.org",
  ])(
    "TOOL-06 %s is none: what people call themselves, or an id without its network, is nobody",
    async (to) => {
      expect(await key(to)).toMatch(/is no recipient|on no account/);
    },
  );

  it("TOOL-06 tells what would work, and whom there is only where nobody else reads along", async () => {
    expect(await key("Bobby")).toMatch(/"Bob", "Anna Meier", "Family", "carla"/);
    expect(await key("Bobby", ownerInGroup)).not.toMatch(/Anna/);
  });

  it.each([
    ["telegram:666", /may not be written to/],
    ["telegram:-8", /may not be written to/],
    ["slack/default:U6", /may not be written to/],
    ["signal:42", /on no account/],
    ["discord:42", /on no account/],
    ["telegram/nobody:42", /on no account/],
    ["agent:main:telegram:dm:666", /may not be written to/],
    ["agent:other:telegram:dm:42", /is no recipient/],
    ["agent:main:signal:dm:42", /may not be written to|on no account/],
  ])("TOOL-06 %s is refused: Pincer does not write to people who have no access", async (to, reason) => {
    expect(await key(to)).toMatch(reason);
  });

  it("TOOL-06 that could be two is none, until somebody says which", async () => {
    const slack = {
      ...usualConfig.channels.slack,
      accounts: { home: { allowFrom: ["U5"] }, work: { allowFrom: ["U5"] } },
    };
    const change = { channels: { ...usualConfig.channels, slack } };
    expect(await key("slack:U5", owner, change)).toMatch(/slack\/home:U5 or slack\/work:U5/);
    expect(await key("slack/home:U5", owner, change)).toBe("slack/home:U5");
  });

  it("TOOL-06 that is the id of a person and of a group is none", async () => {
    const stage = await stageConversation();
    await stage.session("agent:main:telegram:dm:42", {
      channel: "telegram",
      accountId: "default",
      peerKey: "user:42",
    });
    await stage.session("agent:main:telegram:group:42", {
      channel: "telegram",
      accountId: "default",
      peerKey: "group:42",
    });
    stage.config.channels["telegram"]?.groups?.push("42");
    const found = await stage.access.messages.find("telegram:42", owner);
    expect(found).toMatchObject({ refused: expect.stringMatching(/a person and a group/) });
    expect(await stage.access.messages.find("agent:main:telegram:group:42", owner)).toMatchObject({
      destination: at("telegram", "42", { peerKind: "group" }),
    });
  });

  it("TOOL-06 two names that differ in case alone are told apart, or refused", async () => {
    const change = { contacts: { Bob: ["telegram:77"], BOB: ["telegram:78"] } };
    expect(await key("BOB", owner, change)).toBe("telegram/default:78");
    expect(await key("bob", owner, change)).toMatch(/is no recipient/);
  });

  it("TOOL-06 under an open door is only who has written first", async () => {
    const telegram = {
      ...usualConfig.channels.telegram,
      dmPolicy: "open",
      groupPolicy: "open",
      allowFrom: [],
      groups: [],
    };
    const change = { channels: { telegram } };
    expect(await key("telegram:42", owner, change)).toBe("telegram/default:42");
    expect(await key("telegram:43", owner, change)).toMatch(/may not be written to/);
    expect(await key("telegram:-7", owner, change)).toBe("telegram/default:-7#group");
  });

  it("TOOL-06 of somebody else's turn is their own conversation alone, and the refusal tells nothing", async () => {
    expect(await find("telegram:42", ada)).toMatchObject({ isOwn: true });
    const refusals = await Promise.all(
      ["Bob", "telegram:77", "telegram:-7", "owner", "nobody at all"].map((to) => key(to, ada)),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/only this conversation/);
  });

  it("TOOL-06 is nobody where it is not known who asks", async () => {
    expect(await find("Bob", {})).toMatchObject({ refused: expect.any(String) });
  });

  it("TOOL-06 of whatever text is only ever somebody whom the owner named or let in", async () => {
    const stage = await stageConversation();
    const open = new Set([
      "telegram/default:1",
      "telegram/default:42",
      "telegram/default:77",
      "telegram/default:99",
      "telegram/default:-9",
      "telegram/default:-7#group",
      "slack/default:U1",
      "slack/work:U1",
      "slack/default:U9",
      "slack/work:U5",
      "slack/work:U6",
    ]);
    const part = fc.constantFrom(
      "telegram",
      "slack",
      "signal",
      "default",
      "work",
      "42",
      "77",
      "-7",
      "U5",
      "U9",
      "666",
      "agent",
      "main",
      "dm",
      "group",
      "*",
      "Bob",
      ":",
      ":",
      "/",
      " ",
      "%3A",
      "#group",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 9 }), async (parts) => {
        const found = await stage.access.messages.find(parts.join(""), owner);
        expect("refused" in found || open.has(found.key)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});
