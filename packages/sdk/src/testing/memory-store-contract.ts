/** The contract of every memory store, as one suite. Run it against yours. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MemoryLine, MemoryQuery, MemoryScope, MemorySource, MemoryStore } from "../memory-store.ts";
import { memorySourceKinds } from "../memory-store.ts";

/** A store with nothing in it. */
export interface MemoryStoreStage {
  store: MemoryStore;
  /** Closes it and removes what it left. */
  close(): Promise<void>;
}

export function describeMemoryStore(name: string, open: () => Promise<MemoryStoreStage>): void {
  describe(`${name} keeps the promises of a memory store`, () => {
    let stage: MemoryStoreStage;
    let store: MemoryStore;
    beforeEach(async () => {
      stage = await open();
      ({ store } = stage);
    });
    afterEach(() => stage.close());

    const find = async (text: string, scope: Partial<MemoryScope> = {}) =>
      (await store.search(question(text, scope))).hits;
    const found = async (text: string, scope: Partial<MemoryScope> = {}) =>
      (await find(text, scope)).map((hit) => hit.text);

    describe("writing", () => {
      it("MEM-07 finds what was put, with its place", async () => {
        await store.put(notes, garden, "1");
        const [hit] = await find("Which tomatoes were planted?");
        expect(hit).toMatchObject({
          sourceId: notes.id,
          kind: "note",
          path: "memory/2026-11-15.md",
          line: 3,
          text: "Planted the Oxheart tomatoes behind the shed",
        });
        expect(hit?.score).toBeGreaterThan(0);
        expect(hit?.score).toBeLessThanOrEqual(1);
      });

      it("MEM-11 makes a source hold just what was put last", async () => {
        await store.put(notes, garden, "1");
        await store.put(notes, [{ line: 1, text: "The ladder is at the neighbour's" }], "2");
        expect(await found("Where is the ladder?")).toEqual(["The ladder is at the neighbour's"]);
        expect(await found("Oxheart tomatoes")).toEqual([]);
        expect(await store.sources()).toEqual([{ id: notes.id, stamp: "2", lines: 1, lastLine: 1 }]);
      });

      it("MEM-11 says what a put changed: nothing for the same lines, one for one line", async () => {
        expect(await store.put(notes, garden, "1")).toEqual({ added: 3, removed: 0, moved: 0 });
        expect(await store.put(notes, garden, "2")).toEqual({ added: 0, removed: 0, moved: 0 });
        const changed = garden.with(1, { ...line(garden, 1), text: "Watered the basil" });
        expect(await store.put(notes, changed, "3")).toEqual({ added: 1, removed: 1, moved: 0 });
        expect(await found("Who watered the basil?")).toContain("Watered the basil");
      });

      it("MEM-11 knows lines again that moved", async () => {
        await store.put(notes, garden, "1");
        const lower = garden.map((each) => ({ ...each, line: each.line + 1 }));
        const change = await store.put(notes, [{ line: 1, text: "Bought seeds" }, ...lower], "2");
        expect(change).toEqual({ added: 1, removed: 0, moved: 3 });
        expect((await find("Oxheart tomatoes"))[0]?.line).toBe(4);
      });

      it("MEM-11 knows a line again whose facts changed, and finds it by the new ones", async () => {
        await store.put(notes, [{ line: 1, text: "The rent is due on Friday", who: "Ann" }], "1");
        const change = await store.put(
          notes,
          [{ line: 1, text: "The rent is due on Friday", who: "Bob" }],
          "2",
        );
        expect(change).toEqual({ added: 0, removed: 0, moved: 1 });
        expect(await find("When is the rent due?")).toMatchObject([{ who: "Bob" }]);
      });

      it("MEM-11 takes an empty file, and lines that are there several times", async () => {
        await store.put(notes, [], "1");
        expect(await store.sources()).toEqual([{ id: notes.id, stamp: "1", lines: 0, lastLine: 0 }]);
        const twice = [1, 2, 3].map((number) => ({ line: number, text: "Fed the cat Kiki" }));
        await store.put(notes, twice, "2");
        await store.put(notes, twice.slice(0, 2), "3");
        expect((await find("Kiki the cat")).map((hit) => hit.line).toSorted()).toEqual([1, 2]);
      });

      it("MEM-11 appends behind what is there, and is safe to repeat", async () => {
        const talk = [said(2, "My passport number is K8842"), said(3, "Noted")];
        expect(await store.append(conversation, talk, "3")).toMatchObject({ added: 2 });
        expect(await store.append(conversation, talk, "3")).toMatchObject({ added: 0 });
        const more = [...talk, said(5, "The passport expires in 2031")];
        expect(await store.append(conversation, more, "5")).toEqual({ added: 1, removed: 0, moved: 0 });
        expect(await store.sources()).toEqual([{ id: conversation.id, stamp: "5", lines: 3, lastLine: 5 }]);
        const mentioned = (await found("passport")).filter((text) => text.includes("passport"));
        expect(mentioned).toHaveLength(2);
      });

      it("MEM-11 keeps parts of one message apart", async () => {
        const parts = [said(2, "First the aubergines"), said(2, "then the courgettes")];
        await store.append(conversation, parts, "2");
        expect(await found("courgettes")).toEqual(expect.arrayContaining(["then the courgettes"]));
        expect((await store.sources())[0]).toMatchObject({ lines: 2, lastLine: 2 });
      });

      it("MEM-11 forgets what is removed, and says whether it was there", async () => {
        await store.put(notes, garden, "1");
        await store.put(lasting, [{ line: 1, text: "The tomatoes of grandmother were Oxheart" }], "1");
        expect(await store.remove(notes.id)).toBe(true);
        expect(await store.remove(notes.id)).toBe(false);
        expect(await found("Oxheart tomatoes")).toEqual(["The tomatoes of grandmother were Oxheart"]);
        expect((await store.sources()).map(({ id }) => id)).toEqual([lasting.id]);
      });

      it("MEM-11 lists the sources of one agent", async () => {
        await store.put(notes, garden, "1");
        await store.put({ ...lasting, id: "other/MEMORY.md", agentId: "other" }, garden, "7");
        expect((await store.sources("other")).map(({ id, stamp }) => [id, stamp])).toEqual([
          ["other/MEMORY.md", "7"],
        ]);
        expect(await store.sources("nobody")).toEqual([]);
        expect(await store.sources()).toHaveLength(2);
      });

      it("MEM-11 does what is asked at the same time one after another", async () => {
        const versions = Array.from({ length: 12 }, (_, version) =>
          store.put(notes, [{ line: 1, text: `Version number${version} of the plan` }], String(version)),
        );
        await Promise.all(versions);
        expect(await found("Which version of the plan?")).toEqual(["Version number11 of the plan"]);
      });
    });

    describe("searching", () => {
      it("MEM-07 gives back who, when and whose words they are", async () => {
        const facts = { who: "Ann", time: "2026-11-15", label: "telegram:42" };
        await store.put(notes, [{ line: 7, text: "The plumber comes on Thursday", ...facts }], "1");
        expect(await find("When does the plumber come?")).toMatchObject([{ ...facts, line: 7 }]);
      });

      it("MEM-07 gives at most as many as asked for, the best first", async () => {
        const many = Array.from({ length: 30 }, (_, at) => ({
          line: at + 1,
          text: at === 17 ? "The red bicycle stands in the cellar" : `A bicycle was seen near house${at}`,
        }));
        await store.put(notes, many, "1");
        const { hits } = await store.search({ ...question("red bicycle cellar"), limit: 5 });
        expect(hits.length).toBeLessThanOrEqual(5);
        expect(hits[0]?.line).toBe(18);
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      });

      it("MEM-07 finds Chinese", async () => {
        const lines = ["周末和小明去爬山了", "猫喜欢晒太阳", "医生说要少喝咖啡"];
        await store.put(
          notes,
          lines.map((text, at) => ({ line: at + 1, text })),
          "1",
        );
        expect((await found("谁一起去爬山"))[0]).toBe("周末和小明去爬山了");
        expect((await found("咖啡"))[0]).toBe("医生说要少喝咖啡");
      });

      it("MEM-10 finds error codes, versions and paths exactly", async () => {
        const identifiers = ["ERR_CONN_RESET", "E4711", "src/app/main-loop.ts", "v2.13.4"];
        const near = ["ERR_CONN_REFUSED", "E4712", "src/app/main.ts", "v2.13.5"];
        const texts = [...near, ...identifiers].map((identifier) => `It said ${identifier} in the log`);
        await store.put(
          notes,
          texts.map((text, at) => ({ line: at + 1, text })),
          "1",
        );
        for (const identifier of identifiers)
          expect((await found(identifier))[0]).toBe(`It said ${identifier} in the log`);
      });

      it("MEM-07 finds nothing rather than noise", async () => {
        await store.put(notes, garden, "1");
        expect(await found("quantum chromodynamics lecture")).toEqual([]);
        expect(await found("")).toEqual([]);
        expect(await found("?! ... ")).toEqual([]);
      });

      it("MEM-07 takes anything for a question", async () => {
        await store.put(notes, garden, "1");
        for (const text of ['"', "AND OR NOT", "a* (b", "body:x", "' OR 1=1 --", "\ud800", "\0", "^-:{}[]"])
          expect(await find(text)).toBeInstanceOf(Array);
      });

      it("MEM-07 takes a very long question", async () => {
        await store.put(notes, garden, "1");
        expect(await found(`Oxheart tomatoes, ${"and the ".repeat(2000)}`)).toContain(garden[2]?.text);
      });

      it("MEM-07 lets nobody find what is another agent's, of another kind, or of another conversation", async () => {
        const text = "The safe opens with zebra-stripes";
        const everywhere: MemorySource[] = [
          notes,
          lasting,
          conversation,
          { ...conversation, id: "session:2", path: "s2", sessionKey: "group:2" },
          { ...notes, id: "other/note", agentId: "other", path: "o" },
        ];
        for (const source of everywhere) await store.put(source, [{ line: 1, text }], "1");
        const places = async (scope: Partial<MemoryScope>) =>
          (await find("safe zebra-stripes", scope)).map(({ sourceId }) => sourceId).toSorted();
        expect(await places({ kinds: ["note"] })).toEqual([notes.id]);
        expect(await places({ kinds: ["conversation"], sessionKey: "direct:1" })).toEqual([conversation.id]);
        expect(await places({ kinds: ["note", "conversation"], sessionKey: "group:2" })).toEqual(
          [notes.id, "session:2"].toSorted(),
        );
        expect(await places({ kinds: ["conversation"] })).toEqual([conversation.id, "session:2"]);
        expect(await places({ agentId: "other" })).toEqual(["other/note"]);
        expect(await places({ kinds: [] })).toEqual([]);
        expect(await places({ agentId: "nobody" })).toEqual([]);
      });

      it("MEM-11 writes nothing when it searches", async () => {
        await store.put(notes, garden, "1");
        const before = { status: await store.status(), sources: await store.sources() };
        for (const text of ["tomatoes", "nothing of the kind", "basil"]) await find(text);
        expect({ status: await store.status(), sources: await store.sources() }).toEqual(before);
      });

      it("MEM-07 does not begin a search whose signal has aborted", async () => {
        await expect(store.search(question("x"), AbortSignal.abort())).rejects.toBeInstanceOf(Error);
      });
    });

    describe("its state", () => {
      it("MEM-11 counts what it holds, and tells when it was last written", async () => {
        expect(await store.status()).toMatchObject({ sources: 0, lines: 0, writtenAt: null });
        await store.put(notes, garden, "1");
        await store.put(lasting, garden.slice(0, 1), "1");
        const { byKind, writtenAt, ...status } = await store.status();
        expect(status).toMatchObject({ sources: 2, lines: 4 });
        expect(byKind).toEqual({ memory: 1, note: 3, conversation: 0 });
        expect(Date.parse(writtenAt ?? "")).not.toBeNaN();
        expect((await store.search(question("basil"))).freshness.writtenAt).toBe(writtenAt);
      });

      it("MEM-11 forgets all when it is cleared, and can be filled again", async () => {
        await store.put(notes, garden, "1");
        await store.clear({ keepVectors: true });
        expect(await found("tomatoes")).toEqual([]);
        expect(await store.sources()).toEqual([]);
        expect(await store.put(notes, garden, "1")).toMatchObject({ added: 3 });
        await store.clear();
        expect(await store.status()).toMatchObject({ lines: 0, cachedVectors: 0 });
      });

      it("MEM-12 makes vectors if it has an embedder, and says how many are left", async () => {
        await store.put(notes, garden, "1");
        const { embedder } = await store.status();
        const { left } = await store.embedMissing();
        expect(left).toBe(0);
        expect((await store.status()).cachedVectors > 0).toBe(embedder !== null);
      });

      it("MEM-12 can be closed twice, and does nothing afterwards", async () => {
        await store.close();
        await store.close();
        await expect(store.put(notes, garden, "1")).rejects.toBeInstanceOf(Error);
        await expect(store.search(question("x"))).rejects.toBeInstanceOf(Error);
      });
    });
  });
}

const notes: MemorySource = {
  id: "main/memory/2026-11-15.md",
  kind: "note",
  agentId: "main",
  path: "memory/2026-11-15.md",
};
const lasting: MemorySource = { id: "main/MEMORY.md", kind: "memory", agentId: "main", path: "MEMORY.md" };
const conversation: MemorySource = {
  id: "session:1",
  kind: "conversation",
  agentId: "main",
  path: "s1",
  sessionKey: "direct:1",
};

const garden: MemoryLine[] = [
  { line: 1, text: "Sunday in the garden" },
  { line: 2, text: "Watered the roses" },
  { line: 3, text: "Planted the Oxheart tomatoes behind the shed" },
];

function line(lines: readonly MemoryLine[], at: number): MemoryLine {
  const found = lines[at];
  if (!found) throw new Error(`no line ${at}`);
  return found;
}

const said = (number: number, text: string): MemoryLine => ({
  line: number,
  text,
  time: "2026-11-15T08:00:00Z",
});

const question = (text: string, scope: Partial<MemoryScope> = {}): MemoryQuery => ({
  text,
  limit: 10,
  scope: { agentId: "main", kinds: memorySourceKinds, ...scope },
  now: Date.UTC(2026, 10, 16, 12),
  timezone: "UTC",
});
