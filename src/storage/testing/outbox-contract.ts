/** What every storage promises about what goes out. */
import { describe, expect, it } from "vitest";
import { interrupted } from "../outbox/outbox.ts";
import { conversation, draft, noticeDraft, place } from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeOutbox(stage: Stage): void {
  describe("the outbox", () => {
    const error = { code: "unavailable", message: "500" };
    const send = async (text: string, more: Parameters<typeof draft>[1] = {}) => {
      const [row] = await stage.tenant.outbox.enqueue([draft(text, more)]);
      if (!row) throw new Error("left out");
      return row;
    };
    const headText = async (peerId?: string) => (await stage.tenant.outbox.head(conversation(peerId)))?.text;
    const sent = { messageId: "p1", version: 1, shownLength: 1 };

    it("CHAN-26 keeps a message as a row from draft to sent", async () => {
      const row = await send("a");
      expect(row).toEqual({
        ...draft("a"),
        id: expect.stringMatching(/^o_/),
        position: 1,
        conversation: conversation(),
        state: "queued",
        attempts: 0,
        nextAt: null,
        pausedAt: null,
        unknowns: 0,
        repeated: false,
        version: 1,
        shownVersion: 0,
        shownLength: 0,
        messageId: null,
        isOpen: false,
        error: null,
        createdAt: "2026-01-01T12:00:00.000Z",
        sentAt: null,
      });
      expect(await stage.tenant.outbox.get(row.id)).toEqual(row);
      expect(await stage.tenant.outbox.beginSend(row.id)).toEqual({ ...row, state: "sending", attempts: 1 });
      await stage.clock.advance(7);
      await stage.tenant.outbox.markSent(row.id, sent);
      expect(await stage.tenant.outbox.get(row.id)).toEqual({
        ...row,
        state: "sent",
        attempts: 1,
        messageId: "p1",
        shownVersion: 1,
        shownLength: 1,
        sentAt: "2026-01-01T12:00:00.007Z",
      });
      expect(await stage.tenant.outbox.beginSend(row.id)).toBeUndefined();
    });

    it("keeps what can be pressed below a message", async () => {
      const actions = [{ label: "Yes", send: "/approve K7" }];
      const row = await send("a", { actions });
      expect(row.actions).toEqual(actions);
      expect((await stage.tenant.outbox.beginSend(row.id))?.actions).toEqual(actions);
      expect((await send("b", { actions: [] })).actions).toBeUndefined();
    });

    it("CHAN-26 keeps the order of a conversation, also behind one that waits", async () => {
      const first = await send("a");
      await send("b");
      await send("elsewhere", { destination: place("7") });
      expect(await stage.tenant.outbox.unfinished()).toEqual([conversation(), conversation("7")].toSorted());
      await stage.tenant.outbox.beginSend(first.id);
      await stage.tenant.outbox.retryAt(first.id, "2026-01-01T13:00:00.000Z", error);
      expect(await stage.tenant.outbox.head(conversation())).toMatchObject({
        text: "a",
        state: "queued",
        nextAt: "2026-01-01T13:00:00.000Z",
        pausedAt: new Date(stage.clock.now()).toISOString(),
        error,
      });
      expect(await headText("7")).toBe("elsewhere");
      await stage.tenant.outbox.beginSend(first.id);
      await stage.tenant.outbox.markSent(first.id, sent);
      expect(await headText()).toBe("b");
      expect(await stage.tenant.outbox.get(first.id)).toMatchObject({
        attempts: 2,
        error: null,
        nextAt: null,
      });
      expect(await headText("nobody")).toBeUndefined();
    });

    it("shows a growing text as one message that is edited until the last version is shown", async () => {
      const grow = (text: string) =>
        stage.tenant.outbox.preview({ ...draft(text, { kind: "preview" }), turnId: "r_1" });
      const { id } = await grow("a");
      expect(await grow("a")).toMatchObject({ id, version: 1, isOpen: true });
      await stage.tenant.outbox.beginSend(id);
      expect(await grow("ab")).toMatchObject({ id, version: 2, state: "sending" });
      await stage.tenant.outbox.markSent(id, sent);
      expect(await stage.tenant.outbox.head(conversation())).toMatchObject({
        id,
        state: "sent",
        version: 2,
        shownVersion: 1,
      });
      expect(await stage.tenant.outbox.beginSend(id)).toMatchObject({ state: "sending", attempts: 1 });
      await stage.tenant.outbox.markSent(id, { messageId: null, version: 2, shownLength: 2 });
      expect(await stage.tenant.outbox.get(id)).toMatchObject({ messageId: "p1", shownLength: 2 });
      expect(await headText()).toBeUndefined();
      const other = await stage.tenant.outbox.preview({
        ...draft("x", { kind: "preview", destination: place("7") }),
        turnId: "r_1",
      });
      expect(other.id).not.toBe(id);
    });

    it("knows what it does not know: after a crash, and when the network says so", async () => {
      const [one, two] = [await send("a"), await send("b", { destination: place("7") })];
      expect(await stage.tenant.outbox.markUncertain(one.id, error)).toBeUndefined();
      await stage.tenant.outbox.beginSend(one.id);
      await stage.tenant.outbox.beginSend(two.id);
      expect(await stage.tenant.outbox.markUncertain(one.id, error)).toMatchObject({
        state: "uncertain",
        unknowns: 1,
        error,
      });
      expect(await stage.tenant.outbox.recover()).toBe(1);
      expect(await stage.tenant.outbox.recover()).toBe(0);
      expect(await stage.tenant.outbox.head(conversation("7"))).toMatchObject({
        state: "uncertain",
        unknowns: 1,
        error: interrupted,
      });
      expect(await stage.tenant.outbox.get(one.id)).toMatchObject({ error });
      expect(await stage.tenant.outbox.beginSend(one.id, { repeated: true })).toMatchObject({
        repeated: true,
        attempts: 2,
      });
      await stage.tenant.outbox.retryAt(one.id, "2026-01-01T13:00:00.000Z", error);
      expect(await stage.tenant.outbox.beginSend(one.id)).toMatchObject({ repeated: true });
    });

    it("CHAN-26 gives up once, with the one line that says so", async () => {
      const row = await send("a");
      await stage.tenant.outbox.beginSend(row.id);
      const instead = { drafts: [draft("it did not get through")], notice: noticeDraft("outbox") };
      const lines = await stage.tenant.outbox.fail(row.id, error, instead);
      expect(lines).toMatchObject([{ text: "it did not get through", state: "queued" }]);
      expect(await stage.tenant.outbox.fail(row.id, error, instead)).toEqual([]);
      expect(await stage.tenant.outbox.get(row.id)).toMatchObject({ state: "failed", error });
      expect(await headText()).toBe("it did not get through");
      expect(await stage.tenant.notices.list({ limit: 9 })).toHaveLength(1);
    });

    it("begins a preview anew after the old one was given up", async () => {
      const grow = () => stage.tenant.outbox.preview({ ...draft("a", { kind: "preview" }), turnId: "r_1" });
      const { id } = await grow();
      await stage.tenant.outbox.fail(id, error, { drafts: [] });
      const next = await grow();
      expect(next.id).not.toBe(id);
      expect(await stage.tenant.outbox.drop(next.id)).toBe(true);
      expect((await grow()).id).not.toBe(next.id);
    });

    it("tries again what failed or waits, and nothing else", async () => {
      const row = await send("a");
      const notAfter = "2026-02-01T00:00:00.000Z";
      await stage.tenant.outbox.beginSend(row.id);
      expect(await stage.tenant.outbox.retry(row.id, notAfter)).toBeUndefined();
      await stage.tenant.outbox.fail(row.id, error, { drafts: [] });
      expect(await stage.tenant.outbox.retry(row.id, notAfter)).toMatchObject({
        state: "queued",
        attempts: 0,
        unknowns: 0,
        nextAt: null,
        notAfter,
      });
      expect(await headText()).toBe("a");
      await stage.tenant.outbox.beginSend(row.id);
      await stage.tenant.outbox.markSent(row.id, sent);
      expect(await stage.tenant.outbox.retry(row.id, notAfter)).toBeUndefined();
      const dropped = await send("b");
      await stage.tenant.outbox.drop(dropped.id);
      expect(await stage.tenant.outbox.retry(dropped.id, notAfter)).toBeUndefined();
      expect(await stage.tenant.outbox.retry("o_none", notAfter)).toBeUndefined();
    });

    it("CHAN-26 never sends again as new what may have arrived", async () => {
      const { outbox } = stage.tenant;
      const notAfter = "2026-02-01T00:00:00.000Z";
      const row = await send("a");
      for (const _ of ["once", "twice"]) {
        await outbox.beginSend(row.id);
        await outbox.markUncertain(row.id, error);
      }
      expect(await outbox.retry(row.id, notAfter)).toMatchObject({
        state: "uncertain",
        unknowns: 1,
        attempts: 0,
        repeated: false,
        notAfter,
      });
      await outbox.fail(row.id, error, { drafts: [] });
      expect(await outbox.retry(row.id, notAfter)).toMatchObject({ state: "queued", repeated: true });
    });

    it("drops what is not over, and still learns what people saw of it", async () => {
      const row = await send("a");
      await stage.tenant.outbox.beginSend(row.id);
      expect(await stage.tenant.outbox.drop(row.id)).toBe(true);
      expect(await stage.tenant.outbox.drop(row.id)).toBe(false);
      await stage.tenant.outbox.markSent(row.id, sent);
      expect(await stage.tenant.outbox.get(row.id)).toMatchObject({ state: "dropped", messageId: "p1" });
      await stage.tenant.outbox.retryAt(row.id, "2026-01-01T13:00:00.000Z", error);
      expect(await stage.tenant.outbox.get(row.id)).toMatchObject({ state: "dropped" });
      expect(await headText()).toBeUndefined();
    });

    it("CHAN-26 drops what failed or is uncertain, but not what arrived", async () => {
      const { outbox } = stage.tenant;
      const [failed, uncertain, arrived] = [await send("a"), await send("b"), await send("c")];
      await outbox.beginSend(failed.id);
      await outbox.fail(failed.id, error, { drafts: [] });
      await outbox.beginSend(uncertain.id);
      await outbox.markUncertain(uncertain.id, error);
      await outbox.beginSend(arrived.id);
      await outbox.markSent(arrived.id, sent);
      const drop = async () => {
        const dropped: boolean[] = [];
        for (const { id } of [failed, uncertain, arrived]) dropped.push(await outbox.drop(id));
        return dropped;
      };
      expect(await drop()).toEqual([true, true, false]);
      expect(await drop()).toEqual([false, false, false]);
      expect((await outbox.list({ limit: 9 })).map(({ state }) => state)).toEqual([
        "sent",
        "dropped",
        "dropped",
      ]);
      expect(await headText()).toBeUndefined();
    });

    it("lists by state and by turn, newest first, and prunes what is finished", async () => {
      const one = await send("a", { turnId: "r_1" });
      const two = await send("b");
      await stage.tenant.outbox.beginSend(one.id);
      await stage.tenant.outbox.markSent(one.id, sent);
      const list = async (query: Parameters<typeof stage.tenant.outbox.list>[0]) =>
        (await stage.tenant.outbox.list(query)).map(({ text }) => text);
      expect(await list({ limit: 9 })).toEqual(["b", "a"]);
      expect(await list({ limit: 9, before: two.position })).toEqual(["a"]);
      expect(await list({ limit: 9, states: ["sent", "failed"] })).toEqual(["a"]);
      expect(await list({ limit: 9, turnId: "r_1" })).toEqual(["a"]);
      expect(await stage.stores.tenant("rival").outbox.list({ limit: 9 })).toEqual([]);
      expect(await stage.tenant.outbox.prune(one.createdAt, 9)).toBe(0);
      expect(await stage.tenant.outbox.prune("2026-01-01T12:00:00.001Z", 9)).toBe(1);
      expect(await list({ limit: 9 })).toEqual(["b"]);
    });
  });
}
