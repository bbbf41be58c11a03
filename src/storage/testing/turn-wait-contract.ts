/** What every storage promises about turns that wait for the owner. */
import { wellFormedMessages, type EntryBody, type Message, type MessageEntry } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { EnqueueTurn } from "../turns/turns.ts";
import { no, parkFor, question, waitingTurn, yes } from "./approval-samples.ts";
import {
  claim,
  conversation,
  draft,
  ending,
  entriesFor,
  inbound,
  lostLease,
  noticeDraft,
  place,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import { request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

/** An answer that calls a tool. */
const call = (id: string, ...more: string[]): EntryBody => ({
  type: "message",
  message: {
    role: "assistant",
    content: [id, ...more].map((each) => ({ type: "toolCall", id: each, name: "message", arguments: {} })),
    provider: "stub",
    model: "stub",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
    stopReason: "toolUse",
  },
});

const result = (toolCallId: string, text: string): EntryBody => ({
  type: "message",
  message: {
    role: "toolResult",
    toolCallId,
    toolName: "message",
    content: [{ type: "text", text }],
    isError: false,
  },
});

export function describeWaitingTurns(stage: Stage): void {
  const stop = { type: "aborted", by: "stop" } as const;
  const session = { workspaceId: "w1", sessionKey: "main" };
  const enqueue = async (messageId: string, more: Partial<EnqueueTurn> = {}) =>
    stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, messageId), more));
  /** A turn that has called these and waits for the last of them. */
  const waitingCall = async (messageId: string, id: string, ...more: string[]) => {
    const { tenant } = stage;
    const { turnId } = await queue(tenant, messageId);
    const fence = await takeFence(tenant);
    const { session: opened } = await claim(tenant, turnId, fence);
    const record = (bodies: EntryBody[]) =>
      tenant.turns.record({ turnId, fence, bodies, steps: [], sync: "now" });
    await record([call(id, ...more)]);
    return { turnId, fence, sessionId: opened.sessionId, record };
  };
  const shown = async (sessionId: string): Promise<Message[]> => {
    const { said } = await stage.tenant.entries.view(sessionId, { before: 99, limit: 99 });
    return said.map(({ message }: MessageEntry) => message);
  };

  describe("a turn that waits", () => {
    it("answers with a message of its own, whatever was shown before it was put aside", async () => {
      const { turns, outbox, approvals } = stage.tenant;
      const { turnId, fence } = await waitingCall("1", "c1");
      const preview = await outbox.preview({ ...draft("I will", { turnId }), turnId });
      const { id } = await parkFor(stage.tenant, turnId, fence);
      expect(await outbox.get(preview.id)).toMatchObject({ isOpen: false, text: "I will" });
      await approvals.answer(id, yes);
      await claim(stage.tenant, turnId, fence);
      const ended = await turns.end(ending(turnId, fence, { replies: [draft("done", { turnId })] }));
      expect(ended.outbox.map((row) => [row.text, row.id === preview.id])).toEqual([["done", false]]);
    });

    it("X28 goes back to its queue with the answer to its last question, and is no crash", async () => {
      const { turns, approvals } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const begin = {
        turnId,
        fence,
        deadlineAt: "2026-01-01T12:10:00.000Z",
        isStale: () => false,
        entriesFor,
      };
      await turns.claim(begin);
      const { id } = await approvals.ask(question(turnId, { callId: "call_2" }));
      const last = await parkFor(stage.tenant, turnId, fence);
      expect(await turns.get(turnId)).toMatchObject({ state: "waiting", claims: 0, deadlineAt: null });
      expect(await turns.claim(begin)).toMatchObject({ type: "over" });
      expect(await approvals.answer(id, yes)).toMatchObject({ type: "answered", turn: undefined });
      expect(await turns.get(turnId)).toMatchObject({ state: "waiting" });
      expect(await turns.pending({ limit: 9 })).toEqual([]);

      const { turn } = { turn: undefined, ...(await approvals.answer(last.id, no)) };
      expect(turn).toMatchObject({ turnId, state: "queued", claims: 0, deadlineAt: null });
      expect(await turns.pending({ limit: 9 })).toEqual([turn]);
      const again = await turns.claim({ ...begin, deadlineAt: "2026-01-02T12:10:00.000Z" });
      expect(again).toMatchObject({
        type: "claimed",
        turn: { claims: 1, deadlineAt: "2026-01-02T12:10:00.000Z" },
      });
      const steps = (await turns.journal(turnId)).map(({ type }) => type);
      expect(steps).toEqual(["claimed", "parked", "claimed"]);
    });

    it("X28 does not wait for what was answered while it was on its way to be parked", async () => {
      const { turns, approvals } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1", { direct: true, destination: null });
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const { id } = await approvals.ask(question(turnId));
      expect(await approvals.answer(id, yes)).toMatchObject({ type: "answered", turn: undefined });
      const park = { turnId, fence, state: "waiting", reason: "approval" } as const;
      expect(await turns.park(park)).toEqual({ state: "queued", followUp: undefined });
      expect(await turns.get(turnId)).toMatchObject({ state: "queued", direct: true, claims: 0 });
    });

    it("X28 is kept when the command that asked has gone, and is the gateway's when it is answered", async () => {
      const { turns, approvals } = stage.tenant;
      const direct = { direct: true, destination: null };
      const { turnId, approval } = await waitingTurn(stage.tenant, "1", direct);
      expect(await turns.settleAbandoned(() => false)).toBe(0);
      await approvals.answer(approval.id, yes);
      expect(await turns.settleAbandoned(() => false)).toBe(0);
      expect(await turns.pending({ limit: 9 })).toMatchObject([{ turnId, direct: false }]);
    });

    it("can neither be written to, nor buried, nor cleared away", async () => {
      const { turns } = stage.tenant;
      const { turnId, fence } = await waitingTurn(stage.tenant, "1");
      const record = turns.record({ turnId, fence, bodies: [say("x")], steps: [], sync: "now" });
      await expect(record).rejects.toMatchObject(lostLease);
      await expect(turns.end(ending(turnId, fence))).rejects.toMatchObject(lostLease);
      await expect(turns.takeInputs({ turnId, fence, entriesFor })).rejects.toMatchObject(lostLease);
      expect(await turns.bury(turnId, { replies: [draft("x")], notice: noticeDraft("x") })).toEqual([]);
      expect(await turns.revive(turnId)).toBeUndefined();
      expect(await turns.drop(turnId)).toBe(false);
      expect(await turns.prune("2030-01-01T00:00:00.000Z", 9)).toBe(0);
      expect(await turns.running("w1", "main")).toBeUndefined();
      expect(await turns.get(turnId)).toMatchObject({ state: "waiting" });
    });

    it.each(["steer", "collect", "followup", "interrupt"] as const)(
      "SESS-20 lets a message that comes meanwhile (%s) begin a turn of its own, and takes no room from it",
      async (mode) => {
        const { turnId } = await waitingTurn(stage.tenant, "1");
        const outcome = await enqueue("2", { mode, cap: 1 });
        expect(outcome).toMatchObject({ type: "queued", ahead: 0 });
        expect(outcome).not.toHaveProperty("interrupts");
        expect(await stage.tenant.turns.inputs(turnId)).toHaveLength(1);
        expect(await stage.tenant.turns.pending({ limit: 9 })).toHaveLength(1);
      },
    );

    it("SESS-20 gives on what it has not taken up, so that nobody waits for the owner with it", async () => {
      const { turns, approvals } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      expect((await enqueue("2")).type).toBe("joined");
      const behind = await queue(stage.tenant, "3", { options: { alone: true } });
      await approvals.ask(question(turnId));
      const park = { turnId, fence, state: "waiting", reason: "approval" } as const;
      const { followUp } = await turns.park(park);
      expect(followUp).toMatchObject({ state: "queued", destination: place() });
      expect((await turns.inputs(followUp?.turnId ?? "")).map(({ message }) => message.message.id)).toEqual([
        "2",
      ]);
      expect((await turns.pending({ limit: 9 })).map(({ turnId: id }) => id)).toEqual([
        followUp?.turnId,
        behind.turnId,
      ]);
      expect(await turns.inputs(turnId)).toMatchObject([{ state: "queued" }]);
    });

    it("LOOP-05 is not continued by asking for it: it goes on with the answer", async () => {
      const { turnId, approval } = await waitingTurn(stage.tenant, "1");
      const [input = ""] = await receive(stage.tenant, "go on");
      const person = { role: "peer", id: "telegram:42" } as const;
      const resume = () => stage.tenant.turns.resume({ input, session, destination: place(), person });
      expect(await resume()).toEqual({ type: "refused", reason: "waiting" });
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({ state: "waiting" });
      await stage.tenant.approvals.answer(approval.id, yes);
      expect(await resume()).toEqual({ type: "refused", reason: "running" });
    });
  });

  describe("stopping a turn that waits", () => {
    it("SAFE-02 ends it with the session's other work, withdraws its requests and tells the person who asked", async () => {
      const { turns, approvals } = stage.tenant;
      const waits = await waitingTurn(stage.tenant, "1");
      const queued = await queue(stage.tenant, "2");
      const elsewhere = await waitingTurn(stage.tenant, "3", { session: request("other") });
      const seen: string[] = [];
      const cancelled = await turns.cancelQueued({
        ...session,
        ending: stop,
        replies: (messages) => {
          seen.push(...messages.map(({ turn, row }) => `${row.message.message.id} ${turn.state}`));
          return [draft("stopped")];
        },
      });
      expect(cancelled.turnIds).toEqual([waits.turnId, queued.turnId]);
      expect(cancelled.outbox).toMatchObject([{ text: "stopped" }]);
      expect(seen).toEqual(["1 waiting", "2 queued"]);
      expect(await turns.get(waits.turnId)).toMatchObject({ state: "done", ending: stop });
      expect(await turns.inputs(waits.turnId)).toMatchObject([{ state: "done", reason: "cancelled" }]);
      expect(await approvals.get(waits.approval.id)).toMatchObject({ state: "withdrawn" });
      expect(await approvals.answer(waits.approval.id, yes)).toMatchObject({ type: "settled" });
      expect(await turns.get(elsewhere.turnId)).toMatchObject({ state: "waiting" });
      expect(await approvals.get(elsewhere.approval.id)).toMatchObject({ state: "pending" });
    });

    it("leaves those of other conversations alone where one is meant", async () => {
      const { turns } = stage.tenant;
      const mine = await waitingTurn(stage.tenant, "1");
      const theirs = await waitingTurn(stage.tenant, "2", { destination: place("7") });
      const only = { ...session, ending: stop, conversation: conversation() };
      expect((await turns.cancelQueued(only)).turnIds).toEqual([mine.turnId]);
      expect(await turns.get(theirs.turnId)).toMatchObject({ state: "waiting" });
    });

    it("ends it alone, with its line", async () => {
      const { turns, approvals } = stage.tenant;
      const { turnId, approval } = await waitingTurn(stage.tenant, "1");
      const cancel = { ending: stop, replies: [draft("stopped", { turnId })] };
      expect(await turns.cancel(turnId, cancel)).toMatchObject([{ text: "stopped" }]);
      expect(await turns.get(turnId)).toMatchObject({ state: "done", ending: stop });
      expect(await turns.inputs(turnId)).toMatchObject([{ state: "done", reason: "cancelled" }]);
      expect(await approvals.get(approval.id)).toMatchObject({ state: "withdrawn" });
      expect(await turns.cancel(turnId, cancel)).toBeUndefined();
    });

    it.each(["one", "session"] as const)(
      "LOOP-04 says in the transcript that its calls did not run (%s)",
      async (which) => {
        const { turns } = stage.tenant;
        const { turnId, fence, sessionId, record } = await waitingCall("1", "a", "b");
        await record([result("a", "done")]);
        await parkFor(stage.tenant, turnId, fence, { callId: "b" });
        if (which === "one") await turns.cancel(turnId, { ending: stop, replies: [] });
        else await turns.cancelQueued({ ...session, ending: stop });
        const messages = await shown(sessionId);
        expect(wellFormedMessages(messages).repairs).toEqual([]);
        expect(messages.at(-1)).toMatchObject({
          toolCallId: "b",
          isError: true,
          content: [{ text: expect.stringMatching(/^not run:/) }],
        });
        expect(await turns.entries(turnId)).toHaveLength(4);
      },
    );
  });

  describe("what others see of a turn that waits", () => {
    it("LOOP-04 is a history that every model takes, before and after it goes on", async () => {
      const { tenant } = stage;
      const { turnId, fence, sessionId, record } = await waitingCall("1", "call_1");
      const { id } = await parkFor(tenant, turnId, fence);

      // A turn in between, whose model uses the same id again.
      const between = await waitingCall("2", "call_1");
      expect(between.sessionId).toBe(sessionId);
      const repaired = wellFormedMessages((await shown(sessionId)).slice(0, 3));
      expect(repaired.repairs.map(({ type }) => type)).toEqual(["result-missing"]);
      expect(repaired.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "user"]);
      await between.record([result("call_1", "of the second")]);
      await tenant.turns.end(ending(between.turnId, between.fence));

      await tenant.approvals.answer(id, yes);
      const goesOn = await takeFence(tenant);
      const again = await claim(tenant, turnId, goesOn);
      expect(texts(again.entries)).toEqual(["words of 1", "message"]);
      await expect(record([])).rejects.toMatchObject(lostLease);
      const bodies = [result("call_1", "of the first")];
      await tenant.turns.record({ turnId, fence: goesOn, bodies, steps: [], sync: "now" });
      await tenant.turns.end(ending(turnId, goesOn));
      const { messages } = wellFormedMessages(await shown(sessionId));
      expect(messages.map(wordsOf)).toEqual([
        "words of 1",
        "toolCall",
        "of the first",
        "words of 2",
        "toolCall",
        "of the second",
        "answer",
        "answer",
      ]);
      expect(wellFormedMessages(messages).repairs).toEqual([]);
    });

    it("STORE-08 is gone with its session, but for the bare id of what came in", async () => {
      const { tenant } = stage;
      const waits = await waitingTurn(tenant, "1");
      const running = await queue(tenant, "2");
      await claim(tenant, running.turnId, waits.fence);
      const asked = await tenant.approvals.ask(question(running.turnId));
      const other = await waitingTurn(tenant, "3", { session: request("other") });
      await tenant.sessions.delete(waits.session.sessionId, "owner");
      expect(await tenant.turns.get(waits.turnId)).toBeUndefined();
      expect(await tenant.turns.get(running.turnId)).toMatchObject({ state: "running" });
      for (const { id } of [waits.approval, asked]) expect(await tenant.approvals.get(id)).toBeUndefined();
      expect(await tenant.approvals.get(other.approval.id)).toEqual(other.approval);
      expect(await tenant.inbox.accept(inbound("1"))).toMatchObject({
        type: "duplicate",
        row: { state: "done", reason: "forgotten", turnId: null },
      });
    });
  });
}

const wordsOf = ({ content }: Message): string => {
  const [block] = content;
  return block?.type === "text" ? block.text : (block?.type ?? "");
};
