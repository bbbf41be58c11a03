import type { AllowedView, PairingView } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPairingFile, writePairingFiles } from "./pairing-files.ts";

const read = (name: string, content: unknown, given: { channel?: string; account?: string } = {}) =>
  readPairingFile(`/some/where/${name}`, JSON.stringify(content), given);

const allowed = (channel: string, accountId: string | null, senderId: string): AllowedView => ({
  channel,
  accountId,
  senderId,
  addedAt: "2026-01-01T12:00:00.000Z",
  by: "pairing",
});

const waiting: PairingView = {
  channel: "feishu",
  accountId: "corp",
  senderId: "ou_1",
  code: "ABCD-EFGH",
  createdAt: "2026-01-01T12:00:00.000Z",
  lastSeenAt: "2026-01-01T12:00:01.000Z",
  meta: { name: "Ada" },
};

describe("pairing files", () => {
  it("CHAN-22 are read by their names: channel, account, or who waits", () => {
    expect(read("feishu-allowFrom.json", ["ou_1", "ou_2"]).allowed).toEqual([
      { channel: "feishu", accountId: null, senderId: "ou_1" },
      { channel: "feishu", accountId: null, senderId: "ou_2" },
    ]);
    expect(read("feishu-corp-allowFrom.json", ["ou_1"]).allowed).toEqual([
      { channel: "feishu", accountId: "corp", senderId: "ou_1" },
    ]);
    const request = { id: "ou_1", code: "ABCDEFGH", createdAt: "…", lastSeenAt: "…" };
    expect(read("feishu-pairing.json", [request]).pending).toEqual([
      { channel: "feishu", accountId: "default", senderId: "ou_1", code: "ABCDEFGH", meta: {} },
    ]);
  });

  it("CHAN-22 are read in their other forms too", () => {
    expect(
      read("telegram-allowFrom.json", { version: 1, allowFrom: [42, "telegram:43"] }).allowed,
    ).toMatchObject([{ senderId: "42" }, { senderId: "43" }]);
    expect(
      read("telegram-pairing.json", {
        requests: [{ id: 42, code: "ABCDEFGH", meta: { name: "Ada", age: null } }],
      }).pending,
    ).toMatchObject([{ senderId: "42", meta: { name: "Ada" } }]);
    const gateway = {
      pairing: {
        feishu: { allowFrom: ["a"], accounts: { corp: ["b"] }, pending: [{ id: "c", code: "ABCDEFGH" }] },
      },
    };
    expect(read("gateway.json", gateway)).toMatchObject({
      allowed: [
        { accountId: null, senderId: "a" },
        { accountId: "corp", senderId: "b" },
      ],
      pending: [{ channel: "feishu", senderId: "c" }],
    });
    expect(read("people.json", ["1"], { channel: "slack", account: "x" }).allowed).toEqual([
      { channel: "slack", accountId: "x", senderId: "1" },
    ]);
  });

  it("CHAN-21 never let everybody in: a star names nobody", () => {
    expect(read("telegram-allowFrom.json", ["*", "", " ", null, "42"])).toMatchObject({
      allowed: [{ senderId: "42" }],
      skipped: ["*", "", " ", "null"],
    });
  });

  it("are refused when they are something else", () => {
    expect(() => read("people.json", ["1"])).toThrow("not a file that can be imported");
    expect(() => read("telegram-allowFrom.json", { people: [] })).toThrow("not a file that can be imported");
    expect(() => readPairingFile("x-allowFrom.json", "[", {})).toThrow("not JSON");
  });

  it("CHAN-22 are written as they are read, in each form", () => {
    const people = [allowed("feishu", null, "ou_1"), allowed("feishu", "corp", "ou_2")];
    const files = writePairingFiles({ allowed: people, pending: [waiting] }, "files");
    expect([...files.keys()].sort()).toEqual([
      "feishu-allowFrom.json",
      "feishu-corp-allowFrom.json",
      "feishu-pairing.json",
    ]);
    expect(JSON.parse(files.get("feishu-pairing.json") ?? "")).toEqual([
      {
        id: "ou_1",
        code: "ABCDEFGH",
        createdAt: waiting.createdAt,
        lastSeenAt: waiting.lastSeenAt,
        meta: { name: "Ada", accountId: "corp" },
      },
    ]);
    expect([...writePairingFiles({ allowed: people, pending: [waiting] }, "allow").keys()]).not.toContain(
      "feishu-pairing.json",
    );
    expect([...writePairingFiles({ allowed: people, pending: [waiting] }, "gateway").keys()]).toEqual([
      "gateway.json",
    ]);
  });

  it("bring back exactly who was written, whatever the names are, and never leave their directory", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() === text && text !== "*" && !text.includes(":"));
    const person = fc.record({ channel: name, accountId: fc.option(name), senderId: name });
    fc.assert(
      fc.property(
        fc.uniqueArray(person, { selector: (each) => JSON.stringify(each) }),
        fc.constantFrom("files" as const, "gateway" as const),
        (people, form) => {
          const views = people.map((each) => allowed(each.channel, each.accountId, each.senderId));
          const files = [...writePairingFiles({ allowed: views, pending: [] }, form)];
          for (const [file] of files) expect(file).toMatch(/^[^/\\]+\.json$/);
          const back = files.flatMap(([file, text]) => readPairingFile(file, text, {}).allowed);
          const key = (each: object) => JSON.stringify(each, ["channel", "accountId", "senderId"]);
          expect(back.map(key).sort()).toEqual(people.map(key).sort());
        },
      ),
    );
  });
});
