/** What every storage promises about turns that end before they have begun, and about those that ended long ago. */
import { describe, expect, it } from "vitest";
import type { AskedMessage } from "../inbox/inbox.ts";
import type { CancelledMessage, EnqueueTurn } from "../turns/turns.ts";
import {
  claim,
  conversation,
  draft,
  ending,
  inbound,
  noticeDraft,
  place,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeCancelledTurns(stage: Stage): void {
  const stop = { type: "aborted", by: "stop" } as const;
  const session = { workspaceId: "w1", sessionKey: "main" };
  const enqueue = async (messageId: string, more: Partial<EnqueueTurn> = {}) =>
    stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, messageId), more));

  describe("cancelling", () => {
    it("says in the same transaction what is to be said about each message that is not answered", async () => {
      const running = await queue(stage.tenant, "1");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      await enqueue("2");
      await queue(stage.tenant, "3", { destination: place("7") });
      const seen: string[] = [];
      const tell = ({ turn, row }: CancelledMessage) => {
        seen.push(`${row.message.message.id} ${turn.state}`);
        return turn.destination ? draft("stopped", { destination: turn.destination }) : undefined;
      };
      const { outbox } = await stage.tenant.turns.cancelQueued({
        ...session,
        ending: stop,
        replies: (messages) => messages.map(tell).filter((one) => one !== undefined),
      });
      expect(seen).toEqual(["2 running", "3 queued"]);
      expect(outbox.map((row) => row.conversation)).toEqual([conversation(), conversation("7")]);
      expect((await stage.tenant.outbox.list({ limit: 9 })).reverse()).toEqual(outbox);
    });

    it("leaves other conversations alone where only one is meant", async () => {
      const running = await queue(stage.tenant, "1", { destination: place("7") });
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      const steered = await enqueue("2", { destination: place("7") });
      const mine = await queue(stage.tenant, "3");
      const theirs = await queue(stage.tenant, "4", { destination: place("8") });
      const only = { ...session, ending: stop, conversation: conversation() };
      expect((await stage.tenant.turns.cancelQueued(only)).turnIds).toEqual([mine.turnId]);
      expect(steered.type).toBe("joined");
      expect((await stage.tenant.turns.inputs(running.turnId)).map(({ state }) => state)).toEqual([
        "queued",
        "queued",
      ]);
      expect(await stage.tenant.turns.get(theirs.turnId)).toEqual(theirs);
    });

    it("ends one turn that has never begun, with its line, and no other", async () => {
      const { turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const request = { ending: stop, replies: [draft("stopped", { turnId })] };
      expect(await turns.cancel(turnId, request)).toMatchObject([{ text: "stopped", turnId }]);
      expect(await turns.get(turnId)).toMatchObject({ state: "done", ending: stop });
      expect(await turns.inputs(turnId)).toMatchObject([{ state: "done", reason: "cancelled" }]);
      expect(await turns.cancel(turnId, request)).toBeUndefined();

      const begun = await queue(stage.tenant, "2");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, begun.turnId, fence);
      expect(await turns.cancel(begun.turnId, request)).toBeUndefined();
      await turns.park({ turnId: begun.turnId, fence, state: "queued", reason: "shutdown" });
      expect(await turns.cancel(begun.turnId, request)).toBeUndefined();
      expect(await turns.get(begun.turnId)).toMatchObject({ state: "queued" });
      expect(await turns.cancel("r_none", request)).toBeUndefined();
    });
  });

  describe("a question of a caller who waits", () => {
    const asked: AskedMessage = {
      person: { role: "owner", id: "cli:owner" },
      session: turnFor([]).session,
      rule: "default",
      typed: true,
      queue: "own",
      options: { model: "p/m", given: { earlier: [], now: [] } },
      direct: false,
    };
    const accept = (id: string) => stage.tenant.inbox.accept(inbound(id), asked);

    it("PROTO-11 is stored with all that it wishes, until its turn holds that", async () => {
      const { row } = await accept("1");
      expect(row).toMatchObject({ state: "new", asked, answer: null });
      expect(await stage.tenant.inbox.listNew(9)).toEqual([row]);
      const queued = await stage.tenant.turns.enqueue({ ...turnFor([row.id]), options: asked.options });
      const turnId = queued.type === "queued" ? queued.turn.turnId : "";
      expect(await stage.tenant.inbox.get(row.id)).toMatchObject({ state: "queued", asked: null, turnId });
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({ options: asked.options });
    });

    it("PROTO-11 is one row of twenty simultaneous requests", async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => accept("1")));
      expect(outcomes.filter(({ type }) => type === "stored")).toHaveLength(1);
      expect(new Set(outcomes.map(({ row }) => row.id)).size).toBe(1);
    });

    it("keeps what a command answered, for a caller who asks again", async () => {
      const { row } = await accept("1");
      await stage.tenant.inbox.settle(row.id, { state: "command", reason: "help", answer: "words" });
      expect((await accept("1")).row).toMatchObject({
        state: "command",
        reason: "help",
        answer: "words",
        asked,
      });
    });

    it("leaves no trace when it is taken back, so that it may come again; a turn's message stays", async () => {
      const { row } = await accept("1");
      await stage.tenant.inbox.withdraw(row.id);
      expect(await stage.tenant.inbox.find("telegram", "bot", "1")).toBeUndefined();
      const again = await accept("1");
      expect(again.type).toBe("stored");
      await stage.tenant.turns.enqueue(turnFor([again.row.id]));
      await stage.tenant.inbox.withdraw(again.row.id);
      expect(await stage.tenant.inbox.get(again.row.id)).toMatchObject({ state: "queued" });
    });

    it("is forgotten with its session, and so is what a command answered", async () => {
      const { session } = await stage.tenant.sessions.open(asked.session);
      const said = await accept("1");
      await stage.tenant.inbox.settle(said.row.id, {
        state: "command",
        reason: "tape",
        answer: "secret words",
      });
      const elsewhere = { ...asked, session: { ...asked.session, sessionKey: "other" } };
      const kept = await stage.tenant.inbox.accept(inbound("2"), elsewhere);
      await stage.tenant.inbox.settle(kept.row.id, {
        state: "command",
        reason: "tape",
        answer: "other words",
      });
      await stage.tenant.sessions.delete(session.sessionId, "owner");
      expect(JSON.stringify(await stage.tenant.inbox.get(said.row.id))).not.toContain("words");
      expect(await stage.tenant.inbox.get(kept.row.id)).toMatchObject({ answer: "other words" });
    });

    it("is ended where the process is gone that wanted to run it itself", async () => {
      const own = await stage.tenant.inbox.accept(inbound("1"), { ...asked, direct: true });
      const gateways = await accept("2");
      await stage.clock.advance(1000);
      const now = new Date(stage.clock.now()).toISOString();
      const young = await stage.tenant.inbox.accept(inbound("3"), { ...asked, direct: true });
      expect(await stage.tenant.inbox.settleAbandoned(now)).toBe(1);
      const states = [own, gateways, young].map(
        async ({ row }) => (await stage.tenant.inbox.get(row.id))?.state,
      );
      expect(await Promise.all(states)).toEqual(["done", "new", "new"]);
    });
  });

  describe("pruning turns", () => {
    it("deletes what ended before, with all that belongs to it, oldest first", async () => {
      const fence = await takeFence(stage.tenant);
      const end = async (messageId: string) => {
        const { turnId } = await queue(stage.tenant, messageId);
        await claim(stage.tenant, turnId, fence);
        const replies = [draft("sent", { turnId }), draft("not yet", { turnId })];
        const { outbox } = await stage.tenant.turns.end(ending(turnId, fence, { replies }));
        await stage.tenant.outbox.beginSend(outbox[0]?.id ?? "");
        const sent = { messageId: "p", version: 1, shownLength: 1 };
        await stage.tenant.outbox.markSent(outbox[0]?.id ?? "", sent);
        return turnId;
      };
      const [first, second] = [await end("1"), await end("2")];
      const dead = await queue(stage.tenant, "3");
      await stage.tenant.turns.bury(dead.turnId, { replies: [], notice: noticeDraft("x") });
      await stage.clock.advance(1000);
      const late = await end("4");
      const open = await queue(stage.tenant, "5");

      const { turns, inbox, outbox } = stage.tenant;
      const before = "2026-01-01T12:00:01.000Z";
      expect(await turns.prune(before, 1)).toBe(1);
      expect(await turns.get(first)).toBeUndefined();
      expect(await turns.get(second)).toBeDefined();
      expect(await turns.prune(before, 9)).toBe(1);
      expect(await turns.prune(before, 9)).toBe(0);
      expect(await turns.journal(first)).toEqual([]);
      expect(await inbox.find("telegram", "bot", "1")).toBeUndefined();
      expect((await outbox.list({ limit: 9, turnId: first })).map(({ text }) => text)).toEqual(["not yet"]);
      const left = (await turns.list({ limit: 9 })).map(({ turnId }) => turnId);
      expect(left).toEqual([open.turnId, late, dead.turnId]);
    });
  });
}
