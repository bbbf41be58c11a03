import { describe, expect, it } from "vitest";
import { createApiStage, ways, type ApiStage } from "../../app/testing/api-stage.ts";

const limits = { ttlMs: 3_600_000, max: 3 };
const codes = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ", "23456789"];

async function knock(
  { tenant }: ApiStage,
  senderId: string,
  code: string,
  channel = "telegram",
  accountId = "bot",
) {
  const sender = { channel, accountId, senderId, meta: { name: `name of ${senderId}` } };
  return tenant.pairing.request(sender, limits, () => code);
}

const isIn = ({ tenant }: ApiStage, senderId: string, accountId = "bot", channel = "telegram") =>
  tenant.pairing.isAllowed({ channel, accountId, senderId });

describe.each(ways)("the pairing API %s", (way) => {
  it("CLI-15 CHAN-23 lists who waits and who is in, by channel and account, and nobody whose time has run out", async () => {
    const stage = await createApiStage(way);
    const { pairing } = stage.apis;
    await knock(stage, "old", codes[0] ?? "");
    await stage.clock.advance(limits.ttlMs);
    await knock(stage, "1", codes[1] ?? "");
    await knock(stage, "2", codes[2] ?? "", "feishu", "corp");
    await stage.tenant.pairing.allow([{ channel: "telegram", accountId: null, senderId: "9", by: "import" }]);
    const all = await pairing.list({});
    expect(all.pending.map(({ senderId, code }) => [senderId, code])).toEqual([
      ["2", "STUV-WXYZ"],
      ["1", "JKLM-NPQR"],
    ]);
    expect(all.allowed).toMatchObject([
      { channel: "telegram", accountId: null, senderId: "9", by: "import" },
    ]);
    expect((await pairing.list({ channel: "feishu" })).pending).toMatchObject([{ senderId: "2" }]);
    expect((await pairing.list({ channel: "telegram", accountId: "other" })).pending).toEqual([]);
  });

  it("CLI-16 CHAN-21 admits the holder of the code, once, however it is typed, and dismisses the notice", async () => {
    const stage = await createApiStage(way);
    await knock(stage, "1", "JKLMNPQR");
    await stage.tenant.notices.add({
      kind: "pairing",
      subject: "pairing:telegram:bot:1",
      text: { key: "x", parameters: {} },
    });
    expect(await isIn(stage, "1")).toBe(false);
    const { approved } = await stage.apis.pairing.approve({ code: "jklm npqr" });
    expect(approved).toMatchObject({
      senderId: "1",
      channel: "telegram",
      accountId: "bot",
      meta: { name: "name of 1" },
    });
    expect(await isIn(stage, "1")).toBe(true);
    expect(await isIn(stage, "1", "other")).toBe(false);
    expect((await stage.apis.notices.list({})).notices).toEqual([]);
    await expect(stage.apis.pairing.approve({ code: "JKLM-NPQR" })).rejects.toMatchObject({
      code: "pairing/unknown-code",
      hint: expect.stringContaining("pairing list"),
    });
  });

  it("CLI-16 looks only on the channel and account that are named", async () => {
    const stage = await createApiStage(way);
    await knock(stage, "1", "JKLMNPQR");
    const code = "JKLM-NPQR";
    await expect(stage.apis.pairing.approve({ code, channel: "feishu" })).rejects.toMatchObject({
      code: "pairing/unknown-code",
    });
    await expect(stage.apis.pairing.approve({ code, accountId: "other" })).rejects.toMatchObject({
      code: "pairing/unknown-code",
    });
    expect(
      (await stage.apis.pairing.approve({ code, channel: "telegram", accountId: "bot" })).approved.senderId,
    ).toBe("1");
  });

  it("stops taking codes after ten wrong ones, the right one too, and says until when", async () => {
    const stage = await createApiStage(way);
    await knock(stage, "1", "JKLMNPQR");
    for (let tries = 0; tries < 10; tries++) {
      await expect(stage.apis.pairing.approve({ code: "2222-2222" })).rejects.toMatchObject({
        code: "pairing/unknown-code",
      });
    }
    await expect(stage.apis.pairing.approve({ code: "JKLM-NPQR" })).rejects.toMatchObject({
      code: "pairing/locked",
      message: expect.stringContaining("2026-01-01T1"),
    });
    expect(await isIn(stage, "1")).toBe(false);
  });

  it("CLI-17 takes permission back, and a request that waits", async () => {
    const stage = await createApiStage(way);
    const { pairing } = stage.apis;
    await knock(stage, "1", "JKLMNPQR");
    await pairing.approve({ code: "JKLMNPQR" });
    expect((await pairing.revoke({ senderId: "1" })).revoked).toEqual([
      { channel: "telegram", accountId: "bot", senderId: "1" },
    ]);
    expect(await isIn(stage, "1")).toBe(false);
    await knock(stage, "2", "STUVWXYZ");
    await pairing.revoke({ senderId: "2" });
    expect((await pairing.list({})).pending).toEqual([]);
    await expect(pairing.revoke({ senderId: "1" })).rejects.toMatchObject({ code: "message/not-found" });
  });

  it("CLI-17 asks which is meant rather than take away too much", async () => {
    const stage = await createApiStage(way);
    const { pairing } = stage.apis;
    await stage.tenant.pairing.allow([
      { channel: "telegram", accountId: null, senderId: "1", by: "import" },
      { channel: "feishu", accountId: "a", senderId: "1", by: "import" },
      { channel: "feishu", accountId: "b", senderId: "1", by: "import" },
    ]);
    await expect(pairing.revoke({ senderId: "1" })).rejects.toMatchObject({
      hint: expect.stringContaining("--channel"),
    });
    await expect(
      pairing.revoke({ senderId: "1", channel: "telegram", accountId: "bot" }),
    ).rejects.toMatchObject({
      hint: expect.stringContaining("--account"),
    });
    await pairing.revoke({ senderId: "1", channel: "feishu", accountId: "a" });
    expect([await isIn(stage, "1", "a", "feishu"), await isIn(stage, "1", "b", "feishu")]).toEqual([
      false,
      true,
    ]);
    expect(await isIn(stage, "1")).toBe(true);
  });

  it("CHAN-22 takes people in, those who wait with their own codes, and no more than may wait", async () => {
    const stage = await createApiStage(way);
    await knock(stage, "here", "ABCDEFGH");
    const waiting = (senderId: string, code: string) => ({
      channel: "telegram",
      accountId: "bot",
      senderId,
      code,
      meta: {},
    });
    const outcome = await stage.apis.pairing.import({
      allowed: [{ channel: "telegram", accountId: null, senderId: "9" }],
      pending: [waiting("1", "JKLMNPQR"), waiting("2", "ABCDEFGH"), waiting("3", "STUVWXYZ")],
    });
    expect(outcome).toEqual({ allowed: 1, pending: 2, full: 1 });
    expect(await isIn(stage, "9", "any")).toBe(true);
    expect((await stage.apis.pairing.approve({ code: "JKLM-NPQR" })).approved.senderId).toBe("1");
    expect((await stage.apis.pairing.approve({ code: "ABCD-EFGH" })).approved.senderId).toBe("here");
    expect((await stage.apis.pairing.list({})).pending).toMatchObject([{ senderId: "2" }]);
  });
});
