/** What every storage promises about what comes in. */
import { describe, expect, it } from "vitest";
import {
  claim,
  conversation,
  draft,
  inbound,
  noticeDraft,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeInbox(stage: Stage): void {
  describe("the inbox", () => {
    const messageIds = (rows: Array<{ message: { message: { id: string } } }>) =>
      rows.map((row) => row.message.message.id);

    it("PROTO-11 takes a message once, however often it is delivered", async () => {
      const message = inbound("1");
      const stored = await stage.tenant.inbox.accept(message);
      expect(stored).toEqual({
        type: "stored",
        row: {
          id: expect.stringMatching(/^m_/),
          position: 1,
          conversation: conversation(),
          message,
          state: "new",
          reason: null,
          turnId: null,
          asked: null,
          digest: null,
          answer: null,
          isOverheard: false,
          attempts: 0,
          receivedAt: "2026-01-01T12:00:00.000Z",
        },
      });
      const again = await stage.tenant.inbox.accept(inbound("1", { text: "changed by the network" }));
      expect(again).toEqual({ type: "duplicate", row: stored.row });
      expect(await stage.tenant.inbox.find("telegram", "bot", "1")).toEqual(stored.row);
      expect(await stage.tenant.inbox.get(stored.row.id)).toEqual(stored.row);
      expect(await stage.tenant.inbox.get("m_none")).toBeUndefined();
    });

    it("PROTO-11 stores one of twenty simultaneous deliveries", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => stage.tenant.inbox.accept(inbound("1"))),
      );
      expect(outcomes.filter(({ type }) => type === "stored")).toHaveLength(1);
      expect(new Set(outcomes.map(({ row }) => row.id)).size).toBe(1);
    });

    it("PROTO-11 keeps equal ids of other channels, accounts and tenants apart", async () => {
      const accept = async (more: Parameters<typeof inbound>[1]) =>
        (await stage.tenant.inbox.accept(inbound("1", more))).type;
      expect(await accept({})).toBe("stored");
      expect(await accept({ channel: "slack" })).toBe("stored");
      expect(await accept({ accountId: "other" })).toBe("stored");
      expect((await stage.stores.tenant("rival").inbox.accept(inbound("1"))).type).toBe("stored");
      expect(await accept({ channel: "slack" })).toBe("duplicate");
      expect(await stage.tenant.inbox.listNew(9)).toHaveLength(3);
    });

    it("lists what is new in order of arrival", async () => {
      const [first = ""] = await receive(stage.tenant, "b", "a", "c");
      expect(messageIds(await stage.tenant.inbox.listNew(2))).toEqual(["b", "a"]);
      await stage.tenant.inbox.settle(first, { state: "done", reason: null });
      expect(messageIds(await stage.tenant.inbox.listNew(9))).toEqual(["a", "c"]);
    });

    it("settles a message once, together with what is said about it", async () => {
      const [id = ""] = await receive(stage.tenant, "1");
      const refused = { state: "refused", reason: "unknown-sender" } as const;
      const rows = await stage.tenant.inbox.settle(id, refused, [draft("who are you?")]);
      expect(rows).toMatchObject([{ text: "who are you?", state: "queued", version: 1, shownVersion: 0 }]);
      expect(await stage.tenant.inbox.get(id)).toMatchObject(refused);
      const again = { state: "command", reason: null } as const;
      expect(await stage.tenant.inbox.settle(id, again, [draft("twice?")])).toEqual([]);
      expect(await stage.tenant.outbox.list({ limit: 9 })).toEqual(rows);
    });

    it("counts looks after a crash", async () => {
      const [id = ""] = await receive(stage.tenant, "1");
      expect(await stage.tenant.inbox.countAttempt(id)).toBe(1);
      expect(await stage.tenant.inbox.countAttempt(id)).toBe(2);
      expect(await stage.tenant.inbox.countAttempt("m_none")).toBe(0);
    });

    it("keeps the newest context of a conversation and forgets the older", async () => {
      for (const id of await receive(stage.tenant, "1", "2", "3", "4"))
        await stage.tenant.inbox.settle(id, { state: "context", reason: null });
      const elsewhere = await stage.tenant.inbox.accept(inbound("5", { peer: { kind: "user", id: "7" } }));
      await stage.tenant.inbox.settle(elsewhere.row.id, { state: "context", reason: null });

      expect(messageIds(await stage.tenant.inbox.context(conversation(), 9))).toEqual(["1", "2", "3", "4"]);
      expect(messageIds(await stage.tenant.inbox.context(conversation(), 2))).toEqual(["3", "4"]);
      expect(messageIds(await stage.tenant.inbox.context(conversation(), 9))).toEqual(["3", "4"]);
      expect(await stage.tenant.inbox.context(conversation(), 0)).toEqual([]);
      expect(messageIds(await stage.tenant.inbox.context(conversation("7"), 9))).toEqual(["5"]);
    });

    it("CHAN-24 remembers what was kept as context after a turn has it", async () => {
      const [heard = "", said = ""] = await receive(stage.tenant, "1", "2");
      await stage.tenant.inbox.settle(heard, { state: "context", reason: null });
      const queued = await stage.tenant.turns.enqueue(turnFor([heard, said]));
      if (queued.type !== "queued") throw new Error("not queued");
      const inputs = await stage.tenant.turns.inputs(queued.turn.turnId);
      expect(inputs.map(({ isOverheard }) => isOverheard)).toEqual([true, false]);
    });

    it("puts other words into a message until a turn has begun with it", async () => {
      const words = { text: "better words", attachments: [] };
      const [id = ""] = await receive(stage.tenant, "1");
      expect(await stage.tenant.inbox.amend(id, words)).toBe(true);
      expect(await stage.tenant.inbox.get(id)).toMatchObject({ state: "new", message: { message: words } });

      const queued = await stage.tenant.turns.enqueue(turnFor([id]));
      if (queued.type !== "queued") throw new Error("not queued");
      expect(await stage.tenant.inbox.amend(id, { ...words, text: "best words" })).toBe(true);
      await claim(stage.tenant, queued.turn.turnId, await takeFence(stage.tenant));
      expect(await stage.tenant.inbox.amend(id, words)).toBe(false);
      expect(await stage.tenant.inbox.amend(id, "deleted")).toBe(false);
      expect(await stage.tenant.inbox.get(id)).toMatchObject({
        message: { message: { text: "best words" } },
      });
      expect(await stage.tenant.inbox.amend("m_none", words)).toBe(false);
    });

    it("SEC-02 takes changed words for pasted if some of them were, since nobody says which", async () => {
      const { inbox } = stage.tenant;
      const said = async (name: string, pasted?: Array<{ start: number; end: number }>) => {
        const message = inbound(name);
        if (message.message.type === "text" && pasted) message.message.pasted = pasted;
        const { row } = await inbox.accept(message);
        await inbox.amend(row.id, { text: "other words", attachments: [] });
        const stored = (await inbox.get(row.id))?.message.message;
        return stored?.type === "text" ? stored.pasted : undefined;
      };
      expect(await said("some", [{ start: 0, end: 1 }])).toEqual([{ start: 0, end: 11 }]);
      expect(await said("none", [])).toEqual([]);
      expect(await said("unknown")).toBeUndefined();
    });

    it("keeps no word of a message that was taken back, and drops the turn that was only for it", async () => {
      const alone = await queue(stage.tenant, "1");
      const [first = ""] = (await stage.tenant.turns.inputs(alone.turnId)).map((row) => row.id);
      expect(await stage.tenant.inbox.amend(first, "deleted")).toBe(true);
      expect(await stage.tenant.inbox.get(first)).toMatchObject({
        state: "done",
        reason: "deleted",
        turnId: null,
        message: { message: { text: "" } },
      });
      expect(await stage.tenant.turns.get(alone.turnId)).toMatchObject({
        state: "done",
        ending: { type: "dropped" },
      });

      const [second = "", third = ""] = await receive(stage.tenant, "2", "3");
      const both = await stage.tenant.turns.enqueue(turnFor([second, third]));
      if (both.type !== "queued") throw new Error("not queued");
      await stage.tenant.inbox.amend(second, "deleted");
      expect(await stage.tenant.turns.get(both.turn.turnId)).toMatchObject({ state: "queued" });
      expect(messageIds(await stage.tenant.turns.inputs(both.turn.turnId))).toEqual(["3"]);
    });

    it("CHAN-24 gives what a group said back as context when the message that it came with is taken back", async () => {
      const { inbox, turns } = stage.tenant;
      const withContext = async (heardId: string, saidId: string) => {
        const [heard = "", said = ""] = await receive(stage.tenant, heardId, saidId);
        await inbox.settle(heard, { state: "context", reason: null });
        const outcome = await turns.enqueue(turnFor([heard, said]));
        if (outcome.type === "full" || outcome.type === "settled") throw new Error("not queued");
        return { said, turnId: outcome.turn.turnId };
      };
      const waiting = await withContext("1", "2");
      await inbox.amend(waiting.said, "deleted");
      expect(await turns.get(waiting.turnId)).toMatchObject({ state: "done", ending: { type: "dropped" } });
      expect(messageIds(await inbox.context(conversation(), 9))).toEqual(["1"]);

      const running = await queue(stage.tenant, "3");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      const steered = await withContext("4", "5");
      expect(steered.turnId).toBe(running.turnId);
      await inbox.amend(steered.said, "deleted");
      expect(await turns.get(running.turnId)).toMatchObject({ state: "running" });
      expect(messageIds(await inbox.context(conversation(), 9))).toEqual(["1", "4"]);
    });

    it("keeps what was given up before it had a turn until somebody decides", async () => {
      const { inbox } = stage.tenant;
      const [one = "", two = "", open = ""] = await receive(stage.tenant, "1", "2", "3");
      for (const id of [one, two]) await inbox.settle(id, { state: "dead", reason: "crashed" });
      const ofTurn = await queue(stage.tenant, "4");
      await stage.tenant.turns.bury(ofTurn.turnId, { replies: [], notice: noticeDraft("x") });

      const dead = await inbox.listDead({ limit: 9 });
      expect(messageIds(dead)).toEqual(["2", "1"]);
      expect(messageIds(await inbox.listDead({ limit: 1 }))).toEqual(["2"]);
      expect(messageIds(await inbox.listDead({ limit: 9, before: dead[0]?.position ?? 0 }))).toEqual(["1"]);
      expect(await stage.stores.tenant("rival").inbox.listDead({ limit: 9 })).toEqual([]);
      expect(await inbox.prune("2030-01-01T00:00:00.000Z", 9)).toBe(0);

      const [input = ""] = (await stage.tenant.turns.inputs(ofTurn.turnId)).map(({ id }) => id);
      for (const id of [open, input, "m_none"]) {
        expect(await inbox.revive(id)).toBeUndefined();
        expect(await inbox.dropDead(id)).toBe(false);
      }
    });

    it("takes a dead one up again with its attempts forgotten", async () => {
      const { inbox } = stage.tenant;
      const [id = ""] = await receive(stage.tenant, "1");
      await inbox.countAttempt(id);
      await inbox.settle(id, { state: "dead", reason: "crashed" });
      const revived = await inbox.revive(id);
      expect(revived).toMatchObject({ id, state: "new", reason: null, attempts: 0 });
      expect(await inbox.listNew(9)).toEqual([revived]);
      expect(await inbox.listDead({ limit: 9 })).toEqual([]);
      expect(await inbox.revive(id)).toBeUndefined();
    });

    it("gives a dead one up for good, once", async () => {
      const { inbox } = stage.tenant;
      const [id = ""] = await receive(stage.tenant, "1");
      await inbox.settle(id, { state: "dead", reason: "failed" });
      expect(await inbox.dropDead(id)).toBe(true);
      expect(await inbox.get(id)).toMatchObject({ state: "done", reason: "dropped" });
      expect(await inbox.dropDead(id)).toBe(false);
      expect(await inbox.revive(id)).toBeUndefined();
      expect(await inbox.prune("2030-01-01T00:00:00.000Z", 9)).toBe(1);
    });

    it("prunes what is finished and old, oldest first, and nothing else", async () => {
      const [done = "", refused = "", open = ""] = await receive(stage.tenant, "1", "2", "3");
      await stage.tenant.inbox.settle(done, { state: "done", reason: null });
      await stage.tenant.inbox.settle(refused, { state: "refused", reason: null });
      await stage.clock.advance(1000);
      const [late = ""] = await receive(stage.tenant, "4");
      await stage.tenant.inbox.settle(late, { state: "done", reason: null });

      const before = "2026-01-01T12:00:01.000Z";
      expect(await stage.tenant.inbox.prune(before, 1)).toBe(1);
      expect(await stage.tenant.inbox.get(done)).toBeUndefined();
      expect(await stage.tenant.inbox.prune(before, 9)).toBe(1);
      expect(await stage.tenant.inbox.prune(before, 9)).toBe(0);
      expect(await stage.tenant.inbox.get(open)).toBeDefined();
      expect(await stage.tenant.inbox.get(late)).toBeDefined();
    });
  });
}
