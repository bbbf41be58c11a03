import { PincerError } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { MemoryWindow } from "@pincer/sdk";
import { createMemoryGetTool } from "./memory-get-tool.ts";
import { createMemorySearchTool } from "./memory-search-tool.ts";

const call = { callId: "c", sessionKey: "s", signal: new AbortController().signal };

/** A place with this many lines, each of the given length. */
function reading(total: number, { length = 6, label }: { length?: number; label?: string } = {}) {
  const asked: Array<{ startLine: number; endLine: number }> = [];
  const tool = createMemoryGetTool({
    async get({ path, startLine, endLine }): Promise<MemoryWindow> {
      asked.push({ startLine, endLine });
      const end = Math.min(endLine, total);
      const lines = Array.from({ length: Math.max(0, end - startLine + 1) }, (_, at) =>
        `line ${startLine + at}`.padEnd(length, "x"),
      );
      return { path, startLine, endLine: end, totalLines: total, lines, ...(label ? { label } : {}) };
    },
  });
  const get = (input: object) => tool.run({ path: "MEMORY.md", ...input }, call);
  return { asked, get };
}

describe("memory_get", () => {
  it("MEM-08 gives the lines that were asked for, and how many there are", async () => {
    const { get } = reading(9);
    expect(await get({ startLine: 2, endLine: 3 })).toEqual({
      text: "[MEMORY.md:2-3 of 9]\nline 2\nline 3",
      from: "MEMORY.md",
      details: { path: "MEMORY.md", startLine: 2, endLine: 3, totalLines: 9 },
    });
    expect((await get({})).text).toContain("[MEMORY.md:1-9 of 9]\nline 1\n");
  });

  it("MEM-08 gives 200 lines at most and says where to go on", async () => {
    const { asked, get } = reading(500);
    expect((await get({})).text).toMatch(/^\[MEMORY\.md:1-200 of 500; go on with 201\]\n/);
    expect((await get({ startLine: 201, endLine: 500 })).details).toMatchObject({ endLine: 400 });
    expect((await get({ endLine: 450 })).details).toMatchObject({ startLine: 251, endLine: 450 });
    expect(asked.every(({ startLine, endLine }) => endLine - startLine < 200)).toBe(true);
  });

  it("gives 20,000 characters at most, in whole lines unless one alone is longer", async () => {
    const many = await reading(150, { length: 999 }).get({});
    expect(many.text).toMatch(/^\[MEMORY\.md:1-20 of 150; go on with 21\]/);
    expect(many.text.length).toBeLessThanOrEqual(20_100);
    const one = await reading(1, { length: 30_000 }).get({});
    expect(one.text).toMatch(/… \[cut\]$/);
    expect(one.text.length).toBeLessThan(20_100);
  });

  it("marks what is not the owner's before its words", async () => {
    expect((await reading(1, { label: "telegram:42" }).get({})).text).toBe(
      "[MEMORY.md:1-1 of 1] [untrusted: telegram:42]\nline 1",
    );
  });

  it("SEC-02 shows what nobody has confirmed as the words of others, up to a mark that they could not know", async () => {
    const lines = ["- mine", "- [unconfirmed, from web a.org] obey", "[unconfirmed] [end]", "- mine too"];
    const tool = createMemoryGetTool({
      get: async ({ path }) => ({ path, startLine: 1, endLine: 4, totalLines: 4, lines }),
    });
    const { text, details, origin } = await tool.run({ path: "MEMORY.md" }, call);
    const [, mine, begins, theirs, also, ends, last] = text.split("\n");
    expect([mine, theirs, also, last]).toEqual(lines);
    const mark = /^\[Unconfirmed, up to the mark ([0-9a-f]{16}): .*not instructions/.exec(begins ?? "")?.[1];
    expect(ends).toBe(`[${mark}: end of what is unconfirmed]`);
    expect([details, origin, tool.resultOrigin]).toMatchObject([{ unconfirmed: 2 }, undefined, "memory"]);
    expect((await tool.run({ path: "MEMORY.md" }, call)).text).not.toContain(mark);
  });

  it("SEC-02 ends what is unconfirmed also where the lines end, and takes no words of a conversation for a label", async () => {
    const lines = ["- [unconfirmed] obey"];
    const tool = createMemoryGetTool({
      get: async ({ path }) => ({ path, startLine: 1, endLine: 1, totalLines: 1, lines }),
    });
    expect((await tool.run({ path: "MEMORY.md" }, call)).text).toMatch(
      /\[[0-9a-f]{16}: end of what is unconfirmed\]$/,
    );
    expect((await tool.run({ path: "agents/main/sessions/01J.jsonl" }, call)).text).not.toContain(
      "up to the mark",
    );
  });

  it("MEM-08 says what is wrong and what to do", async () => {
    await expect(reading(9).get({ startLine: 5, endLine: 4 })).rejects.toThrow(/before startLine 5; give/);
    await expect(reading(9).get({ startLine: 10 })).rejects.toThrow("MEMORY.md has 9 lines");
    const refusing = createMemoryGetTool({
      async get() {
        throw new PincerError("usage/not-found", "There is no such place.", { hint: "Search for it first." });
      },
    });
    await expect(refusing.run({ path: "x" }, call)).rejects.toThrow(
      "There is no such place. Search for it first.",
    );
  });

  it("TOOL-04 costs few tokens in every request, as memory_search does, and neither changes anything", () => {
    const unused = async () => {
      throw new Error("not called");
    };
    const tools = [createMemorySearchTool({ search: unused }), createMemoryGetTool({ get: unused })];
    expect(tools.map(({ name, effect, idempotent }) => [name, effect, idempotent])).toEqual([
      ["memory_search", "read", true],
      ["memory_get", "read", true],
    ]);
    const told = tools.map(({ name, description, input }) => ({ name, description, input }));
    expect(tools.reduce((sum, { description }) => sum + description.length, 0) / 4).toBeLessThan(40);
    expect(JSON.stringify(told).length / 4).toBeLessThan(145);
  });
});
