/** What every storage promises about sessions: opening them, their record, and the list. */
import type { EntryBody } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { TenantStores } from "../storage.ts";
import { request, say } from "./samples.ts";
import type { Stage } from "./stage.ts";

const carried = (sessionId: string, summary: string): EntryBody => ({
  type: "event",
  name: "carried",
  data: { sessionId, summary },
});

export function describeSessions(stage: Stage): void {
  describe("sessions", () => {
    it("SESS-01 creates a session with its first entry for a new key and finds it again later", async () => {
      const origin = {
        channel: "telegram",
        accountId: "bot",
        peerKey: "42",
        threadKey: "7",
        subject: "Trip",
      };
      const first = await stage.tenant.sessions.open(request("dm:alice", { origin }));
      await stage.clock.advance(1000);
      const second = await stage.tenant.sessions.open(request("dm:alice"));

      expect(first.created).toBe(true);
      expect(first.session.sessionId).toMatch(/^s_/);
      expect(second).toEqual({ session: first.session, created: false });
      expect(first.session).toEqual({
        sessionId: first.session.sessionId,
        tenantId: "acme",
        workspaceId: "w1",
        agentId: "main",
        sessionKey: "dm:alice",
        origin,
        state: "active",
        memoryEnabled: false,
        settings: {},
        compactedMessageCount: 0,
        compactionCount: 0,
        memoryFlushAt: null,
        tokens: { input: 0, output: 0, context: 0, total: 0 },
        lastSeq: 1,
        messageCount: 0,
        mirroredSeq: 0,
        createdAt: "2026-01-01T12:00:00.000Z",
        updatedAt: "2026-01-01T12:00:00.000Z",
      });
      expect(await stage.tenant.entries.recent(first.session.sessionId, 10)).toEqual([
        {
          type: "session",
          id: first.session.sessionId,
          cwd: "/home/someone",
          tenantId: "acme",
          workspaceId: "w1",
          agentId: "main",
          sessionKey: "dm:alice",
          origin: first.session.origin,
          version: 1,
          seq: 1,
          time: "2026-01-01T12:00:00.000Z",
        },
      ]);
    });

    it("keeps what a session wishes, by its entries, until it is cleared or the session ends", async () => {
      const { session } = await stage.tenant.sessions.open(request("dm:wishes"));
      const wish = (name: string, value: string | null) =>
        stage.tenant.entries.append(session.sessionId, [
          { type: "event", name: "session-setting", data: { name, value } },
        ]);
      await wish("model", "one");
      await wish("think", "high");
      await wish("model", "two");
      const found = await stage.tenant.sessions.get(session.sessionId);
      expect(found?.settings).toEqual({ model: "two", think: "high" });
      await wish("think", null);
      expect((await stage.tenant.sessions.get(session.sessionId))?.settings).toEqual({ model: "two" });
      const { session: next, ended } = await stage.tenant.sessions.openNew(request("dm:wishes"));
      expect({ next: next.settings, ended: ended?.settings }).toEqual({ next: {}, ended: { model: "two" } });
      const entries = await stage.tenant.entries.recent(session.sessionId, 99);
      await stage.tenant.sessions.delete(session.sessionId, "test");
      const restored = await stage.tenant.sessions.restore(entries);
      expect(restored).toMatchObject({ type: "restored", session: { settings: { model: "two" } } });
    });

    it("SESS-01 lets one of many simultaneous first messages create the session", async () => {
      const opened = await Promise.all(
        Array.from({ length: 20 }, () => stage.tenant.sessions.open(request("dm:bob"))),
      );
      expect(opened.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(opened.map(({ session }) => session.sessionId)).size).toBe(1);
    });

    it("SESS-01 keeps equal keys of two workspaces apart", async () => {
      const one = await stage.tenant.sessions.open(request("main", { workspaceId: "w1" }));
      const other = await stage.tenant.sessions.open(request("main", { workspaceId: "w2" }));
      expect(other.created).toBe(true);
      expect(await stage.tenant.sessions.findActive("w1", "main")).toEqual(one.session);
      expect(await stage.tenant.sessions.findActive("w2", "main")).toEqual(other.session);
      expect(await stage.tenant.sessions.findActive("w3", "main")).toBeUndefined();
    });

    it("SESS-03 ends the active session for a new one, which inherits the memory switch", async () => {
      const { session: old } = await stage.tenant.sessions.open(request("main"));
      await stage.tenant.sessions.switchMemory(old.sessionId, true);
      const { session: fresh, ended } = await stage.tenant.sessions.openNew(request("main"));

      expect(fresh).toMatchObject({ state: "active", memoryEnabled: true, lastSeq: 2 });
      expect(ended).toMatchObject({ sessionId: old.sessionId, state: "ended", lastSeq: 3 });
      expect(await stage.tenant.sessions.get(old.sessionId)).toEqual(ended);
      expect(await stage.tenant.sessions.findActive("w1", "main")).toEqual(fresh);
      const other = await stage.tenant.sessions.openNew(request("other"));
      expect(other.session.memoryEnabled).toBe(false);
      expect(other.ended).toBeUndefined();
    });

    it("SESS-03 goes on with a session that had ended, and ends the one that took its key", async () => {
      const { sessions, entries } = stage.tenant;
      const { session: old } = await sessions.open(request("main"));
      const { session: fresh } = await sessions.openNew(request("main"));
      const { session, ended } = await sessions.resume(old.sessionId);
      expect(session).toMatchObject({ sessionId: old.sessionId, state: "active" });
      expect(ended).toMatchObject({ sessionId: fresh.sessionId, state: "ended" });
      expect(await sessions.findActive("w1", "main")).toEqual(session);
      expect((await sessions.open(request("main"))).session).toEqual(session);
      expect(await sessions.resume(old.sessionId)).toEqual({ session, ended: undefined });
      await expect(sessions.resume("s_none")).rejects.toMatchObject({ code: "session/not-found" });

      // What its transcript says is the same.
      const whole = await entries.recent(old.sessionId, 100);
      await sessions.delete(old.sessionId, "test");
      expect(await sessions.restore(whole)).toMatchObject({ session: { state: "active", lastSeq: 3 } });
    });

    it("SESS-03 gives a new session what it takes over from the last one together with it, or begins none", async () => {
      const { sessions, entries } = stage.tenant;
      const { session: old } = await sessions.open(request("main"));
      await entries.append(old.sessionId, [say("hello")]);
      const carry: Parameters<typeof sessions.openNew>[1] = ({ session, mark, said }) => {
        expect([session.sessionId, session.state, mark, said.length]).toEqual([
          old.sessionId,
          "ended",
          undefined,
          1,
        ]);
        return carried(session.sessionId, "They met.");
      };
      const { session: fresh } = await sessions.openNew(request("main"), carry);
      expect(fresh.lastSeq).toBe(2);
      expect((await entries.view(fresh.sessionId, { before: 9, limit: 9 })).mark).toMatchObject(
        carried(old.sessionId, "They met."),
      );
      const failing = () => {
        throw new Error("not today");
      };
      await expect(sessions.openNew(request("main"), failing)).rejects.toThrow("not today");
      expect(await sessions.findActive("w1", "main")).toEqual(fresh);
    });

    it("STORE-08 empties what later sessions took over of one, and what was handed on of that", async () => {
      const { sessions, entries } = stage.tenant;
      const ids = [(await sessions.open(request("main"))).session.sessionId];
      /** Each takes over something from the one before. */
      const follow = async () => {
        await stage.clock.advance(1000);
        const { session } = await sessions.openNew(request("main"), ({ session: last }) =>
          carried(last.sessionId, `of ${ids.length}`),
        );
        ids.push(session.sessionId);
      };
      for (let count = 0; count < 3; count++) await follow();
      await entries.append(ids[3] ?? "", [
        say("x"),
        { type: "compaction", summary: "Their own.", keepFrom: 4 },
      ]);
      await follow();
      for (const id of ids) await sessions.markMirrored(id, 2);
      const rest = async () => {
        const found = await Promise.all(ids.map((id) => entries.at(id, 2)));
        return found.map((entry) => (entry?.type === "event" ? entry.data["summary"] : undefined));
      };
      const [, second = "", third, fourth] = ids;
      const forgotten = await sessions.forgetCarried(second);
      expect(forgotten.map(({ sessionId, mirroredSeq }) => [sessionId, mirroredSeq])).toEqual([
        [third, 0],
        [fourth, 0],
      ]);
      expect(await rest()).toEqual([undefined, "of 1", "", "", "of 4"]);
      expect(await sessions.forgetCarried(second)).toEqual(forgotten);
      expect(await stage.stores.tenant("rival").sessions.forgetCarried(second)).toEqual([]);
    });

    it("STORE-08 empties what was handed on of it although something behind it was superseded", async () => {
      const { sessions, entries } = stage.tenant;
      const { session: first } = await sessions.open(request("main"));
      const handOn = ({ session }: { session: { sessionId: string } }) =>
        carried(session.sessionId, "They met.");
      const { session: second } = await sessions.openNew(request("main"), handOn);
      await stage.clock.advance(1000);
      const mark: EntryBody = { type: "compaction", summary: "Theirs.", keepFrom: 3 };
      const aside: EntryBody = { type: "event", name: "set-aside", data: { from: 3 } };
      await entries.append(second.sessionId, [say("x"), mark, aside]);
      await stage.clock.advance(1000);
      const { session: third } = await sessions.openNew(request("main"), handOn);
      await sessions.forgetCarried(first.sessionId);
      for (const { sessionId } of [second, third])
        expect(await entries.at(sessionId, 2)).toMatchObject(carried(expect.any(String), ""));
    });

    it("SESS-06 rebuilds from the entries alone which session of a key is active, in whatever order they come", async () => {
      await stage.tenant.sessions.open(request("main"));
      const { ended } = await stage.tenant.sessions.openNew(request("main"));
      const { session: fresh, ended: second } = await stage.tenant.sessions.openNew(request("main"));
      const ids = [ended, second, fresh].map((session) => session?.sessionId ?? "");
      const transcripts = await Promise.all(ids.map((id) => stage.tenant.entries.recent(id, 10)));
      for (const id of ids) await stage.tenant.sessions.delete(id, "test");
      for (const entries of transcripts) await stage.tenant.sessions.restore(entries);

      expect((await stage.tenant.sessions.findActive("w1", "main"))?.sessionId).toBe(fresh.sessionId);
      expect((await stage.tenant.sessions.get(ids[0] ?? ""))?.state).toBe("ended");
      expect((await stage.tenant.sessions.get(ids[1] ?? ""))?.state).toBe("ended");
    });

    it("SESS-03 records the memory switch in the record and as an entry, once", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.clock.advance(5);
      const switched = await stage.tenant.sessions.switchMemory(session.sessionId, true);
      const again = await stage.tenant.sessions.switchMemory(session.sessionId, true);

      expect(switched).toEqual({
        ...session,
        memoryEnabled: true,
        lastSeq: 2,
        updatedAt: "2026-01-01T12:00:00.005Z",
      });
      expect(again).toEqual(switched);
      expect(await stage.tenant.entries.after(session.sessionId, 1, 10)).toEqual([
        {
          type: "event",
          name: "memory-switched",
          data: { enabled: true },
          seq: 2,
          time: "2026-01-01T12:00:00.005Z",
        },
      ]);
      expect(await stage.tenant.sessions.switchMemory(session.sessionId, false)).toMatchObject({
        memoryEnabled: false,
      });
    });

    it("SESS-07 adds up tokens and remembers the size of the last context", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.tenant.sessions.addTokens(session.sessionId, {
        input: 10,
        output: 2,
        context: 100,
        total: 12,
      });
      await stage.tenant.sessions.addTokens(session.sessionId, {
        input: 5,
        output: 1,
        context: 90,
        total: 6,
      });
      expect((await stage.tenant.sessions.get(session.sessionId))?.tokens).toEqual({
        input: 15,
        output: 3,
        context: 90,
        total: 18,
      });
    });

    it("SESS-07 keeps compactions and memory flushes in the record as they are appended", async () => {
      const { session } = await stage.tenant.sessions.open(request("main"));
      await stage.tenant.entries.append(session.sessionId, [say("a"), say("b"), say("c")]);
      await stage.clock.advance(60_000);
      await stage.tenant.entries.append(session.sessionId, [
        { type: "event", name: "memory-flushed", data: {} },
        { type: "compaction", summary: "a and b", keepFrom: 4 },
      ]);
      expect(await stage.tenant.sessions.get(session.sessionId)).toMatchObject({
        compactionCount: 1,
        compactedMessageCount: 2,
        messageCount: 3,
        memoryFlushAt: "2026-01-01T12:01:00.000Z",
      });
    });

    it("says session/not-found for a session that is not there", async () => {
      const missing = { code: "session/not-found" };
      await expect(stage.tenant.sessions.switchMemory("s_none", true)).rejects.toMatchObject(missing);
      await expect(stage.tenant.entries.append("s_none", [say("x")])).rejects.toMatchObject(missing);
      const none = { input: 0, output: 0, context: 0, total: 0 };
      await expect(stage.tenant.sessions.addTokens("s_none", none)).rejects.toMatchObject(missing);
      expect(await stage.tenant.sessions.get("s_none")).toBeUndefined();
      expect(await stage.tenant.entries.recent("s_none", 5)).toEqual([]);
      await stage.tenant.sessions.markMirrored("s_none", 3);
    });
  });

  describe("the list of sessions", () => {
    const open = async (key: string, agentId = "main") => {
      await stage.clock.advance(1000);
      return (await stage.tenant.sessions.open(request(key, { agentId }))).session.sessionId;
    };
    const keysOf = async (query: Parameters<TenantStores["sessions"]["list"]>[0]) =>
      (await stage.tenant.sessions.list(query)).sessions.map((session) => session.sessionKey);

    it("STORE-05 has the newest activity first", async () => {
      const oldest = await open("a");
      await open("b");
      expect(await keysOf({ limit: 10 })).toEqual(["b", "a"]);
      await stage.clock.advance(1);
      await stage.tenant.entries.append(oldest, [say("hello")]);
      expect(await keysOf({ limit: 10 })).toEqual(["a", "b"]);
    });

    it("STORE-05 pages through all of them exactly once, also when many share one moment", async () => {
      const keys = Array.from({ length: 23 }, (_, index) => `key-${index}`);
      for (const key of keys) await stage.tenant.sessions.open(request(key));
      const seen: string[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = await stage.tenant.sessions.list({
          limit: 5,
          ...(after === undefined ? {} : { after }),
        });
        expect(page.sessions.length).toBeLessThanOrEqual(5);
        seen.push(...page.sessions.map((session) => session.sessionKey));
        after = page.next ?? undefined;
        pages++;
      } while (after !== undefined);
      expect(seen.sort()).toEqual(keys.sort());
      expect(pages).toBe(5);
    });

    it("STORE-05 ends with null also when the last page is full", async () => {
      await open("a");
      await open("b");
      const page = await stage.tenant.sessions.list({ limit: 2 });
      expect(page.sessions).toHaveLength(2);
      expect(page.next).toBeNull();
    });

    it("STORE-05 finds by agent and by a part of the key, taking signs literally", async () => {
      await open("telegram:Alice");
      await open("telegram:bob", "helper");
      await open("100%_sure");
      expect(await keysOf({ limit: 9, agentId: "helper" })).toEqual(["telegram:bob"]);
      expect(await keysOf({ limit: 9, search: "ALI" })).toEqual(["telegram:Alice"]);
      expect(await keysOf({ limit: 9, search: "telegram", agentId: "main" })).toEqual(["telegram:Alice"]);
      expect(await keysOf({ limit: 9, search: "0%_s" })).toEqual(["100%_sure"]);
      expect(await keysOf({ limit: 9, search: "_" })).toEqual(["100%_sure"]);
      expect(await keysOf({ limit: 9, search: "\\" })).toEqual([]);
      expect(await keysOf({ limit: 9, without: ["TELEGRAM:"] })).toEqual(["100%_sure"]);
      expect(await keysOf({ limit: 9, without: ["%"] })).not.toContain("100%_sure");
    });

    it("STORE-05 finds by channel, by whether they go on, and by the name that somebody gave", async () => {
      const named = await open("telegram:1");
      await stage.clock.advance(1000);
      await stage.tenant.sessions.open(request("irc:2", { origin: { channel: "irc" } }));
      await stage.tenant.sessions.openNew(request("irc:2", { origin: { channel: "irc" } }));
      const label = { name: "label", value: "Trip to Łódź 100%" };
      await stage.tenant.entries.append(named, [{ type: "event", name: "session-setting", data: label }]);
      expect(await keysOf({ limit: 9, channel: "irc" })).toEqual(["irc:2", "irc:2"]);
      expect(await keysOf({ limit: 9, channel: "irc", state: "ended" })).toEqual(["irc:2"]);
      expect(await keysOf({ limit: 9, channel: "fax" })).toEqual([]);
      expect(await keysOf({ limit: 9, search: "TRIP to Łódź 100%" })).toEqual(["telegram:1"]);
      expect(await keysOf({ limit: 9, search: "label" })).toEqual([]);
    });

    it("STORE-05 finds by what the conversation is about, and by its first words, as a list shows them", async () => {
      const mail = { channel: "email", subject: "Rent for May" };
      await stage.tenant.sessions.open(request("email:1", { origin: mail }));
      const walk = await open("telegram:1");
      await stage.tenant.entries.append(walk, [say("Plan 100% of\nthe walk"), say("and a swim")]);
      expect(await keysOf({ limit: 9, search: "rent FOR" })).toEqual(["email:1"]);
      expect(await keysOf({ limit: 9, search: "plan 100% OF the" })).toEqual(["telegram:1"]);
      for (const search of ["swim", "Plan%walk", "content"])
        expect(await keysOf({ limit: 9, search })).toEqual([]);
    });

    it("tells the first words of each that somebody began to talk in", async () => {
      const ids = [await open("a"), await open("b"), await open("c")];
      const [a = "", b = ""] = ids;
      await stage.tenant.entries.append(a, [
        { type: "event", name: "x", data: {} },
        say("first"),
        say("second"),
      ]);
      await stage.tenant.entries.append(
        b,
        Array.from({ length: 30 }, () => ({ type: "event" as const, name: "x", data: {} })),
      );
      await stage.tenant.entries.append(b, [say("too far behind")]);
      const openings = await stage.tenant.sessions.openings([...ids, "s_none"]);
      expect([...openings.keys()]).toEqual([a]);
      expect(openings.get(a)).toMatchObject({ ...say("first"), seq: 3 });
      expect(await stage.stores.tenant("rival").sessions.openings(ids)).toEqual(new Map());
    });

    it("refuses a cursor that it did not make", async () => {
      await expect(stage.tenant.sessions.list({ limit: 1, after: "nonsense" })).rejects.toMatchObject({
        code: "usage/bad-argument",
      });
    });
  });
}
