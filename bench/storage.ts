/**
 * What storage costs: durable appends with and without shared syncs, on this disk and on one that takes
 * 2 ms longer; the event loop meanwhile; reading the recent part of short and long sessions; listing.
 * `node bench/storage.ts [--json]`
 */
import { fdatasync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { EntryBody } from "@pincer/sdk";
import { systemClock } from "../src/infra/clock.ts";
import { createIds } from "../src/infra/ids.ts";
import { openSqliteStores } from "../src/storage/open-sqlite-stores.ts";
import type { TenantStores } from "../src/storage/storage.ts";

export interface StorageFigures {
  load: number;
  commitsPerSecond: CommitFigures[];
  /** While 8 writers are busy; the goal is below 20. */
  eventLoopDelayP99Ms: Record<Disk, number>;
  /** The goal is the same for 1,000 and 100,000 entries. */
  recent100Ms: Record<10 | 1000 | 100_000, number>;
  /** With 10,000 sessions; the goal is below 50 for a page. */
  listMs: { firstPageOf50: number; pageOf50InTheMiddle: number; search: number; allByThousands: number };
}

type Disk = "this disk" | "2 ms slower";

interface CommitFigures {
  disk: Disk;
  oneWriter: number;
  /** 64 writers, each commit with a sync of its own, one after the other. */
  manyWithoutSharing: number;
  /** 64 writers, sharing syncs as the stores do. */
  manySharing: number;
  syncsPerHundredCommits: number;
}

const systemSync = promisify(fdatasync);
const disks: Record<Disk, (descriptor: number) => Promise<void>> = {
  "this disk": systemSync,
  "2 ms slower": async (descriptor) => {
    await systemSync(descriptor);
    await sleep(2);
  },
};

/** Runs everything in a directory of its own; takes about half a minute. */
export async function measureStorage({ secondsPerRun = 2 } = {}): Promise<StorageFigures> {
  const slow = "2 ms slower";
  const here = "this disk";
  return {
    load: loadavg()[0] ?? 0,
    commitsPerSecond: [await measureCommits(here, secondsPerRun), await measureCommits(slow, secondsPerRun)],
    eventLoopDelayP99Ms: {
      [here]: await measureEventLoop(here, secondsPerRun),
      [slow]: await measureEventLoop(slow, secondsPerRun),
    },
    recent100Ms: await measureRecent(),
    listMs: await measureList(),
  };
}

async function measureCommits(disk: Disk, seconds: number): Promise<CommitFigures> {
  const oneWriter = await withStores(disk, (tenant) => appendFor(tenant, { writers: 1, seconds }));
  const manyWithoutSharing = await withStores(disk, (tenant) =>
    appendFor(tenant, { writers: 64, seconds, turnByTurn: true }),
  );
  const many = await withStores(disk, async (tenant, syncs) => {
    const before = syncs();
    const rate = await appendFor(tenant, { writers: 64, seconds });
    return { rate, syncs: syncs() - before };
  });
  return {
    disk,
    oneWriter: Math.round(oneWriter),
    manyWithoutSharing: Math.round(manyWithoutSharing),
    manySharing: Math.round(many.rate),
    syncsPerHundredCommits: round((100 * many.syncs) / (many.rate * seconds)),
  };
}

async function measureEventLoop(disk: Disk, seconds: number): Promise<number> {
  return withStores(disk, async (tenant) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await appendFor(tenant, { writers: 8, seconds });
    delay.disable();
    return round(delay.percentile(99) / 1e6);
  });
}

async function measureRecent(): Promise<StorageFigures["recent100Ms"]> {
  return withStores("this disk", async (tenant) => {
    const median = async (length: number) => {
      const sessionId = await openSession(tenant, `session of ${length}`);
      for (let written = 1; written < length; written += 1000) {
        const count = Math.min(1000, length - written);
        await tenant.entries.append(sessionId, Array.from({ length: count }, message));
      }
      return medianMs(300, () => tenant.entries.recent(sessionId, 100));
    };
    return { 10: await median(10), 1000: await median(1000), 100_000: await median(100_000) };
  });
}

async function measureList(): Promise<StorageFigures["listMs"]> {
  return withStores("this disk", async (tenant) => {
    for (let made = 0; made < 10_000; made += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => openSession(tenant, `key-${made + index}`)),
      );
    }
    const walk = async (limit: number, pages: number) => {
      let next: string | null = null;
      for (let page = 0; page < pages; page++) {
        ({ next } = await tenant.sessions.list({ limit, ...(next === null ? {} : { after: next }) }));
      }
      return next;
    };
    const after = (await walk(50, 100)) ?? "";
    return {
      firstPageOf50: await medianMs(50, () => tenant.sessions.list({ limit: 50 })),
      pageOf50InTheMiddle: await medianMs(50, () => tenant.sessions.list({ limit: 50, after })),
      search: await medianMs(20, () => tenant.sessions.list({ limit: 50, search: "key-999" })),
      allByThousands: await medianMs(5, () => walk(1000, 10)),
    };
  });
}

/** Commits per second of writers with a session each. */
async function appendFor(
  tenant: TenantStores,
  { writers, seconds, turnByTurn = false }: { writers: number; seconds: number; turnByTurn?: boolean },
): Promise<number> {
  const sessions = await Promise.all(
    Array.from({ length: writers }, (_, index) => openSession(tenant, `writer ${index}`)),
  );
  let turn: Promise<unknown> = Promise.resolve();
  const append = (sessionId: string): Promise<unknown> => {
    const write = () => tenant.entries.append(sessionId, [message()]);
    if (!turnByTurn) return write();
    turn = turn.then(write);
    return turn;
  };
  const start = performance.now();
  const until = start + seconds * 1000;
  let commits = 0;
  const write = async (sessionId: string) => {
    while (performance.now() < until) {
      await append(sessionId);
      commits++;
    }
  };
  await Promise.all(sessions.map(write));
  return (1000 * commits) / (performance.now() - start);
}

async function withStores<Result>(
  disk: Disk,
  measure: (tenant: TenantStores, syncs: () => number) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-bench-"));
  let syncs = 0;
  const stores = await openSqliteStores({
    file: join(directory, "core.db"),
    clock: systemClock,
    ids: createIds(),
    fdatasync: (descriptor) => {
      syncs++;
      return disks[disk](descriptor);
    },
  });
  try {
    return await measure(stores.tenant("default"), () => syncs);
  } finally {
    await stores.close();
    await rm(directory, { recursive: true });
  }
}

async function openSession(tenant: TenantStores, sessionKey: string): Promise<string> {
  const origin = { channel: "cli" };
  const request = { sessionKey, workspaceId: "default", agentId: "main", origin, cwd: "/" };
  return (await tenant.sessions.open(request)).session.sessionId;
}

const message = (): EntryBody => ({
  type: "message",
  message: { role: "user", content: [{ type: "text", text: "What is the weather like today? ".repeat(8) }] },
});

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let count = 0; count < times; count++) {
    const start = performance.now();
    await work();
    durations.push(performance.now() - start);
  }
  durations.sort((one, other) => one - other);
  return round(durations[Math.floor(times / 2)] ?? 0);
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The figures as tables for people. */
export function printStorage(figures: StorageFigures): void {
  console.log(`load ${figures.load.toFixed(2)}\n\nDurable appends per second`);
  console.table(
    figures.commitsPerSecond.map(({ disk, ...rates }) => ({
      disk,
      ...rates,
      gain: `${(rates.manySharing / rates.manyWithoutSharing).toFixed(1)} ×`,
    })),
  );
  console.log("Event-loop delay while 8 writers are busy, p99 in ms (goal < 20)");
  console.table(figures.eventLoopDelayP99Ms);
  console.log("recent(100) in ms, by the length of the session (goal: flat)");
  console.table(figures.recent100Ms);
  console.log("List of 10,000 sessions, in ms (goal < 50)");
  console.table(figures.listMs);
}

if (import.meta.main) {
  const figures = await measureStorage();
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  else printStorage(figures);
}
