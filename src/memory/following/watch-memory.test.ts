import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchMemory, type MemoryWatch } from "./watch-memory.ts";

let workdir: string;
let watching: MemoryWatch;
let changes: number;
let waiting: Array<() => void>;

beforeEach(() => {
  workdir = mkdtempSync(join(tmpdir(), "pincer-watch-"));
  changes = 0;
  waiting = [];
  watching = watchMemory({
    workdir,
    onChange() {
      changes++;
      for (const go of waiting.splice(0)) go();
    },
    onTrouble(error) {
      throw error;
    },
  });
});
afterEach(() => {
  watching.close();
  rmSync(workdir, { recursive: true, force: true });
});

/** Resolves with the first notice after the change was made. */
async function noticeOf(change: () => void): Promise<void> {
  const noticed = new Promise<void>((resolve) => waiting.push(resolve));
  change();
  await noticed;
}

describe("watching the files of memory", () => {
  it("MEM-11 tells of the memory file, of notes, and of notes by month, also in directories that come later", async () => {
    await noticeOf(() => writeFileSync(join(workdir, "MEMORY.md"), "one"));
    await noticeOf(() => mkdirSync(join(workdir, "memory")));
    await noticeOf(() => writeFileSync(join(workdir, "memory/2026-11-15.md"), "two"));
    await noticeOf(() => mkdirSync(join(workdir, "memory/202611")));
    await noticeOf(() => writeFileSync(join(workdir, "memory/202611/20261115.md"), "three"));
    expect(changes).toBeGreaterThanOrEqual(5);
  });

  it("MEM-11 follows a directory that went away and came back", async () => {
    await noticeOf(() => mkdirSync(join(workdir, "memory")));
    await noticeOf(() => rmSync(join(workdir, "memory"), { recursive: true }));
    await noticeOf(() => mkdirSync(join(workdir, "memory")));
    const before = changes;
    await noticeOf(() => writeFileSync(join(workdir, "memory/2026-11-15.md"), "back"));
    expect(changes).toBeGreaterThan(before);
  });

  it("says nothing about files that are no memory", async () => {
    writeFileSync(join(workdir, "notes.txt"), "no");
    await noticeOf(() => writeFileSync(join(workdir, "MEMORY.md"), "yes"));
    const before = changes;
    writeFileSync(join(workdir, "other.md"), "no");
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toBeLessThanOrEqual(before + 1);
  });

  it("goes quiet when it is closed, twice if need be", async () => {
    await noticeOf(() => writeFileSync(join(workdir, "MEMORY.md"), "one"));
    watching.close();
    watching.close();
    const before = changes;
    writeFileSync(join(workdir, "MEMORY.md"), "two");
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toBe(before);
  });
});
