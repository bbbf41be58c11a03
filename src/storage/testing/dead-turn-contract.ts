/** What every storage promises about turns that do not come to an end of their own. */
import { describe, expect, it } from "vitest";
import {
  claim,
  draft,
  ending,
  inbound,
  noticeDraft,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import { request, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeDeadTurns(stage: Stage): void {
  describe("dead letters and abandoned turns", () => {
    const bury = (turnId: string) =>
      stage.tenant.turns.bury(turnId, {
        replies: [draft("it kept failing", { turnId })],
        notice: noticeDraft(turnId),
      });
    const inputStates = async (turnId: string) =>
      (await stage.tenant.turns.inputs(turnId)).map(({ state }) => state);

    it("buries a turn once, with one line for its user and a notice", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      expect(await bury(turnId)).toMatchObject([{ text: "it kept failing" }]);
      expect(await bury(turnId)).toEqual([]);
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({
        state: "dead",
        ending: { type: "crashed", claims: 1 },
      });
      expect(await inputStates(turnId)).toEqual(["dead"]);
      expect(await stage.tenant.notices.list({ limit: 9 })).toHaveLength(1);
      expect(await stage.tenant.turns.pending({ limit: 9 })).toEqual([]);
      expect(await stage.tenant.inbox.prune("2030-01-01T00:00:00.000Z", 9)).toBe(0);
    });

    it("gives what joined it and was never shown to it a turn of its own", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      const joined = await stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, "2")));
      expect(joined.type).toBe("joined");
      await bury(turnId);
      const [next, ...others] = await stage.tenant.turns.pending({ limit: 9 });
      expect(others).toEqual([]);
      expect(await inputStates(turnId)).toEqual(["dead"]);
      expect(await inputStates(next?.turnId ?? "")).toEqual(["queued"]);
    });

    it("brings a dead one back with its claims forgotten", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      expect(await stage.tenant.turns.revive(turnId)).toBeUndefined();
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      await bury(turnId);
      expect(await stage.tenant.turns.revive(turnId)).toMatchObject({
        state: "queued",
        claims: 0,
        ending: null,
        endedAt: null,
      });
      expect(await inputStates(turnId)).toEqual(["queued"]);
      expect(texts((await claim(stage.tenant, turnId, fence)).entries)).toEqual(["words of 1"]);
      await stage.tenant.turns.end(ending(turnId, fence));
      expect(await inputStates(turnId)).toEqual(["done"]);
    });

    it("gives a dead one up for good", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      expect(await stage.tenant.turns.drop(turnId)).toBe(false);
      await bury(turnId);
      expect(await stage.tenant.turns.drop(turnId)).toBe(true);
      expect(await stage.tenant.turns.drop(turnId)).toBe(false);
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({
        state: "failed",
        ending: { type: "dropped" },
      });
      expect(await inputStates(turnId)).toEqual(["done"]);
    });

    it("settles what a command left behind, except where it still lives", async () => {
      const direct = { direct: true, destination: null };
      const gone = await queue(stage.tenant, "1", direct);
      await claim(stage.tenant, gone.turnId, await takeFence(stage.tenant));
      const alive = await queue(stage.tenant, "2", { ...direct, session: request("other") });
      const gateway = await queue(stage.tenant, "3", { session: request("third") });
      const isAlive = async ({ turnId }: { turnId: string }) => turnId === alive.turnId;
      expect(await stage.tenant.turns.settleAbandoned(isAlive)).toBe(1);
      expect(await stage.tenant.turns.settleAbandoned(isAlive)).toBe(0);
      expect(await stage.tenant.turns.get(gone.turnId)).toMatchObject({
        state: "failed",
        ending: { type: "abandoned" },
      });
      expect(await inputStates(gone.turnId)).toEqual(["done"]);
      for (const { turnId } of [alive, gateway])
        expect(await stage.tenant.turns.get(turnId)).toMatchObject({ state: "queued" });
    });
  });

  describe("deleting a session", () => {
    it("STORE-08 takes its finished turns along, with what came in and went out for them", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      const { session } = await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.end(ending(turnId, fence, { replies: [draft("answer", { turnId })] }));
      const other = await queue(stage.tenant, "2", { session: request("other") });
      await stage.tenant.sessions.delete(session.sessionId, "owner");
      expect(await stage.tenant.turns.list({ limit: 9 })).toEqual([other]);
      expect(await stage.tenant.turns.journal(turnId)).toEqual([]);
      const kept = await stage.tenant.inbox.find("telegram", "bot", "1");
      // Not the whole row: its id is made of chance, and may hold any digits.
      const { message, conversation } = kept ?? {};
      expect(message).toBeDefined();
      expect(JSON.stringify({ message, conversation })).not.toMatch(/words|Ada|42/);
      expect(await stage.tenant.inbox.find("telegram", "bot", "2")).toBeDefined();
      expect(await stage.tenant.outbox.list({ limit: 9 })).toMatchObject([
        { state: "dropped", text: "", turnId: null },
      ]);
      expect(await stage.tenant.outbox.unfinished()).toEqual([]);
    });

    it("PROTO-11 still knows what was answered, so that a second delivery is not answered again", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      const { session } = await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.end(ending(turnId, fence));
      await stage.tenant.sessions.delete(session.sessionId, "owner");
      expect(await stage.tenant.inbox.accept(inbound("1"))).toMatchObject({
        type: "duplicate",
        row: { state: "done", turnId: null },
      });
    });

    it("lets an open turn begin anew in another session", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const { session } = await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      await stage.tenant.sessions.delete(session.sessionId, "owner");
      const again = await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      expect(again.session.sessionId).not.toBe(session.sessionId);
      expect(texts(again.entries)).toEqual(["words of 1"]);
    });
  });
}
