/** What every storage promises about reading a session from its last mark, and about searching it. */
import { textOf, type EntryBody } from "@pincer/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { request, say, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";

const compaction = (summary: string, keepFrom: number): EntryBody => ({
  type: "compaction",
  summary,
  keepFrom,
});
const anchor = (name: string): EntryBody => ({ type: "anchor", name });
const event = (name: string): EntryBody => ({ type: "event", name, data: {} });
const all = { before: Number.MAX_SAFE_INTEGER, limit: 99 };

export function describeViews(stage: Stage): void {
  describe("what a turn sees of its session", () => {
    let sessionId: string;
    const append = (...bodies: EntryBody[]) => stage.tenant.entries.append(sessionId, bodies);
    const view = (query: Partial<typeof all> = {}) =>
      stage.tenant.entries.view(sessionId, { ...all, ...query });
    beforeEach(async () => {
      ({
        session: { sessionId },
      } = await stage.tenant.sessions.open(request("main")));
    });

    it("SESS-09 is every message while there is no mark, and nothing but messages", async () => {
      expect(await view()).toEqual({ mark: undefined, said: [], isCut: false });
      await append(say("a"), event("noted"), say("b", "assistant"));
      const { mark, said, isCut } = await view();
      expect([mark, texts(said), isCut]).toEqual([undefined, ["a", "b"], false]);
    });

    it("SESS-09 begins with what the last compaction keeps", async () => {
      await append(say("a"), say("b"), say("c"), compaction("a and b", 4), say("d"));
      const { mark, said, isCut } = await view();
      expect(mark).toMatchObject({ type: "compaction", summary: "a and b", seq: 5 });
      expect([texts(said), isCut]).toEqual([["c", "d"], false]);
    });

    it("SESS-09 begins behind the last anchor, or behind what another session left", async () => {
      await append(event("carried"), say("a"));
      expect(await view()).toMatchObject({ mark: { name: "carried" }, said: [{ seq: 3 }] });
      await append(anchor("plan"), say("b"));
      expect(await view()).toMatchObject({ mark: { name: "plan", seq: 4 }, said: [{ seq: 5 }] });
      await append(compaction("later", 3));
      expect(await view()).toMatchObject({ mark: { seq: 6 }, said: [{ seq: 3 }, { seq: 5 }] });
    });

    it("shows the newest of them before a place and says when there are more; the mark may lie behind it", async () => {
      await append(say("a"), say("b"), say("c"), say("d"), compaction("a", 3));
      const newest = await view({ limit: 2 });
      expect([texts(newest.said), newest.isCut]).toEqual([["c", "d"], true]);
      const earlier = await view({ before: 5 });
      expect(earlier.mark?.seq).toBe(6);
      expect([texts(earlier.said), earlier.isCut]).toEqual([["b", "c"], false]);
      expect(await view({ limit: 0 })).toMatchObject({ said: [], isCut: true });
    });

    it("SESS-09 holds nothing that was superseded, nor a mark within it", async () => {
      const aside = (from: unknown): EntryBody => ({ type: "event", name: "set-aside", data: { from } });
      await append(say("a"), anchor("plan"), say("b"), say("c"), compaction("all", 5), say("d"), aside(5));
      expect(await view()).toMatchObject({ mark: { name: "plan" }, said: [{ seq: 4 }], isCut: false });
      expect((await stage.tenant.entries.marks(sessionId, 9)).map(({ seq }) => seq)).toEqual([3]);
      await append(
        say("e"),
        say("f"),
        aside(9),
        say("g"),
        aside(13),
        aside("everything"),
        aside(99),
        aside(-5),
      );
      expect(texts((await view()).said)).toEqual(["b", "g"]);
      expect(texts((await view({ limit: 1 })).said)).toEqual(["g"]);
      const { messagesFrom, asides } = stage.tenant.entries;
      expect(texts(await messagesFrom(sessionId, 1, 2))).toEqual(["a", "b"]);
      expect(texts(await messagesFrom(sessionId, 4, 9))).toEqual(["b", "g"]);
      expect(await asides(sessionId)).toEqual([{ from: 5, to: 11 }]);
      expect(await stage.tenant.entries.recent(sessionId, 99)).toHaveLength(16);
    });

    it("reads messages onward from a place, and one entry by its number", async () => {
      await append(say("a"), event("noted"), say("b"), say("c"));
      const { messagesFrom, at } = stage.tenant.entries;
      expect(texts(await messagesFrom(sessionId, 2, 2))).toEqual(["a", "b"]);
      expect(texts(await messagesFrom(sessionId, 3, 9))).toEqual(["b", "c"]);
      expect(await messagesFrom(sessionId, 6, 9)).toEqual([]);
      expect(await at(sessionId, 3)).toMatchObject({ type: "event", name: "noted", seq: 3 });
      expect(await at(sessionId, 9)).toBeUndefined();
    });

    it("SESS-09 lists compactions and anchors, newest first", async () => {
      await append(event("carried"), anchor("plan"), say("a"), compaction("a", 4), event("noted"));
      const marks = await stage.tenant.entries.marks(sessionId, 9);
      expect(marks.map(({ seq, type }) => [seq, type])).toEqual([
        [5, "compaction"],
        [3, "anchor"],
      ]);
      expect(await stage.tenant.entries.marks(sessionId, 1)).toEqual(marks.slice(0, 1));
    });

    it("TEN-01 is nothing of another tenant's session", async () => {
      await append(anchor("plan"), say("secret"));
      const { entries } = stage.stores.tenant("rival");
      expect(await entries.view(sessionId, all)).toEqual({ mark: undefined, said: [], isCut: false });
      expect(await entries.messagesFrom(sessionId, 1, 9)).toEqual([]);
      expect(await entries.at(sessionId, 1)).toBeUndefined();
      expect(await entries.marks(sessionId, 9)).toEqual([]);
      const query = { terms: ["secret"], limit: 9 };
      const nothing = { found: [], stoppedAt: null };
      expect(await entries.search(sessionId, query)).toEqual(nothing);
      expect(await entries.search(sessionId, { ...query, everySession: true })).toEqual(nothing);
    });

    it("SESS-06 is the same once the session was taken out and in again, and gone when it is deleted", async () => {
      await append(say("a"), say("b"), compaction("a", 3), say("c"));
      const before = await view();
      const entries = await stage.tenant.entries.recent(sessionId, 99);
      await stage.tenant.sessions.delete(sessionId, "test");
      expect(await view()).toEqual({ mark: undefined, said: [], isCut: false });
      await stage.tenant.sessions.restore(entries);
      expect(await view()).toEqual(before);
    });
  });

  describe("searching", () => {
    let sessionId: string;
    type Query = Parameters<typeof stage.tenant.entries.search>[1];
    const search = async (terms: string[], more: Partial<Query> = {}) => {
      const { found } = await stage.tenant.entries.search(sessionId, { terms, limit: 99, ...more });
      return texts(found.map(({ entry }) => entry));
    };
    const append = (...words: string[]) =>
      stage.tenant.entries.append(
        sessionId,
        words.map((text) => say(text)),
      );
    beforeEach(async () => {
      ({
        session: { sessionId },
      } = await stage.tenant.sessions.open(request("main")));
    });

    it("SESS-09 finds messages that hold every term, newest first, upper and lower case alike", async () => {
      await append("The red house", "a blue House", "red HOUSE again", "a house");
      expect(await search(["house", "RED"])).toEqual(["red HOUSE again", "The red house"]);
      expect(await search(["house"], { limit: 1 })).toEqual(["a house"]);
      expect(await search(["green"])).toEqual([]);
      expect(await search(["house"], { limit: 0 })).toEqual([]);
    });

    it("SESS-09 finds words of every script", async () => {
      await append("明天下午三点开会", "GRÜSSE aus Köln", "Привет МИР");
      expect(await search(["三点", "开会"])).toEqual(["明天下午三点开会"]);
      expect(await search(["grüsse", "KÖLN"])).toEqual(["GRÜSSE aus Köln"]);
      expect(await search(["мир"])).toEqual(["Привет МИР"]);
    });

    it("takes marks and wildcards as they are written", async () => {
      await append("100% sure", "100 sure", 'she said "yes"', "a_b", "axb", "back\\slash", "two\nlines");
      expect(await search(["100%"])).toEqual(["100% sure"]);
      expect(await search(["a_b"])).toEqual(["a_b"]);
      expect(await search(['"yes"'])).toEqual(['she said "yes"']);
      expect(await search(["k\\s"])).toEqual(["back\\slash"]);
      expect(await search(["two\nlines"])).toEqual(["two\nlines"]);
    });

    it("looks at words alone, not at how they are kept, nor at what is no message", async () => {
      await append("plain");
      await stage.tenant.entries.append(sessionId, [
        compaction("content of the summary", 2),
        say("answer", "assistant"),
      ]);
      for (const key of ["content", "role", "text", "stub", "summary"])
        expect(await search([key])).toEqual([]);
      expect(await search([""])).toEqual([]);
      expect(await search([])).toEqual([]);
    });

    it("finds what was said long ago, in the earlier sessions of the key too where that is asked", async () => {
      await append("the needle of the first session");
      const earlier = sessionId;
      await stage.clock.advance(1000);
      ({
        session: { sessionId },
      } = await stage.tenant.sessions.openNew(request("main")));
      await append("a needle", ...Array.from({ length: 1100 }, (_, index) => `hay ${index}`), "needle two");
      await stage.tenant.sessions.open(request("other"));
      expect(await search(["needle"])).toEqual(["needle two", "a needle"]);
      const { found, stoppedAt } = await stage.tenant.entries.search(sessionId, {
        terms: ["needle"],
        limit: 9,
        everySession: true,
      });
      expect(found.map((one) => one.sessionId)).toEqual([sessionId, sessionId, earlier]);
      expect(stoppedAt).toBeNull();
      expect(await search(["needle"], { everySession: true, limit: 2 })).toEqual(["needle two", "a needle"]);
      expect(await search(["hay", "7"], { limit: 3 })).toEqual(["hay 1097", "hay 1087", "hay 1079"]);
    });

    it("finds only what is wanted, as much of it as is asked for", async () => {
      await append("a needle", "your needle", "my needle", "the needle");
      const isWanted: Query["isWanted"] = ({ message }) => /^(?:a|my) /.test(textOf(message));
      expect(await search(["needle"], { isWanted, limit: 2 })).toEqual(["my needle", "a needle"]);
    });

    it("goes back only so far where that is asked, says how far, and lets others have their turn", async () => {
      await append("a needle", ...Array.from({ length: 200 }, (_, index) => `hay ${index}`), "needle two");
      let hadTurn = false;
      setImmediate(() => (hadTurn = true));
      const { found, stoppedAt } = await stage.tenant.entries.search(sessionId, {
        terms: ["needle"],
        limit: 9,
        most: 100,
      });
      expect(texts(found.map(({ entry }) => entry))).toEqual(["needle two"]);
      expect(stoppedAt).toEqual({ sessionId, seq: expect.any(Number) });
      expect(stoppedAt?.seq).toBeGreaterThan(90);
      expect(stoppedAt?.seq).toBeLessThan(110);
      expect(hadTurn).toBe(true);
      expect(await search(["needle"], { most: 1000 })).toEqual(["needle two", "a needle"]);
    });
  });
}
