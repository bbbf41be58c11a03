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
import { question, yes } from "./testing/approval-samples.ts";

const spendProcess = join(import.meta.dirname, "testing", "spend-process.ts");
let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-spend-"));
  file = join(directory, "core.db");
});
afterEach(() => rm(directory, { recursive: true }));

/** Starts one, kills it a while after it is ready, and answers with the approvals that it said it had. */
async function spendUntilKilled(ids: readonly string[], lifetimeMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [spendProcess, file, ...ids], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const got: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => got.push(line));
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]);
  await once(lines, "line");
  await sleep(lifetimeMs);
  child.kill("SIGKILL");
  await ended;
  return got.slice(1);
}

describe("approvals, killed at any moment", () => {
  it("SAFE-02 are each used at most once, no matter by which process, and what was used stays used", async () => {
    const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
    const { approvals } = stores.tenant("acme");
    const ids: string[] = [];
    for (let index = 0; index < 2000; index++) {
      const draft = question(`r_${index}`, { expiresAt: "2999-01-01T00:00:00.000Z" });
      const { id } = await approvals.ask(draft);
      await approvals.answer(id, yes);
      ids.push(id);
    }
    const used = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const lists = await Promise.all([0, 1, 2].map(() => spendUntilKilled(ids, Math.random() * 150)));
      for (const id of lists.flat()) {
        expect(used.has(id)).toBe(false);
        used.add(id);
      }
    }
    const spent = new Set((await approvals.list({ limit: 9999, states: ["spent"] })).map(({ id }) => id));
    expect([...used].filter((id) => !spent.has(id))).toEqual([]);
    expect(used.size).toBeGreaterThan(100);
    expect(await stores.health("full")).toMatchObject({ ok: true });
    await stores.close();
  });
});
