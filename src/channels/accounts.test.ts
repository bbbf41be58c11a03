import { describe, expect, it } from "vitest";
import { readAccounts } from "./accounts.ts";

const channel = { enabled: true, dmPolicy: "pairing" as const, allowFrom: [] };

describe("readAccounts", () => {
  it("CHAN-24 gives a channel without accounts one by the name of default, with careful settings", () => {
    const [account] = readAccounts({ pigeon: { ...channel, botToken: "t", allowFrom: [42] } });
    expect(account).toEqual({
      channel: "pigeon",
      accountId: "default",
      enabled: true,
      config: { ...channel, botToken: "t", allowFrom: [42] },
      door: {
        dmPolicy: "pairing",
        groupPolicy: "allowlist",
        allowFrom: ["42"],
        groups: [],
        requireMention: true,
      },
      uncertain: "repeat",
      streaming: "off",
      problem: undefined,
    });
  });

  it("CHAN-24 lays the keys of an account over those of its channel", () => {
    const accounts = {
      work: { dmPolicy: "open", botToken: "w", requireMention: false },
      home: { enabled: false, groups: ["g1"] },
    };
    const read = readAccounts({ pigeon: { ...channel, botToken: "t", streaming: "edit", accounts } });
    expect(read.map(({ accountId }) => accountId)).toEqual(["home", "work"]);
    expect(read[0]).toMatchObject({ enabled: false, door: { dmPolicy: "pairing", groups: ["g1"] } });
    expect(read[1]).toMatchObject({
      enabled: true,
      streaming: "edit",
      config: { botToken: "w" },
      door: { dmPolicy: "open", requireMention: false },
    });
  });

  it("STREAM-04 reads how a growing answer is shown", () => {
    const streamingOf = (streaming: "off" | "edit" | "blocks") =>
      readAccounts({ pigeon: { ...channel, streaming } })[0]?.streaming;
    expect([streamingOf("off"), streamingOf("edit"), streamingOf("blocks")]).toEqual([
      "off",
      "edit",
      "blocks",
    ]);
  });

  it("CHAN-24 lets nobody in on an account whose keys cannot be used", () => {
    const [account] = readAccounts({
      pigeon: { ...channel, dmPolicy: "open", accounts: { work: { dmPolicy: "opne" } } },
    });
    expect(account?.problem).toMatch(/dmPolicy/);
    expect(account?.door).toMatchObject({ dmPolicy: "disabled", groupPolicy: "disabled" });
  });
});
