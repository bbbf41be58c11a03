import { describe, expect, it } from "vitest";
import { createPlainMemoryService } from "./testing/plain-memory.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

describe.each(ways)("the memory API %s", (way) => {
  async function apiWith(...given: Parameters<typeof createPlainMemoryService>) {
    const room = createPlainMemoryService(...given);
    const { apis } = await createApiStage(way, {}, undefined, room);
    return { room, memory: apis.memory };
  }

  it("CLI-24 searches as the owner, in the memory of one agent", async () => {
    const { memory, room } = await apiWith({
      lines: [{ text: "tea at four", who: "Ada" }, { text: "cake" }],
    });
    const found = await memory.search({ text: "tea" });
    expect(found.hits).toMatchObject([
      { path: "memory/2026-11-15.md", line: 1, text: "tea at four", who: "Ada" },
    ]);
    expect(found.behind).toEqual({ files: false, sessions: 0 });
    await memory.search({ text: "tea", limit: 3, agentId: "main" });
    expect(room.asked).toEqual([
      { agentId: "main", text: "tea", limit: 10, chat: "owner" },
      { agentId: "main", text: "tea", limit: 3, chat: "owner" },
    ]);
  });

  it("MEM-08 reads lines of a place as the owner", async () => {
    const { memory } = await apiWith({ lines: [{ text: "one" }, { text: "two" }, { text: "three" }] });
    const path = "memory/2026-11-15.md";
    expect(await memory.get({ path, startLine: 2 })).toEqual({
      path,
      startLine: 2,
      endLine: 3,
      totalLines: 3,
      lines: ["two", "three"],
    });
  });

  it("CLI-24 tells the state of the index and brings it up to date", async () => {
    const { memory, room } = await apiWith({ outcome: { messages: 7 } });
    expect(await memory.status({})).toMatchObject({ state: "idle", embedderChoice: { provider: "none" } });
    expect(await memory.index({ rebuild: true, embed: false })).toMatchObject({ files: 1, messages: 7 });
    expect(room.synced).toMatchObject([{ rebuild: true, embed: false }]);
  });

  it("SEC-02 tells what waits for the owner's word, confirms it and drops it", async () => {
    const line = { path: "MEMORY.md", line: 2, text: "closes at six", label: "unconfirmed, from web a.org" };
    const waiting = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map((ref) => ({ ...line, ref }));
    const { memory } = await apiWith({ waiting });
    expect(await memory.unconfirmed({})).toEqual({ lines: waiting });
    expect(await memory.drop({ ref: "aaaaaaaa" })).toEqual({ dropped: waiting[0] });
    expect(await memory.confirm({ ref: "bbbbbbbb" })).toEqual({ confirmed: [waiting[1]] });
    expect(await memory.confirm({ all: true })).toEqual({ confirmed: [waiting[2]] });
    await expect(memory.confirm({ ref: "aaaaaaaa" })).rejects.toMatchObject({ code: "usage/not-found" });
    await expect(memory.confirm({})).rejects.toMatchObject({ code: "usage/bad-argument" });
  });

  it("stops when the caller aborts", async () => {
    const begun = Promise.withResolvers<void>();
    const { memory } = await apiWith({
      until: (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
          begun.resolve();
        }),
    });
    const leaving = new AbortController();
    const work = memory.index({}, { signal: leaving.signal });
    work.catch(() => undefined);
    await begun.promise;
    leaving.abort(new Error("enough"));
    await expect(work).rejects.toThrow("enough");
  });

  it("refuses an agent that nobody knows", async () => {
    const { memory } = await apiWith();
    const agentId = "nobody";
    for (const asking of [
      memory.status({ agentId }),
      memory.search({ agentId, text: "x" }),
      memory.get({ agentId, path: "MEMORY.md" }),
      memory.index({ agentId }),
      memory.unconfirmed({ agentId }),
      memory.confirm({ agentId, all: true }),
      memory.drop({ agentId, ref: "aaaaaaaa" }),
    ])
      await expect(asking).rejects.toMatchObject({ code: "config/not-found" });
  });
});
