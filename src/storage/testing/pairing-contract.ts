/** What every storage promises about who may speak. */
import { describe, expect, it } from "vitest";
import type { Stage } from "./stage.ts";

export function describePairing(stage: Stage): void {
  describe("pairing", () => {
    const ttlMs = 3_600_000;
    const limits = { ttlMs, max: 3 };
    const mostOn = () => limits.max;
    let made = 0;
    const makeCode = () => `ABCD-EF${String(made++).padStart(3, "2")}`;
    const place = { channel: "telegram", accountId: "bot" };
    const ask = async (senderId: string, more: { channel?: string; accountId?: string } = {}) => {
      const outcome = await stage.tenant.pairing.request(
        { ...place, senderId, meta: { name: senderId }, ...more },
        limits,
        makeCode,
      );
      if (outcome.type !== "pending") throw new Error("full");
      return outcome;
    };
    const approve = (code: string, more: { channel?: string; accountId?: string } = {}) =>
      stage.tenant.pairing.approve({ code, mostOn, maxTries: 3, by: "pairing", ...more });
    const list = (place: { channel?: string; accountId?: string } = {}) =>
      stage.tenant.pairing.list({ ...place, mostOn });
    const isAllowed = (senderId: string, accountId = "bot") =>
      stage.tenant.pairing.isAllowed({ channel: "telegram", accountId, senderId });

    it("CHAN-21 gives an unknown sender a code that stays, and lets them in once it is approved", async () => {
      const first = await ask("42");
      expect(first).toEqual({
        type: "pending",
        isNew: true,
        request: {
          ...place,
          senderId: "42",
          code: expect.any(String),
          createdAt: "2026-01-01T12:00:00.000Z",
          lastSeenAt: "2026-01-01T12:00:00.000Z",
          meta: { name: "42" },
        },
      });
      await stage.clock.advance(1000);
      const again = await ask("42");
      const lastSeenAt = "2026-01-01T12:00:01.000Z";
      expect(again).toEqual({ ...first, isNew: false, request: { ...first.request, lastSeenAt } });
      expect(await list()).toEqual([again.request]);
      expect(await isAllowed("42")).toBe(false);

      const typed = ` ${first.request.code.toLowerCase().replace("-", " ")}`;
      expect(await approve(typed)).toEqual({ type: "approved", request: again.request });
      expect(await isAllowed("42")).toBe(true);
      expect(await list()).toEqual([]);
      expect(await approve(first.request.code)).toEqual({ type: "unknown" });
      expect(await stage.tenant.pairing.listAllowed({})).toEqual([
        { ...place, senderId: "42", addedAt: lastSeenAt, by: "pairing" },
      ]);
    });

    it("CHAN-21 approves only where the code was given", async () => {
      const { request } = await ask("42");
      expect(await approve(request.code, { channel: "slack" })).toEqual({ type: "unknown" });
      expect(await approve(request.code, { ...place, accountId: "other" })).toEqual({ type: "unknown" });
      expect(await approve(request.code, place)).toMatchObject({ type: "approved" });
      expect(await isAllowed("42", "other")).toBe(false);
    });

    it("CHAN-21 tries no code any more after too many wrong ones, for an hour", async () => {
      const { request } = await ask("42");
      for (let tries = 0; tries < 3; tries++) expect(await approve("WRONG")).toEqual({ type: "unknown" });
      const locked = { type: "locked", until: "2026-01-01T13:00:00.000Z" };
      expect(await approve(request.code)).toEqual(locked);
      await stage.clock.advance(ttlMs - 1);
      expect(await approve(request.code)).toEqual(locked);
      await stage.clock.advance(1);
      const { request: renewed } = await ask("42");
      expect(await approve(renewed.code)).toMatchObject({ type: "approved" });
    });

    it("CHAN-22 looks at the account's own list and at the one for all accounts", async () => {
      const row = { channel: "telegram", by: "import" };
      const senders = [
        { ...row, accountId: "bot", senderId: "1" },
        { ...row, accountId: null, senderId: "2" },
      ];
      await stage.tenant.pairing.allow(senders);
      await stage.tenant.pairing.allow(senders);
      expect(await Promise.all([isAllowed("1"), isAllowed("1", "other")])).toEqual([true, false]);
      expect(await Promise.all([isAllowed("2"), isAllowed("2", "other")])).toEqual([true, true]);
      const { isAllowed: ask } = stage.tenant.pairing;
      expect(await ask({ channel: "slack", accountId: "bot", senderId: "2" })).toBe(false);
      const rival = stage.stores.tenant("rival").pairing;
      expect(await rival.isAllowed({ ...place, senderId: "2" })).toBe(false);
      const listed = async (query: { channel?: string; accountId?: string }) =>
        (await stage.tenant.pairing.listAllowed(query)).map(({ senderId }) => senderId).toSorted();
      expect(await listed({})).toEqual(["1", "2"]);
      expect(await listed({ channel: "telegram", accountId: "other" })).toEqual(["2"]);
      expect(await listed({ channel: "slack" })).toEqual([]);
    });

    it("CHAN-22 takes back who was let in, on one account or on every one, and what is pending", async () => {
      const { revoke, allow } = stage.tenant.pairing;
      const on = (accountId: string | null) => ({ channel: "telegram", accountId, senderId: "1" });
      await allow([on("bot"), on("other"), on(null)].map((sender) => ({ ...sender, by: "import" })));
      expect(await revoke(on("bot"))).toBe(true);
      expect(await revoke(on("bot"))).toBe(false);
      expect(await isAllowed("1")).toBe(true);
      expect(await revoke(on(null))).toBe(true);
      expect(await Promise.all([isAllowed("1"), isAllowed("1", "other")])).toEqual([false, false]);
      const { request } = await ask("1");
      expect(await revoke(on("bot"))).toBe(true);
      expect(await approve(request.code)).toEqual({ type: "unknown" });
    });

    it("CHAN-23 clears what has run out when it is read, listed or approved, and holds the cap", async () => {
      const { request } = await ask("1");
      await ask("2");
      await ask("3");
      const full = () =>
        stage.tenant.pairing.request({ ...place, senderId: "4", meta: {} }, limits, makeCode);
      expect(await full()).toEqual({ type: "full" });
      expect((await ask("4", { accountId: "other" })).isNew).toBe(true);
      expect((await ask("1")).isNew).toBe(false);
      await stage.clock.advance(ttlMs);
      expect(await approve(request.code)).toEqual({ type: "unknown" });
      expect(await list()).toEqual([]);
      const renewed = await ask("1");
      expect(renewed.isNew).toBe(true);
      expect(renewed.request.code).not.toBe(request.code);
    });

    it("CHAN-23 expires each request at its own time, no matter who looks", async () => {
      const { pairing } = stage.tenant;
      const { request } = await ask("slow");
      const quick = { channel: "slack", accountId: "corp", senderId: "quick", meta: {} };
      await pairing.request(quick, { ttlMs: 1000, max: 3 }, makeCode);
      const waiting = async () => (await list()).map(({ senderId }) => senderId).toSorted();
      await stage.clock.advance(999);
      await pairing.request({ ...quick, senderId: "later" }, { ttlMs: 1000, max: 3 }, makeCode);
      expect(await waiting()).toEqual(["later", "quick", "slow"]);
      await stage.clock.advance(1);
      expect(await waiting()).toEqual(["later", "slow"]);
      expect(await list({ channel: "slack" })).toMatchObject([{ senderId: "later" }]);
      await stage.clock.advance(998);
      expect(await waiting()).toEqual(["later", "slow"]);
      await stage.clock.advance(1);
      expect(await list({ channel: "slack" })).toEqual([]);
      expect(await approve(request.code)).toMatchObject({ type: "approved" });
    });

    it("CHAN-23 makes room for another only when one's own time has run out", async () => {
      const sender = (senderId: string) => ({ ...place, senderId, meta: {} });
      const { pairing } = stage.tenant;
      await pairing.request(sender("long"), { ttlMs, max: 1 }, makeCode);
      await stage.clock.advance(1000);
      expect(await pairing.request(sender("next"), { ttlMs: 1, max: 1 }, makeCode)).toEqual({ type: "full" });
      await stage.clock.advance(ttlMs - 1000);
      const forEver = { ttlMs: Number.MAX_SAFE_INTEGER, max: 1 };
      expect(await pairing.request(sender("next"), forEver, makeCode)).toMatchObject({ isNew: true });
      await stage.clock.advance(1000 * ttlMs);
      expect(await list(place)).toMatchObject([{ senderId: "next" }]);
    });

    it("CHAN-23 clears what an account has more than it may, and those who asked first stay", async () => {
      const { pairing } = stage.tenant;
      const fill = async () => {
        for (const senderId of ["c", "b", "a"]) {
          await ask(senderId);
          await stage.clock.advance(1);
        }
        await ask("elsewhere", { channel: "slack" });
      };
      const names = (requests: Array<{ senderId: string }>) => requests.map(({ senderId }) => senderId);
      await fill();
      const lower = (channel: string) => (channel === "telegram" ? 1 : 3);
      expect(names(await pairing.list({ mostOn: lower }))).toEqual(["c", "elsewhere"]);
      expect(names(await list())).toEqual(["c", "elsewhere"]);

      await fill();
      const { request } = await ask("a");
      const late = { code: request.code, mostOn: lower, maxTries: 9, by: "pairing" };
      expect(await pairing.approve(late)).toEqual({ type: "unknown" });
      await fill();
      const sender = { ...place, senderId: "new", meta: {} };
      expect(await pairing.request(sender, { ttlMs, max: 2 }, makeCode)).toEqual({ type: "full" });
      expect(names(await list(place))).toEqual(["c", "b"]);
    });

    it("CHAN-21 never gives two senders the same code", async () => {
      const codes = ["AAAA-AAAA", "aaaaaaaa", "BBBB-BBBB"];
      const next = () => codes.shift() ?? "CCCC-CCCC";
      const request = (senderId: string) =>
        stage.tenant.pairing.request({ ...place, senderId, meta: {} }, limits, next);
      await request("1");
      expect(await request("2")).toMatchObject({ request: { code: "BBBB-BBBB" } });
    });
  });

  describe("owners", () => {
    const claim = (code: string, senderId = "42", maxTries = 3) =>
      stage.tenant.pairing.claimOwner({ code, channel: "telegram", senderId, maxTries });
    const open = (code: string) => stage.tenant.pairing.openClaim({ code, ttlMs: 600_000 });

    it("claim an account with a code that works once", async () => {
      await open("ABCD-2345");
      expect(await claim("abcd2345")).toEqual({ type: "claimed" });
      expect(await claim("abcd2345", "7")).toEqual({ type: "wrong" });
      expect(await stage.tenant.pairing.isOwner("telegram", "42")).toBe(true);
      expect(await stage.tenant.pairing.isOwner("telegram", "7")).toBe(false);
      expect(await stage.tenant.pairing.isOwner("slack", "42")).toBe(false);
      expect(await stage.tenant.pairing.listOwners()).toEqual([
        { channel: "telegram", senderId: "42", claimedAt: "2026-01-01T12:00:00.000Z" },
      ]);
      expect(await stage.tenant.pairing.removeOwner("telegram", "42")).toBe(true);
      expect(await stage.tenant.pairing.removeOwner("telegram", "42")).toBe(false);
      expect(await stage.tenant.pairing.isOwner("telegram", "42")).toBe(false);
    });

    it("have one open code at a time, which runs out", async () => {
      await open("FIRST");
      await open("SECOND");
      expect(await claim("FIRST")).toEqual({ type: "wrong" });
      await stage.clock.advance(600_000);
      expect(await claim("SECOND")).toEqual({ type: "wrong" });
    });

    it("cannot be guessed: tries are counted per sender and in all, until a new code is made", async () => {
      await open("RIGHT");
      for (let tries = 0; tries < 3; tries++) expect(await claim("X")).toEqual({ type: "wrong" });
      expect(await claim("RIGHT")).toEqual({ type: "locked" });
      for (let sender = 0; sender < 27; sender++)
        expect(await claim("X", `s${sender}`)).toEqual({ type: "wrong" });
      expect(await claim("RIGHT", "fresh")).toEqual({ type: "locked" });
      await open("RIGHT-2");
      expect(await claim("RIGHT-2")).toEqual({ type: "claimed" });
    });
  });
}
