import type { EntryBody } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createEntryStore } from "./entry-store.ts";
import type { EntryRow } from "./entry-row.ts";
import { toMessageEntry } from "./entry-row.ts";
import { createKeptEntries, type KeptEntries } from "./kept-entries.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { openSqliteDatabase } from "../sqlite/sqlite-database.ts";
import { request, say } from "../testing/samples.ts";

const row = (seq: number, text: string, time = "2026-01-01T00:00:00.000Z"): EntryRow => ({
  seq,
  time,
  body_json: JSON.stringify({
    type: "message",
    message: { role: "user", content: [{ type: "text", text, origin: "owner" }] },
  }),
});

const asked = { shape: "", before: 1000, wanted: 50 };

/** As the view does: what is kept is not read again. */
function look(kept: KeptEntries, sessionId: string, stored: readonly EntryRow[], query = asked) {
  const from = kept.from(sessionId, query);
  const rows = stored.filter(({ seq }) => seq >= from && seq < query.before).toReversed();
  return kept.read(sessionId, { ...query, from }, rows.slice(0, query.wanted + 1));
}

describe("messages that are kept", () => {
  it("are the same as those that are read anew, and the very ones of the time before", () => {
    const kept = createKeptEntries();
    const rows = [row(1, "one"), row(2, "two")];
    const first = look(kept, "s", rows);
    expect(first).toEqual({ said: rows.map(toMessageEntry), isCut: false });
    expect(kept.from("s", asked)).toBe(2);
    const later = look(kept, "s", [...rows, row(3, "three")]);
    expect(later?.said.map((entry, index) => entry === first?.said[index])).toEqual([true, true, false]);
    expect(later?.said[2]).toEqual(toMessageEntry(row(3, "three")));
  });

  it("are as many as are wanted, also where fewer or more were wanted before", () => {
    const kept = createKeptEntries();
    const rows = Array.from({ length: 9 }, (_, index) => row(index + 1, "words"));
    const seen = (wanted: number, stored = rows) => {
      const { said, isCut } = look(kept, "s", stored, { ...asked, wanted }) ?? { said: [], isCut: false };
      return [said.map(({ seq }) => seq), isCut];
    };
    expect(seen(2, rows.slice(0, 5))).toEqual([[4, 5], true]);
    expect(seen(3, rows.slice(0, 6))).toEqual([[4, 5, 6], true]);
    expect(seen(2, rows.slice(0, 7))).toEqual([[6, 7], true]);
    expect(seen(20)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9], false]);
    expect(seen(0)).toEqual([[], true]);
  });

  it("are read anew where the last one is gone or says something else, for another session, and where others count", () => {
    const kept = createKeptEntries();
    const rows = [row(1, "one"), row(2, "two")];
    look(kept, "s", rows);
    expect(kept.read("s", { ...asked, from: 2 }, [row(3, "three")])).toBeUndefined();
    expect(kept.read("s", { ...asked, from: 2 }, [row(2, "other")])).toBeUndefined();
    expect(
      kept.read("s", { ...asked, from: 2 }, [row(2, "two", "2026-01-02T00:00:00.000Z")]),
    ).toBeUndefined();
    expect(kept.from("t", asked)).toBe(0);
    expect(kept.from("s", { ...asked, shape: "1 2" })).toBe(0);
    expect(kept.from("s", { ...asked, before: 2 })).toBe(0);
  });

  it("cannot be changed by their readers", () => {
    const kept = createKeptEntries();
    const said = look(kept, "s", [row(1, "one")])?.said ?? [];
    const content = said[0]?.message.content as unknown as Array<{ text: string }>;
    expect(() => content.push({ text: "more" })).toThrow("not extensible");
    expect(() => Object.assign(content[0] ?? {}, { text: "other" })).toThrow("read only");
    said.pop();
    expect(look(kept, "s", [row(1, "one")])?.said).toHaveLength(1);
  });

  it("are few: a session with very long ones is not kept, and those that were silent longest go first", () => {
    const kept = createKeptEntries();
    look(kept, "long", [row(1, "x".repeat(500_000))]);
    expect(kept.from("long", asked)).toBe(0);
    for (const name of ["a", "b", "c", "d", "e"]) look(kept, name, [row(1, "x".repeat(450_000))]);
    expect(["a", "b", "c", "d", "e"].map((name) => kept.from(name, asked))).toEqual([0, 1, 1, 1, 1]);
    look(kept, "b", [row(1, "x".repeat(450_000)), row(2, "y")]);
    look(kept, "f", [row(1, "x".repeat(450_000))]);
    expect(["b", "c", "d", "e", "f"].map((name) => kept.from(name, asked))).toEqual([2, 0, 1, 1, 1]);
  });
});

describe("a view", () => {
  const bodies = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<EntryBody>(say("a"), say("b", "assistant")) },
    fc.constant<EntryBody>({ type: "event", name: "noted", data: {} }),
    fc.constant<EntryBody>({ type: "anchor", name: "plan" }),
    fc.nat(20).map<EntryBody>((keepFrom) => ({ type: "compaction", summary: "before", keepFrom })),
    fc.nat(20).map<EntryBody>((from) => ({ type: "event", name: "set-aside", data: { from } })),
  );
  const steps = fc.array(
    fc.record({
      bodies: fc.array(bodies, { maxLength: 4 }),
      limit: fc.nat(6),
      before: fc.oneof(fc.constant(Number.MAX_SAFE_INTEGER), fc.nat(25)),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it("SESS-09 is what it would be if nothing had been kept, whatever was said, marked, superseded and asked before", async () => {
    const clock = createHandClock();
    const directory = await mkdtemp(join(tmpdir(), "pincer-kept-"));
    const file = join(directory, "core.db");
    const stores = await openSqliteStores({ file, clock, ids: createIds() });
    const tenant = stores.tenant("acme");
    const database = await openSqliteDatabase({ file, clock });
    onTestFinished(async () => {
      await Promise.all([stores.close(), database.close()]);
      await rm(directory, { recursive: true });
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { session } = await tenant.sessions.open(request(`main-${count++}`));
        for (const { bodies: said, ...query } of taken) {
          await tenant.entries.append(session.sessionId, said);
          const fresh = createEntryStore({ database, clock, tenantId: "acme" });
          expect(await tenant.entries.view(session.sessionId, query)).toEqual(
            await fresh.view(session.sessionId, query),
          );
        }
        await tenant.sessions.delete(session.sessionId, "owner");
        const { said, isCut } = await tenant.entries.view(session.sessionId, {
          before: Number.MAX_SAFE_INTEGER,
          limit: 9,
        });
        expect([said, isCut]).toEqual([[], false]);
      }),
      { numRuns: 60 },
    );
  });
});
