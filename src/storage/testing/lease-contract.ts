/** What every storage promises about leases. */
import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { HeldLease } from "../stores.ts";
import { holder, request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeLeases(stage: Stage): void {
  describe("leases", () => {
    const take = (id: string, isStale: (held: HeldLease) => boolean = () => false) =>
      stage.tenant.leases.acquire({ name: "session:x", holder: holder(id), ttlMs: 60_000, isStale });
    const takeFence = async (id: string) => {
      const outcome = await take(id);
      if (outcome.type !== "acquired") throw new Error("not free");
      return outcome.fence;
    };

    it("SESS-10 says who holds it since when", async () => {
      expect(await stage.tenant.leases.find("session:x")).toBeUndefined();
      expect(await take("one")).toEqual({ type: "acquired", fence: { name: "session:x", fencing: 1 } });
      const lease: HeldLease = {
        holder: holder("one"),
        fencing: 1,
        acquiredAt: "2026-01-01T12:00:00.000Z",
        expiresAt: "2026-01-01T12:01:00.000Z",
      };
      expect(await stage.tenant.leases.find("session:x")).toEqual(lease);
      expect(await take("two")).toEqual({ type: "held", lease });
      expect(await take("one")).toEqual({ type: "held", lease });
    });

    it("SESS-11 lets one of many win", async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => take(`h${index}`)));
      expect(outcomes.filter(({ type }) => type === "acquired")).toHaveLength(1);
    });

    it("SESS-11 goes to the next one when it has expired", async () => {
      await take("one");
      await stage.clock.advance(59_999);
      expect((await take("two")).type).toBe("held");
      await stage.clock.advance(1);
      expect(await stage.tenant.leases.find("session:x")).toMatchObject({ holder: { id: "one" } });
      expect(await take("two")).toMatchObject({ fence: { fencing: 2 } });
    });

    it("SESS-11 goes to the next one when its holder is gone", async () => {
      await take("one");
      const asked: HeldLease[] = [];
      const outcome = await take("two", (held) => asked.push(held) > 0);
      expect(outcome).toMatchObject({ fence: { fencing: 2 } });
      expect(asked.map((held) => held.holder.id)).toEqual(["one"]);
    });

    it("SESS-12 is free after release, and the fencing number keeps rising", async () => {
      const first = await takeFence("one");
      await stage.tenant.leases.release(first);
      await stage.tenant.leases.release(first);
      expect(await stage.tenant.leases.find("session:x")).toBeUndefined();
      const second = await takeFence("two");
      expect(second.fencing).toBe(2);
      await stage.tenant.leases.release(first);
      expect(await stage.tenant.leases.find("session:x")).toMatchObject({ fencing: 2 });
    });

    it("SESS-12 is free for the next one although its release is yet to come along with a write", async () => {
      const first = await takeFence("one");
      const released = stage.tenant.leases.release(first, "along");
      const second = await takeFence("two");
      expect(second.fencing).toBe(2);
      await released;
      const last = stage.tenant.leases.release(second, "along");
      await stage.clock.advance(100);
      await last;
      expect(await stage.tenant.leases.find("session:x")).toBeUndefined();
    });

    it("SESS-11 is renewed only by its holder", async () => {
      const fence = await takeFence("one");
      await stage.clock.advance(30_000);
      expect(await stage.tenant.leases.renew(fence, 60_000)).toBe(true);
      expect(await stage.tenant.leases.find("session:x")).toMatchObject({
        expiresAt: "2026-01-01T12:01:30.000Z",
      });
      await stage.tenant.leases.release(fence);
      expect(await stage.tenant.leases.renew(fence, 60_000)).toBe(false);
      await takeFence("two");
      expect(await stage.tenant.leases.renew(fence, 60_000)).toBe(false);
    });

    it("SESS-20 refuses the writes of a holder that has lost its lease", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      const fence = await takeFence("one");
      await stage.tenant.entries.append(session.sessionId, [say("mine")], fence);
      await stage.clock.advance(60_000);
      await stage.tenant.entries.append(session.sessionId, [say("late, but nobody came")], fence);
      const next = await takeFence("two");
      const late = stage.tenant.entries.append(session.sessionId, [say("too late")], fence);
      await expect(late).rejects.toBeInstanceOf(PincerError);
      await expect(late).rejects.toMatchObject({ code: "session/lost-lease" });
      await stage.tenant.leases.release(next);
      await expect(
        stage.tenant.entries.append(session.sessionId, [say("released")], next),
      ).rejects.toMatchObject({ code: "session/lost-lease" });
      expect(texts(await stage.tenant.entries.after(session.sessionId, 1, 9))).toEqual([
        "mine",
        "late, but nobody came",
      ]);
      expect((await stage.tenant.sessions.get(session.sessionId))?.lastSeq).toBe(3);
    });
  });
}
