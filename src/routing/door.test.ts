import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createDoor, type DoorParts, type DoorSettings } from "./door.ts";
import { inbound } from "./testing/inbound.ts";

const usual: DoorSettings = {
  dmPolicy: "pairing",
  groupPolicy: "allowlist",
  allowFrom: [],
  groups: [],
  requireMention: true,
  pairing: { ttlMs: 3_600_000, max: 3 },
};

function stage(
  given: Partial<DoorSettings> = {},
  owners: string[] = [],
  instead: Partial<DoorParts["pairing"]> = {},
) {
  const clock = createHandClock();
  const { pairing } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  let made = 0;
  const door = createDoor({
    pairing: { ...pairing, ...instead },
    ownersOf: () => owners,
    settings: () => ({ ...usual, ...given }),
    makeCode: () => `ABCDEFG${"23456789"[made++]}`,
    clock,
  });
  const from = (id: string, name = "Ada") => inbound({ sender: { id, name }, peer: { kind: "user", id } });
  return { door, pairing, clock, from };
}

const group = (given: Parameters<typeof inbound>[0] = {}) =>
  inbound({ peer: { kind: "group", id: "g1" }, ...given });
const refused = (reason: string) => ({ type: "refused", reason });

describe("the door, direct messages", () => {
  it("tells whoever was let in before, once a minute, while the list of them is in doubt; strangers hear nothing", async () => {
    const { door, pairing, clock, from } = stage({ dmPolicy: "allowlist", isPairingInDoubt: true }, [], {
      isAllowed: async () => false,
    });
    await pairing.allow([{ channel: "telegram", accountId: "default", senderId: "8", by: "owner" }]);
    expect(await door.admit(from("8"))).toEqual({ type: "in-doubt", isToBeTold: true });
    expect(await door.admit({ ...from("8"), message: { ...from("8").message, id: "next" } })).toEqual({
      type: "in-doubt",
      isToBeTold: false,
    });
    await clock.advance(60_000);
    expect(await door.admit({ ...from("8"), message: { ...from("8").message, id: "last" } })).toEqual({
      type: "in-doubt",
      isToBeTold: true,
    });
    expect(await door.isAdmitted(from("8"))).toBe(false);
    expect(await door.admit(from("9"))).toEqual(refused("not-allowed"));
  });

  it("ROUTE-01 never answers the account's own words, whatever the policy", async () => {
    const { door } = stage({ dmPolicy: "open" }, ["telegram:42"]);
    const own = inbound({ sender: { id: "42", isSelf: true } });
    expect(await door.admit(own)).toEqual(refused("self"));
  });

  it.each(["", " ", "\t\n", "\u3000"])(
    "refuses a sender or a peer whose id is %j, even when open",
    async (id) => {
      const { door } = stage({ dmPolicy: "open", allowFrom: [id] }, [`telegram:${id}`]);
      expect(await door.admit(inbound({ sender: { id } }))).toEqual(refused("no-sender-id"));
      expect(await door.admit(inbound({ peer: { kind: "user", id } }))).toEqual(refused("no-peer-id"));
    },
  );

  it("CHAN-21 lets everybody in when open, and nobody when disabled", async () => {
    expect(await stage({ dmPolicy: "open" }).door.admit(inbound())).toEqual({
      type: "admitted",
      person: { role: "peer", id: "telegram:42", name: "Ada" },
    });
    const shut = stage({ dmPolicy: "disabled", allowFrom: ["42"] }, ["telegram:42"]);
    expect(await shut.door.admit(inbound())).toEqual(refused("disabled"));
  });

  it("SEC-01 CHAN-21 denies with an empty allow list, and a * in it is nobody", async () => {
    for (const allowFrom of [[], ["*"]]) {
      const { door, from } = stage({ dmPolicy: "allowlist", allowFrom });
      expect(await door.admit(from("42"))).toEqual(refused("not-allowed"));
      expect(await door.admit(from("*"))).toEqual(refused("not-allowed"));
    }
  });

  it.each(["042", "42 ", " 42", "+42", "４２", "4２", "42\u200b", "42.0", "telegram:42", "2", "4", "421"])(
    "CHAN-21 takes %j for somebody else than 42",
    async (id) => {
      const { door, from, pairing } = stage({ dmPolicy: "allowlist", allowFrom: ["42"] }, ["telegram:42"]);
      await pairing.allow([{ channel: "telegram", accountId: null, senderId: "42", by: "import" }]);
      expect((await door.admit(from("42"))).type).toBe("admitted");
      expect(await door.admit(from(id))).toEqual(refused("not-allowed"));
    },
  );

  it("does not fold case or look-alikes of an id", async () => {
    const { door, from } = stage({ dmPolicy: "allowlist", allowFrom: ["Ada"] });
    for (const id of ["ada", "ADA", "Аda", "Adа", "A\u0301da"]) {
      expect(await door.admit(from(id))).toEqual(refused("not-allowed"));
    }
  });

  it("decides the same whatever people call themselves", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom("42", "43"), async (name, id) => {
        const { door, from } = stage({ dmPolicy: "allowlist", allowFrom: ["42"] }, ["telegram:44"]);
        const renamed = await door.admit(from(id, name));
        expect(renamed.type).toBe(id === "42" ? "admitted" : "refused");
        expect(renamed.type).toBe((await door.admit(from(id, "42"))).type);
        expect(renamed.type).toBe((await door.admit(from(id, "telegram:44"))).type);
      }),
      { numRuns: 50 },
    );
  });

  it("knows an owner by channel and id together, from the config or by claim", async () => {
    const { door, from } = stage({ dmPolicy: "allowlist" }, ["telegram:42", "matrix:@ada:home"]);
    const matrix = { ...from("@ada:home"), channel: "matrix" };
    expect(await door.admit(from("42"))).toMatchObject({ person: { role: "owner" } });
    expect(await door.admit(matrix)).toMatchObject({ person: { role: "owner", id: "matrix:@ada:home" } });
    expect((await door.admit({ ...from("42"), channel: "feishu" })).type).toBe("refused");
    expect((await door.admit({ ...from("ada:home"), channel: "matrix:@" })).type).toBe("refused");
  });

  it("CHAN-22 lets in whom the store allows on this account or on all", async () => {
    const { door, pairing, from } = stage({ dmPolicy: "pairing" });
    await pairing.allow([
      { channel: "telegram", accountId: "work", senderId: "1", by: "pairing" },
      { channel: "telegram", accountId: null, senderId: "2", by: "import" },
    ]);
    expect((await door.admit({ ...from("1"), accountId: "work" })).type).toBe("admitted");
    expect((await door.admit(from("1"))).type).toBe("pairing");
    expect((await door.admit(from("2"))).type).toBe("admitted");
  });
});

describe("the door, pairing", () => {
  it("CHAN-21 gives a stranger a code that stays the same, told once a minute, and lets them in after approval", async () => {
    const { door, pairing, clock } = stage();
    const say = (id: string) => door.admit(inbound({ id }));
    const first = { type: "pairing", code: "ABCDEFG2", isNew: true, isToBeTold: true };
    expect(await say("m1")).toEqual(first);
    expect(await say("m2")).toEqual({ ...first, isNew: false, isToBeTold: false });
    expect(await say("m1")).toEqual({ ...first, isNew: false });
    await clock.advance(60_000);
    expect(await say("m3")).toEqual({ ...first, isNew: false });
    await pairing.approve({ code: "ABCD-EFG2", mostOn: () => 3, maxTries: 5, by: "owner" });
    expect(await say("m4")).toMatchObject({ type: "admitted", person: { role: "peer" } });
  });

  it("CHAN-21 tells a new code at once, however lately the old one was told", async () => {
    const { door, clock } = stage({ pairing: { ttlMs: 1000, max: 3 } });
    await door.admit(inbound({ id: "m1" }));
    await clock.advance(1500);
    const renewed = { type: "pairing", isNew: true, isToBeTold: true };
    expect(await door.admit(inbound({ id: "m2" }))).toMatchObject(renewed);
    // Should its answer not have been stored.
    expect(await door.admit(inbound({ id: "m2" }))).toMatchObject({ isNew: false, isToBeTold: true });
  });

  it("answers who would be let in without offering or taking anything", async () => {
    const { door, pairing } = stage({ dmPolicy: "pairing" });
    expect(await door.isAdmitted(inbound())).toBe(false);
    expect(await pairing.list({ mostOn: () => 3 })).toEqual([]);
    await pairing.openClaim({ code: "ABCDEFGH", ttlMs: 600_000 });
    expect(await door.isAdmitted(inbound({ text: "ABCD-EFGH" }))).toBe(false);
    expect((await door.admit(inbound({ text: "ABCD-EFGH" }))).type).toBe("claimed-owner");
    expect(await door.isAdmitted(inbound())).toBe(true);
    const group = inbound({ peer: { kind: "group", id: "g" }, mentioned: false });
    const open = stage({ groupPolicy: "open" });
    expect(await open.door.isAdmitted(group)).toBe(false);
    expect(await open.door.isAdmitted({ ...group, sender: { id: "42", isSelf: true } })).toBe(false);
    expect(await stage({ groupPolicy: "open", requireMention: false }).door.isAdmitted(group)).toBe(true);
  });

  it("CHAN-23 refuses without a word when enough strangers wait, until one has run out", async () => {
    const { door, from, clock } = stage();
    for (const id of ["1", "2", "3"]) expect((await door.admit(from(id))).type).toBe("pairing");
    expect(await door.admit(from("4"))).toEqual(refused("pairing-full"));
    await clock.advance(3_600_001);
    expect((await door.admit(from("4"))).type).toBe("pairing");
  });
});

describe("the door, groups with a list of senders", () => {
  it("CHAN-21 hears those on the list and owners, and nobody else, whatever the group", async () => {
    const { door } = stage({ groupPolicy: "open", groupAllowFrom: ["7"] }, ["telegram:1"]);
    const said = (id: string, mentioned = true) => group({ sender: { id }, mentioned });
    expect(await door.admit(said("7"))).toMatchObject({ type: "admitted", person: { role: "peer" } });
    expect(await door.admit(said("1"))).toMatchObject({ type: "admitted", person: { role: "owner" } });
    expect(await door.admit(said("7", false))).toEqual({ type: "context" });
    for (const id of ["8", "*", "07"])
      for (const mentioned of [true, false])
        expect(await door.admit(said(id, mentioned))).toEqual(refused("group-sender-not-allowed"));
    expect(await stage({ groupAllowFrom: ["7"] }).door.admit(said("7"))).toEqual(
      refused("group-not-allowed"),
    );
  });

  it("hears everybody in an open group while the list is empty", async () => {
    const { door } = stage({ groupPolicy: "open", groupAllowFrom: [] });
    expect((await door.admit(group())).type).toBe("admitted");
  });
});

describe("the door, claiming", () => {
  it("makes no owner of somebody whom the network does not vouch for, by config, claim or earlier claim", async () => {
    const { door, pairing } = stage({ dmPolicy: "open" }, ["telegram:42"]);
    await pairing.openClaim({ code: "ABCDEFGH", ttlMs: 60_000 });
    const unproven = (text: string) => inbound({ sender: { id: "42", isUnproven: true }, text });
    expect(await door.admit(unproven("hello"))).toMatchObject({ type: "admitted", person: { role: "peer" } });
    expect(await door.admit(unproven("ABCD-EFGH"))).toMatchObject({
      type: "admitted",
      person: { role: "peer" },
    });
    const proven = inbound({ sender: { id: "43" }, text: "ABCD-EFGH" });
    expect(await door.admit(proven)).toMatchObject({ type: "claimed-owner" });
    const taken = inbound({ sender: { id: "43", isUnproven: true }, text: "me again" });
    expect(await door.admit(taken)).toMatchObject({ type: "admitted", person: { role: "peer" } });
  });

  it("makes the sender of the one-time code an owner, once", async () => {
    const { door, pairing, from } = stage({ dmPolicy: "allowlist" });
    await pairing.openClaim({ code: "ABCDEFGH", ttlMs: 600_000 });
    const claim = (id: string) =>
      door.admit({ ...from(id), message: inbound({ text: " abcd-efgh " }).message });
    expect(await claim("42")).toMatchObject({ type: "claimed-owner", person: { id: "telegram:42" } });
    expect(await door.admit(from("42"))).toMatchObject({ person: { role: "owner" } });
    expect(await claim("43")).toEqual(refused("not-allowed"));
  });

  it("treats a wrong code like any other message and stops listening after five tries", async () => {
    const { door, pairing } = stage({ dmPolicy: "allowlist" });
    await pairing.openClaim({ code: "ABCDEFGH", ttlMs: 600_000 });
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await door.admit(inbound({ text: "ABCD-EFGJ" }))).toEqual(refused("not-allowed"));
    }
    expect(await door.admit(inbound({ text: "ABCD-EFGH" }))).toEqual(refused("not-allowed"));
  });

  it("hears no code in a group", async () => {
    const { door, pairing } = stage({ groupPolicy: "open" });
    await pairing.openClaim({ code: "ABCDEFGH", ttlMs: 600_000 });
    expect(await door.admit(group({ text: "ABCD-EFGH" }))).toMatchObject({ person: { role: "peer" } });
  });
});

describe("the door, groups", () => {
  it("CHAN-24 denies by default, lets listed groups in, and all of them only when open", async () => {
    expect(await stage({}, ["telegram:42"]).door.admit(group())).toEqual(refused("group-not-allowed"));
    expect((await stage({ groups: ["g1"] }).door.admit(group())).type).toBe("admitted");
    expect((await stage({ groups: ["G1", "g", "*"] }).door.admit(group())).type).toBe("refused");
    expect((await stage({ groupPolicy: "open" }).door.admit(group())).type).toBe("admitted");
    expect(await stage({ groupPolicy: "disabled", groups: ["g1"] }).door.admit(group())).toEqual(
      refused("group-disabled"),
    );
  });

  it("CHAN-24 ROUTE-01 keeps what does not speak to us as context, unless no mention is asked for", async () => {
    const silent = group({ mentioned: false });
    expect(await stage({ groups: ["g1"] }).door.admit(silent)).toEqual({ type: "context" });
    expect((await stage({ groups: ["g1"], requireMention: false }).door.admit(silent)).type).toBe("admitted");
    expect(await stage().door.admit(silent)).toEqual(refused("group-not-allowed"));
  });

  it("knows the owner among the others", async () => {
    const { door } = stage({ groups: ["g1"] }, ["telegram:42"]);
    expect(await door.admit(group())).toMatchObject({ person: { role: "owner" } });
    expect(await door.admit(group({ sender: { id: "43" } }))).toMatchObject({ person: { role: "peer" } });
  });
});
