/**
 * What a turn costs from a network and back: a whole gateway with a model that answers at once and a network that takes at once.
 * Twenty sessions side by side on this disk and on one that takes 2 ms longer; one session as it grows; memory as turns go by.
 * `node --expose-gc --max-semi-space-size=1 bench/turns.ts [--json]`
 */
import { spawnSync } from "node:child_process";
import { fdatasync, readFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { instantModel, withHouse, type House } from "./house.ts";

export interface TurnFigures {
  /** Turns a second with 20 sessions at once. */
  perSecond: { thisDisk: number; slowDisk: number };
  /** Of one turn alone, from the message to its reply. */
  aloneMs: { p50: number; p99: number };
  eventLoopDelayMs: { p99: number; p999: number };
  /** Processor time of a turn among 20 sessions. */
  busyCpuMs: number;
  /** Processor time of a turn, all threads together, after this many earlier turns of its session. */
  cpuMsAfter: Record<string, number>;
  /** The last of them as a multiple of the second: by then the code is warm. */
  growth: number;
  /** MB after collection. */
  memoryMb: { at2000: Memory; at10000: Memory; rssRatio: number };
  /** What one turn writes to files, checkpoints included; null where the system does not tell. */
  writtenKb: number | null;
}

interface Memory {
  heap: number;
  rss: number;
}

const systemSync = promisify(fdatasync);
const slowSync = async (descriptor: number) => {
  await systemSync(descriptor);
  await sleep(2);
};

export async function measureTurns({ turns = 10_000, seconds = 5 } = {}): Promise<TurnFigures> {
  const thisDisk = await withHouse({ models: [instantModel] }, (house) => throughput(house, seconds));
  const slowDisk = await withHouse({ models: [instantModel], fdatasync: slowSync }, (house) =>
    throughput(house, seconds),
  );
  const long = await withHouse({ models: [instantModel] }, (house) => grow(house, turns));
  return {
    perSecond: { thisDisk: thisDisk.perSecond, slowDisk: slowDisk.perSecond },
    aloneMs: long.aloneMs,
    eventLoopDelayMs: thisDisk.eventLoopDelayMs,
    busyCpuMs: thisDisk.cpuMs,
    cpuMsAfter: long.cpuMsAfter,
    growth: long.growth,
    memoryMb: long.memoryMb,
    writtenKb: long.writtenKb,
  };
}

async function throughput(house: House, seconds: number) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let count = 0;
  const run = async (until: number) => {
    count = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        while (performance.now() < until) {
          await house.turn(`p${index}`);
          count++;
        }
      }),
    );
  };
  await run(performance.now() + 1000);
  delay.enable();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await run(begin + seconds * 1000);
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  return {
    cpuMs: Math.round((user + system) / count) / 1000,
    perSecond: Math.round(count / ((performance.now() - begin) / 1000)),
    eventLoopDelayMs: { p99: inMs(delay.percentile(99)), p999: inMs(delay.percentile(99.9)) },
  };
}

const inMs = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100;

/** One session that grows, with a hundred measured turns at each of a few lengths. */
async function grow(house: House, turns: number) {
  const marks = [10, 200, 2000, turns - 100];
  const cpuMsAfter: Record<string, number> = {};
  const memory: Record<number, Memory> = {};
  const walls: number[] = [];
  const before = writtenBytes();
  for (let done = 0; done < turns;) {
    if (marks.includes(done)) {
      const cpu = process.cpuUsage();
      for (let count = 0; count < 100; count++, done++) {
        const begin = performance.now();
        await house.turn("one");
        walls.push(performance.now() - begin);
      }
      const { user, system } = process.cpuUsage(cpu);
      cpuMsAfter[String(done - 100)] = Math.round((user + system) / 100) / 1000;
      if (done === 2100 || done === turns) memory[done] = memoryNow();
    } else {
      await house.turn("one");
      done++;
    }
  }
  const after = writtenBytes();
  const writtenKb =
    before === undefined || after === undefined ? null : Math.round((after - before) / turns / 100) / 10;
  walls.sort((a, b) => a - b);
  const at = (share: number) => Math.round((walls[Math.floor(walls.length * share)] ?? 0) * 100) / 100;
  const values = Object.values(cpuMsAfter);
  const at2000 = memory[2100] ?? memoryNow();
  const at10000 = memory[turns] ?? memoryNow();
  return {
    writtenKb,
    aloneMs: { p50: at(0.5), p99: at(0.99) },
    cpuMsAfter,
    growth: Math.round(((values.at(-1) ?? 0) / (values[1] ?? 1)) * 100) / 100,
    memoryMb: { at2000, at10000, rssRatio: Math.round((at10000.rss / at2000.rss) * 100) / 100 },
  };
}

/** By this process so far, to files of every kind. */
function writtenBytes(): number | undefined {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

function memoryNow(): Memory {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const inMb = (bytes: number) => Math.round(bytes / 1e5) / 10;
  return { heap: inMb(heapUsed), rss: inMb(rss) };
}

/** The figures in a process of its own, with the flags of the daemon. Its collector can be called, so that what stays can be told from what is to go. */
export function measureTurnsApart(): TurnFigures {
  const flags = ["--expose-gc", "--max-semi-space-size=1"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, import.meta.filename, "--json"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`turns ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as TurnFigures;
}

export function printTurns(figures: TurnFigures): void {
  const { perSecond, aloneMs, eventLoopDelayMs, busyCpuMs, cpuMsAfter, growth, memoryMb, writtenKb } =
    figures;
  const { at2000, at10000, rssRatio } = memoryMb;
  const lately = Object.values(cpuMsAfter).at(-1) ?? Number.NaN;
  const lines: Array<[name: string, figure: string, verdict?: string]> = [
    ["20 sessions at once", `${perSecond.thisDisk} turns/s`, atLeast(perSecond.thisDisk, 300)],
    ["with a disk 2 ms slower", `${perSecond.slowDisk} turns/s`, atLeast(perSecond.slowDisk, 250)],
    ["event loop delay p99.9", `${eventLoopDelayMs.p999} ms`, atMost(eventLoopDelayMs.p999, 50)],
    ["event loop delay p99", `${eventLoopDelayMs.p99} ms`],
    ["one alone", `${aloneMs.p50} ms p50, ${aloneMs.p99} ms p99`],
    ["processor time, alone", `${lately} ms`, atMost(lately, 3)],
    ["processor time, among 20", `${busyCpuMs} ms`, atMost(busyCpuMs, 3)],
    ["as a session grows", `${growth} × (${listed(cpuMsAfter)})`, atMost(growth, 1.15)],
    ["written", `${writtenKb ?? "?"} KB`, writtenKb === null ? "" : atMost(writtenKb, 100)],
    ["heap", `${at2000.heap} → ${at10000.heap} MB`, atMost(at10000.heap, 30)],
    ["memory, 10,000 to 2,000", `${rssRatio} × (${at2000.rss} → ${at10000.rss} MB)`, atMost(rssRatio, 1.15)],
  ];
  process.stdout.write("turns (a network, the whole gateway, an instant model, and back)\n");
  for (const [name, figure, verdict = ""] of lines)
    process.stdout.write(`  ${name.padEnd(25)} ${figure}  ${verdict}\n`);
}

const atLeast = (value: number, goal: number) => `goal ≥ ${goal}: ${value >= goal ? "met" : "MISSED"}`;
const atMost = (value: number, goal: number) => `goal ≤ ${goal}: ${value <= goal ? "met" : "MISSED"}`;
const listed = (figures: Record<string, number>) =>
  Object.entries(figures)
    .map(([after, ms]) => `${ms} ms after ${after}`)
    .join(", ");

if (import.meta.main) {
  const figures = await measureTurns();
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else printTurns(figures);
}
