import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";

const appendProcess = join(import.meta.dirname, "testing", "append-process.ts");
let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-crash-"));
  file = join(directory, "core.db");
});
afterEach(() => rm(directory, { recursive: true }));

/** Starts a writer, kills it after a while, and answers with the seqs that it said were written. */
async function writeUntilKilled(name: string, lifetimeMs: number): Promise<number[]> {
  const child = spawn(process.execPath, [appendProcess, file, "main", name, "100000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const confirmed: number[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => confirmed.push(Number(line)));
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]);
  await sleep(lifetimeMs);
  child.kill("SIGKILL");
  await ended;
  return confirmed;
}

describe("killed at any moment", () => {
  it("SESS-08 SESS-11 keeps every confirmed entry, stays whole, and lets the next one in", async () => {
    const confirmed = new Set<number>();
    for (let round = 0; round < 100; round++) {
      const names = [`a${round}`, `b${round}`];
      const lists = await Promise.all(names.map((name) => writeUntilKilled(name, 100 + Math.random() * 600)));
      for (const seq of lists.flat()) {
        expect(confirmed.has(seq)).toBe(false);
        confirmed.add(seq);
      }
    }
    const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
    expect(await stores.health("full")).toMatchObject({ ok: true, sessions: 1 });
    const { sessions, entries } = stores.tenant("acme");
    const session = await sessions.findActive("w1", "main");
    const all = await entries.recent(session?.sessionId ?? "", 10_000_000);
    await stores.close();
    expect(all.map((entry) => entry.seq)).toEqual(all.map((_, index) => index + 1));
    const stored = new Set(all.map((entry) => entry.seq));
    expect([...confirmed].filter((seq) => !stored.has(seq))).toEqual([]);
    expect(confirmed.size).toBeGreaterThan(100);
  });
});
