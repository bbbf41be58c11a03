/** What every storage promises about entries, their copies, and taking sessions in and out. */
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

export function describeEntries(stage: Stage): void {
  describe("entries", () => {
    let sessionId: string;
    beforeEach(async () => {
      ({
        session: { sessionId },
      } = await stage.tenant.sessions.open(request("main")));
    });

    it("SESS-08 appends in order and gives back exactly what was said", async () => {
      await stage.clock.advance(250);
      const bodies = [say("grüß 👋 \u0000 \ud800"), say("hi", "assistant")];
      const appended = await stage.tenant.entries.append(sessionId, bodies);
      const time = "2026-01-01T12:00:00.250Z";
      expect(appended).toEqual([
        { ...bodies[0], seq: 2, time },
        { ...bodies[1], seq: 3, time },
      ]);
      expect(await stage.tenant.entries.after(sessionId, 1, 10)).toEqual(appended);
      expect(await stage.tenant.sessions.get(sessionId)).toMatchObject({
        lastSeq: 3,
        messageCount: 2,
        updatedAt: time,
      });
    });

    it("SESS-06 never lets a reader change what was written", async () => {
      const bodies = [say("original")];
      await stage.tenant.entries.append(sessionId, bodies);
      const [read] = await stage.tenant.entries.recent(sessionId, 1);
      Object.assign(read ?? {}, { message: "changed" });
      Object.assign(bodies[0] ?? {}, { message: "changed" });
      expect(texts(await stage.tenant.entries.recent(sessionId, 1))).toEqual(["original"]);
    });

    it("SESS-06 reads the recent part, and onward from a place, in rising order", async () => {
      await stage.tenant.entries.append(
        sessionId,
        ["a", "b", "c", "d"].map((text) => say(text)),
      );
      expect(texts(await stage.tenant.entries.recent(sessionId, 2))).toEqual(["c", "d"]);
      expect(texts(await stage.tenant.entries.recent(sessionId, 99))).toEqual([
        "session",
        "a",
        "b",
        "c",
        "d",
      ]);
      expect(texts(await stage.tenant.entries.after(sessionId, 2, 2))).toEqual(["b", "c"]);
      expect(await stage.tenant.entries.after(sessionId, 5, 2)).toEqual([]);
      expect(await stage.tenant.entries.recent(sessionId, 0)).toEqual([]);
      expect(texts(await stage.tenant.entries.before(sessionId, 4, 2))).toEqual(["a", "b"]);
      expect(texts(await stage.tenant.entries.before(sessionId, 2, 9))).toEqual(["session"]);
      expect(await stage.tenant.entries.before(sessionId, 1, 9)).toEqual([]);
    });

    it("SESS-08 gives 50 simultaneous appends distinct, consecutive numbers", async () => {
      const appended = await Promise.all(
        Array.from({ length: 50 }, (_, index) => stage.tenant.entries.append(sessionId, [say(`m${index}`)])),
      );
      const seqs = appended.flat().map((entry) => entry.seq);
      expect(seqs.sort((one, other) => one - other)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 2),
      );
      expect(await stage.tenant.entries.recent(sessionId, 100)).toHaveLength(51);
    });

    it("SESS-08 appends nothing for nothing", async () => {
      expect(await stage.tenant.entries.append(sessionId, [])).toEqual([]);
      expect((await stage.tenant.sessions.get(sessionId))?.lastSeq).toBe(1);
    });

    it("SESS-08 still takes the last words of a session that has ended", async () => {
      await stage.tenant.sessions.openNew(request("main"));
      await stage.tenant.entries.append(sessionId, [say("late")]);
      expect(texts(await stage.tenant.entries.recent(sessionId, 1))).toEqual(["late"]);
    });
  });

  describe("the JSONL copy", () => {
    it("SESS-06 knows which sessions are behind, oldest first, and never moves backwards", async () => {
      const { session: one } = await stage.tenant.sessions.open(request("one"));
      await stage.clock.advance(1);
      const { session: two } = await stage.tenant.sessions.open(request("two"));
      const behind = async () =>
        (await stage.tenant.sessions.listUnmirrored(10)).map((session) => session.sessionKey);
      expect(await behind()).toEqual(["one", "two"]);
      expect(await stage.tenant.sessions.listUnmirrored(1)).toHaveLength(1);

      await stage.tenant.sessions.markMirrored(one.sessionId, 1);
      expect(await behind()).toEqual(["two"]);
      await stage.tenant.entries.append(one.sessionId, [say("more")]);
      await stage.tenant.sessions.markMirrored(two.sessionId, 1);
      expect(await behind()).toEqual(["one"]);
      await stage.tenant.sessions.markMirrored(one.sessionId, 2);
      await stage.tenant.sessions.markMirrored(one.sessionId, 1);
      expect(await behind()).toEqual([]);
      expect((await stage.tenant.sessions.get(one.sessionId))?.mirroredSeq).toBe(2);
    });
  });

  describe("restore and delete", () => {
    const writeSession = async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.clock.advance(1000);
      await stage.tenant.entries.append(session.sessionId, [say("a"), say("b", "assistant")]);
      await stage.tenant.sessions.switchMemory(session.sessionId, true);
      await stage.tenant.entries.append(session.sessionId, [
        { type: "compaction", summary: "a", keepFrom: 3 },
      ]);
      return session.sessionId;
    };

    it("SESS-06 rebuilds a session from its entries, the same in every visible way", async () => {
      const sessionId = await writeSession();
      await stage.tenant.sessions.addTokens(sessionId, { input: 10, output: 5, context: 13, total: 18 });
      const before = await stage.tenant.sessions.get(sessionId);
      const entries = await stage.tenant.entries.recent(sessionId, 100);
      await stage.tenant.sessions.delete(sessionId, "test");
      await stage.clock.advance(1_000_000);

      const outcome = await stage.tenant.sessions.restore(entries);
      const restored = await stage.tenant.sessions.get(sessionId);
      expect(outcome).toEqual({ type: "restored", session: restored });
      expect(restored).toEqual(before);
      expect(await stage.tenant.entries.recent(sessionId, 100)).toEqual(entries);
      expect(await stage.tenant.sessions.findActive("w1", "main")).toEqual(restored);
      expect((await stage.tenant.entries.append(sessionId, [say("on")]))[0]?.seq).toBe(6);
    });

    it("SESS-06 leaves a session alone that is there already", async () => {
      const sessionId = await writeSession();
      const entries = await stage.tenant.entries.recent(sessionId, 100);
      expect(await stage.tenant.sessions.restore(entries.slice(0, 2))).toEqual({ type: "exists" });
      expect(await stage.tenant.entries.recent(sessionId, 100)).toEqual(entries);
    });

    it("SESS-06 restores as a past session when the key has an active one", async () => {
      const sessionId = await writeSession();
      const entries = await stage.tenant.entries.recent(sessionId, 100);
      await stage.tenant.sessions.delete(sessionId, "test");
      const { session: active } = await stage.tenant.sessions.open(request("main"));
      expect(await stage.tenant.sessions.restore(entries)).toMatchObject({ session: { state: "ended" } });
      expect((await stage.tenant.sessions.findActive("w1", "main"))?.sessionId).toBe(active.sessionId);
    });

    it("SESS-06 keeps gaps in the numbers and goes on after the highest", async () => {
      const sessionId = await writeSession();
      const entries = await stage.tenant.entries.recent(sessionId, 100);
      await stage.tenant.sessions.delete(sessionId, "test");
      const gapped = entries.filter((entry) => entry.seq !== 2);
      await stage.tenant.sessions.restore(gapped);
      expect(await stage.tenant.entries.recent(sessionId, 100)).toEqual(gapped);
      expect((await stage.tenant.entries.append(sessionId, [say("on")]))[0]?.seq).toBe(6);
      expect((await stage.stores.health("quick")).entries).toBe(5);
    });

    it("fills what a session has lost from a copy, and marks what nobody knows, whatever is lost where", async () => {
      const sessionId = await writeSession();
      const texts = Array.from({ length: 6 }, (_, index) => say(`more ${index}`));
      await stage.tenant.entries.append(sessionId, texts);
      const { sessions, entries } = stage.tenant;
      const whole = await entries.recent(sessionId, 100);
      const before = await sessions.get(sessionId);
      const seqs = fc.uniqueArray(fc.integer({ min: 2, max: whole.length }));
      await fc.assert(
        fc.asyncProperty(seqs, seqs, async (lost, lostOfCopy) => {
          await sessions.delete(sessionId, "test");
          const held = whole.filter(({ seq }) => !lost.includes(seq));
          const copy = whole.filter(({ seq }) => !lostOfCopy.includes(seq));
          await sessions.restore(held);
          const last = Math.max(...[...held, ...copy].map(({ seq }) => seq));
          const gone = lost.filter((seq) => seq <= last && lostOfCopy.includes(seq));
          const back = lost.filter((seq) => !lostOfCopy.includes(seq));
          const heldLast = held.at(-1)?.seq ?? 0;
          expect(await sessions.listTorn()).toEqual(held.length === heldLast ? [] : [sessionId]);
          expect(await sessions.mend(sessionId, copy)).toEqual({ filled: back.length, lost: gone.length });
          const mended = await entries.recent(sessionId, 100);
          expect(mended.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
          expect(mended.filter(({ seq }) => !gone.includes(seq))).toEqual(
            whole.filter(({ seq }) => seq <= last && !gone.includes(seq)),
          );
          for (const seq of gone)
            expect(mended[seq - 1]).toMatchObject({ type: "event", name: "entry-lost" });
          expect(await sessions.listTorn()).toEqual([]);
          expect(await sessions.mend(sessionId, copy)).toEqual({ filled: 0, lost: 0 });
          if (gone.length > 0 || last < whole.length || !before) return;
          const { lastSeq, messageCount, compactedMessageCount, compactionCount } = before;
          expect(await sessions.get(sessionId)).toMatchObject({
            lastSeq,
            messageCount,
            compactedMessageCount,
            compactionCount,
            mirroredSeq: 0,
          });
        }),
        { numRuns: 20 },
      );
    });

    it("takes nothing from a copy that says something else, nor from another session's", async () => {
      const sessionId = await writeSession();
      const { sessions, entries } = stage.tenant;
      const whole = await entries.recent(sessionId, 100);
      await sessions.delete(sessionId, "test");
      await sessions.restore(whole.filter(({ seq }) => seq !== 3));
      const other = await sessions.open(request("other"));
      await entries.append(other.session.sessionId, [say("x"), say("y")]);
      const othersEntries = await entries.recent(other.session.sessionId, 100);
      expect(await sessions.mend(sessionId, othersEntries)).toEqual({ filled: 0, lost: 1 });
      await sessions.delete(sessionId, "test");
      await sessions.restore(whole.filter(({ seq }) => seq !== 3));
      const changed = whole.map((entry) => (entry.seq === 2 ? { ...entry, ...say("changed") } : entry));
      expect(await sessions.mend(sessionId, changed)).toEqual({ filled: 0, lost: 1 });
      expect(await sessions.mend("s_none", whole)).toEqual({ filled: 0, lost: 0 });
    });

    it("SESS-06 refuses entries that are no transcript", async () => {
      const sessionId = await writeSession();
      const entries = await stage.tenant.entries.recent(sessionId, 100);
      await stage.tenant.sessions.delete(sessionId, "test");
      const unreadable = { code: "transcript/unreadable" };
      await expect(stage.tenant.sessions.restore([])).rejects.toMatchObject(unreadable);
      await expect(stage.tenant.sessions.restore(entries.slice(1))).rejects.toMatchObject(unreadable);
      const doubled = [...entries, ...entries.slice(-1)];
      await expect(stage.tenant.sessions.restore(doubled)).rejects.toMatchObject(unreadable);
      expect(await stage.tenant.sessions.get(sessionId)).toBeUndefined();
    });

    it("STORE-08 really deletes, and leaves an audit record without content", async () => {
      const sessionId = await writeSession();
      expect(await stage.tenant.sessions.delete(sessionId, "owner")).toBe(true);
      expect(await stage.tenant.sessions.get(sessionId)).toBeUndefined();
      expect(await stage.tenant.entries.recent(sessionId, 10)).toEqual([]);
      expect(await stage.tenant.audit.list({ limit: 10, resourceId: sessionId })).toEqual([
        {
          id: expect.stringMatching(/^a_/),
          actor: "owner",
          action: "session-delete",
          resourceType: "session",
          resourceId: sessionId,
          seq: 1,
          sessionKey: null,
          runId: null,
          metadata: { entries: 5 },
          createdAt: "2026-01-01T12:00:01.000Z",
        },
      ]);
      expect(await stage.tenant.sessions.delete(sessionId, "owner")).toBe(false);
      expect(await stage.tenant.audit.list({ limit: 10 })).toHaveLength(1);
    });
  });
}
