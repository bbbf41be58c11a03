/** What every storage promises about the end of a turn and what its user sees then. */
import { describe, expect, it } from "vitest";
import {
  claim,
  draft,
  ending,
  noticeDraft,
  place,
  queue,
  receive,
  takeFence,
  turnFor,
} from "./message-samples.ts";
import { say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeTurnEnds(stage: Stage): void {
  describe("ending", () => {
    it("writes the whole end at once", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const reply = draft("answer", { turnId, replyTo: "1" });
      const done = await stage.tenant.turns.end(
        ending(turnId, fence, { replies: [reply], notice: noticeDraft("news") }),
      );
      expect(done).toMatchObject({
        turn: { state: "done", ending: { type: "answered" }, endedAt: "2026-01-01T12:00:00.000Z" },
        session: { lastSeq: 3, tokens: { input: 10, output: 5, context: 12, total: 15 } },
        outbox: [{ ...reply, state: "queued", isOpen: false }],
        followUp: undefined,
      });
      expect(await stage.tenant.turns.get(turnId)).toEqual(done.turn);
      expect((await stage.tenant.turns.inputs(turnId)).map(({ state }) => state)).toEqual(["done"]);
      expect(await stage.tenant.outbox.list({ limit: 9, turnId })).toEqual(done.outbox);
      expect(await stage.tenant.notices.list({ limit: 9 })).toMatchObject([{ subject: "news" }]);
      expect(await stage.tenant.turns.pending({ limit: 9 })).toEqual([]);
    });

    it("answers with the session as it is then, whatever was written into it", async () => {
      const { turns, sessions } = stage.tenant;
      const fence = await takeFence(stage.tenant);
      const setting = (data: Record<string, unknown>) =>
        ({ type: "event", name: "session-setting", data }) as const;
      const ends: Array<Parameters<typeof ending>[2]> = [
        {},
        { bodies: [] },
        { bodies: [say("answer", "assistant"), { type: "compaction", summary: "x", keepFrom: 3 }] },
        { bodies: [setting({ name: "label", value: "Garden" })] },
      ];
      for (const [index, more] of ends.entries()) {
        const { turnId } = await queue(stage.tenant, `${index}`);
        const claimed = await claim(stage.tenant, turnId, fence);
        const { sessionId } = claimed.session;
        expect(await sessions.get(sessionId)).toEqual(claimed.session);
        const { session } = await turns.end(ending(turnId, fence, more));
        expect(await sessions.get(sessionId)).toEqual(session);
        expect(session.tokens).toMatchObject({ total: 15 * (index + 1), context: 12 });
      }
      expect(await sessions.findActive("w1", "main")).toMatchObject({
        compactionCount: 1,
        compactedMessageCount: 1,
        settings: { label: "Garden" },
      });
    });

    it("makes a turn of what came too late to be taken up", async () => {
      const fence = await takeFence(stage.tenant);
      const turn = await queue(stage.tenant, "1", {
        options: { newSession: true, model: "stub" },
        replyTo: "1",
      });
      await claim(stage.tenant, turn.turnId, fence);
      const inputs = await receive(stage.tenant, "2", "3");
      for (const id of inputs) await stage.tenant.turns.enqueue(turnFor([id]));
      const { followUp } = await stage.tenant.turns.end(ending(turn.turnId, fence));
      expect(followUp).toMatchObject({
        state: "queued",
        position: 2,
        destination: place(),
        replyTo: null,
        options: { model: "stub" },
        claims: 0,
      });
      const next = await claim(stage.tenant, followUp?.turnId ?? "", fence);
      expect(next.ended).toBeUndefined();
      expect(texts(next.entries)).toEqual(["words of 2", "words of 3"]);
      expect((await stage.tenant.turns.inputs(turn.turnId)).map(({ state }) => state)).toEqual(["done"]);
    });

    it("gives what came too late to the turn that is queued behind, in order of arrival", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, "2")));
      await queue(stage.tenant, "3", { destination: place("7") });
      const behind = await queue(stage.tenant, "4");
      const { followUp } = await stage.tenant.turns.end(ending(turnId, fence));
      expect(followUp).toEqual(behind);
      expect(texts((await claim(stage.tenant, behind.turnId, fence)).entries)).toEqual([
        "words of 2",
        "words of 4",
      ]);
    });

    it("SESS-20 puts what came too late before a turn of its conversation that it may not join", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.enqueue(turnFor(await receive(stage.tenant, "2")));
      const elsewhere = await queue(stage.tenant, "3", { destination: place("7") });
      const owner = await queue(stage.tenant, "4", { person: { role: "owner", id: "telegram:1" } });
      const peer = await queue(stage.tenant, "5");
      const { followUp } = await stage.tenant.turns.end(ending(turnId, fence));
      const pending = (await stage.tenant.turns.pending({ limit: 9 })).map((turn) => turn.turnId);
      expect(pending).toEqual([elsewhere.turnId, followUp?.turnId, owner.turnId, peer.turnId]);
      expect(texts((await claim(stage.tenant, followUp?.turnId ?? "", fence)).entries)).toEqual([
        "words of 2",
      ]);
    });

    it("STREAM-06 ROUTE-15 says nothing twice to the same conversation within a turn", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const said = draft("Hello, world!", { turnId, dedupeKey: "hello world" });
      await stage.tenant.outbox.enqueue([said, said]);
      expect(await stage.tenant.outbox.list({ limit: 9 })).toHaveLength(1);
      const { outbox } = await stage.tenant.turns.end(
        ending(turnId, fence, {
          replies: [
            said,
            { ...said, destination: place("7") },
            { ...said, dedupeKey: "other words", text: "other words" },
            { ...said, dedupeKey: null },
          ],
        }),
      );
      expect(outbox.map(({ text, conversation }) => [text, conversation.split(":")[3]])).toEqual([
        ["Hello, world!", "7"],
        ["other words", "42"],
        ["Hello, world!", "42"],
      ]);
      const elsewhere = await stage.tenant.outbox.enqueue([{ ...said, turnId: "r_other" }]);
      expect(elsewhere).toHaveLength(1);
    });

    it("turns an open preview into the first reply of its conversation", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const dedupeKey = "answer";
      const preview = { ...draft("ans", { kind: "preview", dedupeKey }), turnId };
      const { id } = await stage.tenant.outbox.preview(preview);
      const { outbox } = await stage.tenant.turns.end(
        ending(turnId, fence, {
          replies: [draft("answer", { turnId, dedupeKey }), draft("and more", { turnId })],
        }),
      );
      expect(outbox).toMatchObject([
        { id, kind: "reply", text: "answer", version: 2, isOpen: false },
        { text: "and more", version: 1 },
      ]);
      expect(await stage.tenant.outbox.list({ limit: 9 })).toHaveLength(2);
    });

    it("gives a preview what can be pressed below its reply, also when its words stay as they are", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const { id } = await stage.tenant.outbox.preview({ ...draft("all", { kind: "preview" }), turnId });
      const actions = [{ label: "Continue", send: "/continue" }];
      await stage.tenant.turns.end(ending(turnId, fence, { replies: [draft("all", { turnId, actions })] }));
      expect(await stage.tenant.outbox.get(id)).toMatchObject({ actions, version: 2, isOpen: false });
    });

    it("finishes a preview that people have seen also when its words were said before", async () => {
      const fence = await takeFence(stage.tenant);
      const seen = await queue(stage.tenant, "1");
      await claim(stage.tenant, seen.turnId, fence);
      const words = (turnId: string) => draft("answer", { turnId, dedupeKey: "answer" });
      const preview = { ...draft("ans", { kind: "preview" }), turnId: seen.turnId };
      const { id } = await stage.tenant.outbox.preview(preview);
      await stage.tenant.outbox.beginSend(id);
      await stage.tenant.outbox.enqueue([words(seen.turnId)]);
      const end = ending(seen.turnId, fence, { replies: [words(seen.turnId)] });
      expect((await stage.tenant.turns.end(end)).outbox).toMatchObject([{ id, text: "answer", version: 2 }]);

      const unseen = await queue(stage.tenant, "2");
      await claim(stage.tenant, unseen.turnId, fence);
      await stage.tenant.outbox.preview({ ...preview, turnId: unseen.turnId });
      await stage.tenant.outbox.enqueue([words(unseen.turnId)]);
      const second = ending(unseen.turnId, fence, { replies: [words(unseen.turnId)] });
      expect((await stage.tenant.turns.end(second)).outbox).toEqual([]);
      const left = await stage.tenant.outbox.list({ limit: 9, turnId: unseen.turnId });
      expect(left.map(({ text, state, isOpen }) => [text, state, isOpen])).toEqual([
        ["answer", "queued", false],
        ["ans", "dropped", false],
      ]);
    });

    it("closes a preview as it is when there is no reply", async () => {
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const { id } = await stage.tenant.outbox.preview({ ...draft("so far", { kind: "preview" }), turnId });
      await stage.tenant.turns.end(ending(turnId, fence));
      expect(await stage.tenant.outbox.get(id)).toMatchObject({
        text: "so far",
        version: 1,
        isOpen: false,
        state: "queued",
      });
    });
  });
}
