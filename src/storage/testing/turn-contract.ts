/** What every storage promises about turns: how they are queued, and what waits for them. */
import { describe, expect, it } from "vitest";
import { parkFor } from "./approval-samples.ts";
import {
  claim,
  entriesFor,
  inbound,
  lostLease,
  place,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import { request, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeTurns(stage: Stage): void {
  describe("queueing", () => {
    const enqueue = async (messageId: string, more: Parameters<typeof turnFor>[1] = {}) =>
      stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, messageId), more));

    it("fixes everything about a turn when it is queued", async () => {
      const inputs = await receive(stage.tenant, "1", "2");
      const wishes = { options: { model: "stub" }, replyTo: "2", mode: "followup" as const };
      const outcome = await stage.tenant.turns.enqueue(turnFor(inputs, wishes));
      if (outcome.type !== "queued") throw new Error("not queued");
      expect(outcome).toEqual({ type: "queued", ahead: 0, turn: outcome.turn });
      expect(outcome.turn).toEqual({
        turnId: expect.stringMatching(/^r_/),
        position: 1,
        state: "queued",
        workspaceId: "w1",
        agentId: "main",
        sessionKey: "main",
        sessionId: null,
        firstSeq: null,
        origin: { channel: "cli" },
        cwd: "/home/someone",
        destination: place(),
        replyTo: "2",
        person: { role: "peer", id: "telegram:42" },
        rule: "default",
        options: { model: "stub" },
        direct: false,
        claims: 0,
        deadlineAt: null,
        queuedAt: "2026-01-01T12:00:00.000Z",
        startedAt: null,
        endedAt: null,
        ending: null,
      });
      expect(await stage.tenant.turns.get(outcome.turn.turnId)).toEqual(outcome.turn);
      expect(await stage.tenant.turns.inputs(outcome.turn.turnId)).toMatchObject(
        inputs.map((id) => ({ id, state: "queued", turnId: outcome.turn.turnId })),
      );
      expect(await stage.tenant.inbox.listNew(9)).toEqual([]);
    });

    it("PROTO-11 answers settled for messages that were dealt with before", async () => {
      const inputs = await receive(stage.tenant, "1");
      const first = await stage.tenant.turns.enqueue(turnFor(inputs));
      const turnId = first.type === "queued" ? first.turn.turnId : "";
      expect(await stage.tenant.turns.enqueue(turnFor(inputs))).toEqual({ type: "settled", turnId });
      const [other = ""] = await receive(stage.tenant, "2");
      expect(await stage.tenant.turns.enqueue(turnFor([other, ...inputs]))).toEqual({
        type: "settled",
        turnId,
      });
      expect(await stage.tenant.inbox.get(other)).toMatchObject({ state: "new" });
      expect(await stage.tenant.turns.enqueue(turnFor(["m_none"]))).toEqual({
        type: "settled",
        turnId: null,
      });
    });

    it("steers into the running turn, which takes it up at its next step", async () => {
      const turn = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turn.turnId, fence);
      expect(await enqueue("2")).toMatchObject({ type: "joined", turn: { turnId: turn.turnId } });
      const taken = await stage.tenant.turns.takeInputs({ turnId: turn.turnId, fence, entriesFor });
      expect(texts(taken)).toEqual(["words of 2"]);
      expect(await stage.tenant.turns.takeInputs({ turnId: turn.turnId, fence, entriesFor })).toEqual([]);
      expect(texts(await stage.tenant.turns.entries(turn.turnId))).toEqual(["words of 1", "words of 2"]);
      expect((await stage.tenant.turns.journal(turn.turnId)).map(({ type }) => type)).toEqual([
        "claimed",
        "steered",
      ]);
      await takeFence(stage.tenant);
      await expect(
        stage.tenant.turns.takeInputs({ turnId: turn.turnId, fence, entriesFor }),
      ).rejects.toMatchObject(lostLease);
    });

    it("joins a turn that has not begun, by steer and by collect, but not by followup", async () => {
      const turn = await queue(stage.tenant, "1");
      const joined = { type: "joined", turn: { turnId: turn.turnId } };
      expect(await enqueue("2")).toMatchObject(joined);
      expect(await enqueue("3", { mode: "collect" })).toMatchObject(joined);
      expect(await enqueue("4", { mode: "followup" })).toMatchObject({ type: "queued", ahead: 1 });
      const { entries } = await claim(stage.tenant, turn.turnId, await takeFence(stage.tenant));
      expect(texts(entries)).toEqual(["words of 1", "words of 2", "words of 3"]);
      // The running one is not collected into.
      expect(await enqueue("5", { mode: "collect" })).toMatchObject({
        type: "joined",
        turn: { state: "queued" },
      });
    });

    it("lets nothing overtake: what comes after a queued turn never joins the running one before it", async () => {
      const running = await queue(stage.tenant, "1");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      const queued = await queue(stage.tenant, "2");
      expect(await enqueue("3")).toMatchObject({ type: "joined", turn: { turnId: queued.turnId } });
    });

    it("joins only a turn of the same destination, for somebody of the same role", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      const owner = { role: "owner", id: "telegram:1" } as const;
      expect((await enqueue("2", { destination: place("7") })).type).toBe("queued");
      expect((await enqueue("3", { destination: place("42", "slack") })).type).toBe("queued");
      expect((await enqueue("4", { destination: null })).type).toBe("queued");
      expect((await enqueue("5", { destination: null })).type).toBe("queued");
      expect((await enqueue("6", { direct: true, mode: "steer" })).type).toBe("queued");
      expect((await enqueue("7", { person: owner })).type).toBe("queued");
      expect((await enqueue("8", { session: request("other") })).type).toBe("queued");
    });

    it("joins without a destination only where that is wished, and only a turn of the same person", async () => {
      const nowhere = { destination: null, person: { role: "owner", id: "chat:owner" } } as const;
      const { turnId } = await queue(stage.tenant, "1", nowhere);
      const joined = { type: "joined", turn: { turnId } };
      const wish = { ...nowhere, joins: "person" } as const;
      expect(await enqueue("2", wish)).toMatchObject(joined);
      await claim(stage.tenant, turnId, await takeFence(stage.tenant));
      expect(await enqueue("3", wish)).toMatchObject(joined);
      expect((await enqueue("4", { ...wish, person: { role: "peer", id: "chat:owner" } })).type).toBe(
        "queued",
      );
    });

    it.each([
      ["somebody else's", { person: { role: "owner", id: "cli:owner" } }],
      ["one that a command runs by itself", { direct: true }],
      ["one that is to be alone", { options: { alone: true } }],
      ["one with a destination", { destination: place() }],
    ] as const)("does not join %s without a destination", async (_name, other) => {
      const nowhere = { destination: null, person: { role: "owner", id: "chat:owner" } } as const;
      await queue(stage.tenant, "1", { ...nowhere, ...other });
      expect((await enqueue("2", { ...nowhere, joins: "person" })).type).toBe("queued");
      expect((await enqueue("3", nowhere)).type).toBe("queued");
    });

    it("joins no turn that has begun and was parked: it goes on with what it has", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.park({ turnId, fence, state: "queued", reason: "shutdown" });
      expect(await enqueue("2")).toMatchObject({ type: "queued", ahead: 1 });
    });

    it("names the running turn that must be stopped for an interrupt", async () => {
      const running = await queue(stage.tenant, "1");
      const idle = await enqueue("2", { mode: "interrupt", session: request("other") });
      expect(idle).not.toHaveProperty("interrupts");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      expect(await enqueue("3", { mode: "interrupt" })).toMatchObject({
        type: "queued",
        ahead: 1,
        interrupts: running.turnId,
      });
    });

    it("takes no more than may wait, and leaves the message new", async () => {
      const running = await queue(stage.tenant, "1");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      expect((await enqueue("2", { cap: 2 })).type).toBe("joined");
      expect((await enqueue("3", { cap: 2, mode: "followup" })).type).toBe("queued");
      expect(await enqueue("4", { cap: 2 })).toEqual({ type: "full", waiting: 2 });
      expect(await stage.tenant.inbox.find("telegram", "bot", "4")).toMatchObject({ state: "new" });
      expect((await enqueue("5", { cap: 2, session: request("other") })).type).toBe("queued");
      expect((await enqueue("6", { cap: 3, mode: "collect" })).type).toBe("joined");
      expect(await enqueue("7", { cap: 3, mode: "collect" })).toEqual({ type: "full", waiting: 3 });
    });

    it("ends what is queued when somebody says stop, and what waits for the running turn", async () => {
      const running = await queue(stage.tenant, "1");
      await claim(stage.tenant, running.turnId, await takeFence(stage.tenant));
      const steered = await enqueue("2");
      const queued = await queue(stage.tenant, "3");
      const elsewhere = await queue(stage.tenant, "4", { session: request("other") });
      const stop = { type: "aborted", by: "stop" } as const;
      expect(steered.type).toBe("joined");
      const main = { workspaceId: "w1", sessionKey: "main", ending: stop };
      expect((await stage.tenant.turns.cancelQueued(main)).turnIds).toEqual([queued.turnId]);
      expect(await stage.tenant.turns.get(queued.turnId)).toMatchObject({
        state: "done",
        ending: stop,
        endedAt: "2026-01-01T12:00:00.000Z",
      });
      const states = async (turnId: string) =>
        (await stage.tenant.turns.inputs(turnId)).map(({ state }) => state);
      expect(await states(queued.turnId)).toEqual(["done"]);
      expect(await states(running.turnId)).toEqual(["queued", "done"]);
      expect(await stage.tenant.turns.get(elsewhere.turnId)).toMatchObject({ state: "queued" });
    });
  });

  describe("lists of turns", () => {
    it("has those that a gateway runs in order, without parked and direct ones", async () => {
      const fence = await takeFence(stage.tenant);
      const running = await queue(stage.tenant, "1");
      const waiting = await queue(stage.tenant, "2", { session: request("two") });
      await queue(stage.tenant, "3", { session: request("three"), direct: true });
      const queued = await queue(stage.tenant, "4", { session: request("four") });
      await claim(stage.tenant, running.turnId, fence);
      await claim(stage.tenant, waiting.turnId, fence);
      await parkFor(stage.tenant, waiting.turnId, fence);

      const pending = async (query: { limit: number; after?: number }) =>
        (await stage.tenant.turns.pending(query)).map(({ turnId }) => turnId);
      expect(await pending({ limit: 9 })).toEqual([running.turnId, queued.turnId]);
      expect(await pending({ limit: 1 })).toEqual([running.turnId]);
      expect(await pending({ limit: 9, after: running.position })).toEqual([queued.turnId]);
      expect((await stage.tenant.turns.running("w1", "main"))?.turnId).toBe(running.turnId);
      expect(await stage.tenant.turns.running("w1", "four")).toBeUndefined();
      expect(await stage.tenant.turns.running("w2", "main")).toBeUndefined();
    });

    it("pages through all of them, newest first, by state and by session", async () => {
      for (const id of ["1", "2", "3"]) await queue(stage.tenant, id);
      const other = await queue(stage.tenant, "4", { session: request("other") });
      await claim(stage.tenant, other.turnId, await takeFence(stage.tenant));
      const list = async (query: Parameters<typeof stage.tenant.turns.list>[0]) =>
        (await stage.tenant.turns.list(query)).map(({ position }) => position);
      expect(await list({ limit: 9 })).toEqual([4, 3, 2, 1]);
      expect(await list({ limit: 2, before: 4 })).toEqual([3, 2]);
      expect(await list({ limit: 9, states: ["running", "dead"] })).toEqual([4]);
      expect(await list({ limit: 9, states: [] })).toEqual([]);
      expect(await list({ limit: 9, sessionKey: "main" })).toEqual([3, 2, 1]);
    });

    it("TEN-01 never shows them to another tenant", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const rival = stage.stores.tenant("rival");
      expect(await rival.turns.get(turnId)).toBeUndefined();
      expect(await rival.turns.pending({ limit: 9 })).toEqual([]);
      expect(await rival.turns.list({ limit: 9 })).toEqual([]);
      expect(await rival.turns.inputs(turnId)).toEqual([]);
      expect(await rival.inbox.find("telegram", "bot", "1")).toBeUndefined();
      expect((await rival.inbox.accept(inbound("1"))).row.position).toBe(1);
    });
  });
}
