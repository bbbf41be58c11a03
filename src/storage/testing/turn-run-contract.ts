/** What every storage promises about turns that run: how they begin and go on. */
import { describe, expect, it } from "vitest";
import { parkFor } from "./approval-samples.ts";
import { claim, ending, entriesFor, lostLease, queue, takeFence } from "./message-samples.ts";
import { holder, request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeRunningTurns(stage: Stage): void {
  describe("claiming", () => {
    it("opens the session and writes the user's side", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const deadlineAt = "2026-01-01T12:10:00.000Z";
      const claimed = await stage.tenant.turns.claim({
        turnId,
        fence,
        deadlineAt,
        isStale: () => false,
        entriesFor,
      });
      expect(claimed).toMatchObject({
        type: "claimed",
        ended: undefined,
        begunCalls: [],
        turn: {
          state: "running",
          claims: 1,
          firstSeq: 2,
          deadlineAt,
          startedAt: "2026-01-01T12:00:00.000Z",
        },
        session: { sessionKey: "main", lastSeq: 2, state: "active" },
      });
      if (claimed.type !== "claimed") throw new Error("unreachable");
      expect(texts(claimed.entries)).toEqual(["words of 1"]);
      expect(await stage.tenant.turns.get(turnId)).toEqual(claimed.turn);
      expect(await stage.tenant.sessions.findActive("w1", "main")).toEqual(claimed.session);
      expect(await stage.tenant.turns.journal(turnId)).toEqual([
        { seq: 1, time: "2026-01-01T12:00:00.000Z", type: "claimed", claims: 1 },
      ]);
    });

    it("puts what was said earlier before the turn, once, and not into it", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const wish = { turnId, fence, deadlineAt: null, isStale: () => false, entriesFor };
      const earlier = [say("hello"), say("hi", "assistant")];
      const claimed = await stage.tenant.turns.claim({ ...wish, earlier });
      if (claimed.type !== "claimed") throw new Error("unreachable");
      expect(texts(claimed.entries)).toEqual(["words of 1"]);
      expect(claimed.turn.firstSeq).toBe(4);
      const again = await stage.tenant.turns.claim({ ...wish, earlier });
      expect(again).toMatchObject({ entries: claimed.entries, turn: { firstSeq: 4 } });
      const { sessionId } = claimed.session;
      expect(texts(await stage.tenant.entries.after(sessionId, 0, 9))).toEqual([
        "session",
        "hello",
        "hi",
        "words of 1",
      ]);
      expect(texts(await stage.tenant.turns.entries(turnId))).toEqual(["words of 1"]);
    });

    it("takes the lease and the turn together, or neither", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const { turns, leases } = stage.tenant;
      const wish = { turnId, deadlineAt: null, isStale: () => false, entriesFor };
      const lease = { name: "main", holder: holder("two"), ttlMs: 60_000, isStale: () => false };

      const held = await takeFence(stage.tenant);
      expect(await turns.acquireAndClaim(lease, wish)).toMatchObject({ type: "held" });
      await leases.release(held);
      const broken = () => {
        throw new Error("not today");
      };
      await expect(turns.acquireAndClaim(lease, { ...wish, entriesFor: broken })).rejects.toThrow(
        "not today",
      );
      expect(await leases.find("main")).toBeUndefined();
      expect(await turns.get(turnId)).toMatchObject({ state: "queued", claims: 0 });

      const taken = await turns.acquireAndClaim(lease, wish);
      expect(taken).toMatchObject({
        type: "acquired",
        claim: { type: "claimed", turn: { turnId, claims: 1 } },
      });
      expect(await leases.find("main")).toMatchObject({ holder: holder("two"), fencing: 2 });
      const ended = taken.type === "acquired" ? await turns.end(ending(turnId, taken.fence)) : undefined;
      const recalled = await turns.recall(turnId);
      expect({ turn: ended?.turn, session: ended?.session, entries: ended?.entries }).toEqual(recalled);
      const { turn, session, entries } = recalled ?? {};
      expect({ state: turn?.state, key: session?.sessionKey }).toEqual({ state: "done", key: "main" });
      expect(texts(entries ?? [])).toEqual(["words of 1", "answer"]);
      expect(await turns.recall("r_none")).toBeUndefined();
    });

    it("SESS-20 refuses a caller that does not hold the lease, and writes nothing", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const lost = await takeFence(stage.tenant);
      const fence = await takeFence(stage.tenant);
      await expect(claim(stage.tenant, turnId, lost)).rejects.toMatchObject(lostLease);
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({ state: "queued", claims: 0 });
      expect(await stage.tenant.sessions.findActive("w1", "main")).toBeUndefined();

      await claim(stage.tenant, turnId, fence);
      const next = await takeFence(stage.tenant);
      const record = { turnId, bodies: [say("late")], steps: [], sync: "now" as const };
      const park = { turnId, state: "queued" as const, reason: "late" };
      for (const late of [fence, next]) {
        // The next holder has the lease, but has not claimed the turn.
        await expect(stage.tenant.turns.record({ ...record, fence: late })).rejects.toMatchObject(lostLease);
        await expect(stage.tenant.turns.end(ending(turnId, late))).rejects.toMatchObject(lostLease);
        await expect(stage.tenant.turns.park({ ...park, fence: late })).rejects.toMatchObject(lostLease);
      }
      expect((await claim(stage.tenant, turnId, next)).entries).toHaveLength(1);
      await stage.tenant.turns.end(ending(turnId, next));
      await expect(stage.tenant.turns.end(ending(turnId, next))).rejects.toMatchObject(lostLease);
    });

    it("goes on with what was said and begun, without asking for the user's side again", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const begin = { type: "tool-begin", callId: "c1", name: "send", idempotent: false } as const;
      const answer = { sessionId: "s_1", seq: 3 };
      await stage.tenant.turns.record({
        turnId,
        fence,
        bodies: [say("calling", "assistant")],
        // The second is of a version that did not write down which answer asked for it.
        steps: [{ ...begin, answer }, begin],
        sync: "now",
      });
      const next = await takeFence(stage.tenant);
      const again = await claim(stage.tenant, turnId, next);
      const time = "2026-01-01T12:00:00.000Z";
      expect(again).toMatchObject({
        turn: { claims: 2, firstSeq: 2 },
        begunCalls: [
          { callId: "c1", time, answer },
          { callId: "c1", time },
        ],
      });
      expect(texts(again.entries)).toEqual(["words of 1", "calling"]);
    });

    it("does not count a claim again by a process that had the turn and lives", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      const fence = await takeFence(stage.tenant);
      const request = { turnId, fence, deadlineAt: null, isStale: () => false, entriesFor };
      expect(await stage.tenant.turns.claim({ ...request, again: true })).toMatchObject({
        turn: { state: "running", claims: 1 },
      });
      await stage.tenant.turns.end(ending(turnId, fence));
    });

    it("PROTO-10 tells the key events of a run in order", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.park({ turnId, fence, state: "queued", reason: "shutdown" });
      await claim(stage.tenant, turnId, fence);
      await stage.clock.advance(5);
      await stage.tenant.turns.end(ending(turnId, fence));
      expect(await stage.tenant.turns.journal(turnId)).toEqual([
        { seq: 1, time: "2026-01-01T12:00:00.000Z", type: "claimed", claims: 1 },
        { seq: 2, time: "2026-01-01T12:00:00.000Z", type: "parked", reason: "shutdown" },
        { seq: 3, time: "2026-01-01T12:00:00.000Z", type: "claimed", claims: 1 },
        { seq: 4, time: "2026-01-01T12:00:00.005Z", type: "ended", ending: { type: "answered" } },
      ]);
      expect(texts(await stage.tenant.turns.entries(turnId))).toEqual(["words of 1", "answer"]);
      expect(await stage.tenant.turns.journal("r_none")).toEqual([]);
      expect(await stage.tenant.turns.entries("r_none")).toEqual([]);
    });

    it("SESS-19 begins a new session when the old one is over or a new one is wished for", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.tenant.sessions.switchMemory(session.sessionId, true);
      const fence = await takeFence(stage.tenant);
      const first = await queue(stage.tenant, "1");
      const asked: string[] = [];
      const claimed = await stage.tenant.turns.claim({
        turnId: first.turnId,
        fence,
        deadlineAt: null,
        isStale: ({ sessionId }) => asked.push(sessionId) > 0,
        entriesFor,
      });
      if (claimed.type !== "claimed") throw new Error("over");
      expect(asked).toEqual([session.sessionId]);
      expect(claimed).toMatchObject({
        session: { memoryEnabled: true },
        ended: { sessionId: session.sessionId, state: "ended" },
      });
      expect(texts(claimed.entries)).toEqual(["words of 1"]);
      await stage.tenant.turns.end(ending(first.turnId, fence));

      const second = await queue(stage.tenant, "2", { options: { newSession: true, memory: false } });
      const renewed = await claim(stage.tenant, second.turnId, fence);
      expect(renewed.ended?.sessionId).toBe(claimed.session.sessionId);
      expect(renewed.session.memoryEnabled).toBe(false);
      expect(texts(renewed.entries)).toEqual(["words of 2"]);
    });

    it("SESS-09 goes back to before an entry of its session when it begins, once, and in that session alone", async () => {
      const fence = await takeFence(stage.tenant);
      const first = await queue(stage.tenant, "1");
      const { session, entries } = await claim(stage.tenant, first.turnId, fence);
      await stage.tenant.turns.end(ending(first.turnId, fence));
      const { sessionId } = session;
      const from = entries[0]?.seq ?? 0;
      const said = async () =>
        texts((await stage.tenant.entries.view(sessionId, { before: Infinity, limit: 99 })).said);
      const elsewhere = await queue(stage.tenant, "2", {
        options: { setAside: { sessionId: "other", from } },
      });
      await claim(stage.tenant, elsewhere.turnId, fence);
      await stage.tenant.turns.end(ending(elsewhere.turnId, fence));
      expect(await said()).toEqual(["words of 1", "answer", "words of 2", "answer"]);
      for (const id of ["3", "4"]) {
        const again = await queue(stage.tenant, id, { options: { setAside: { sessionId, from } } });
        const claimed = await claim(stage.tenant, again.turnId, fence);
        expect(texts(claimed.entries)).toEqual([`words of ${id}`]);
        expect(claimed.turn.firstSeq).toBe(claimed.entries[0]?.seq);
        await stage.tenant.turns.end(ending(again.turnId, fence));
      }
      expect(await said()).toEqual(["words of 3", "answer", "words of 4", "answer"]);
    });

    it("keeps its own entries apart from those of a turn that ran while it was parked", async () => {
      const fence = await takeFence(stage.tenant);
      const parked = await queue(stage.tenant, "1");
      await claim(stage.tenant, parked.turnId, fence);
      await stage.tenant.turns.park({ turnId: parked.turnId, fence, state: "queued", reason: "later" });
      const between = await queue(stage.tenant, "2");
      await claim(stage.tenant, between.turnId, fence);
      await stage.tenant.turns.end(ending(between.turnId, fence));
      expect(texts((await claim(stage.tenant, parked.turnId, fence)).entries)).toEqual(["words of 1"]);
      expect(texts(await stage.tenant.turns.entries(between.turnId))).toEqual(["words of 2", "answer"]);
    });

    it("answers over for a turn that nobody may claim", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      await parkFor(stage.tenant, turnId, fence);
      const request = { fence, deadlineAt: null, isStale: () => false, entriesFor };
      expect(await stage.tenant.turns.claim({ ...request, turnId })).toMatchObject({
        type: "over",
        turn: { state: "waiting", claims: 0 },
      });
      expect(await stage.tenant.turns.claim({ ...request, turnId: "r_none" })).toEqual({
        type: "over",
        turn: undefined,
      });
    });
  });
}
