/**
 * What the search of memory costs: filling the index from files, searching it, and what the thread that serves people notices of both.
 * `node bench/memory.ts [--json]`
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { memorySourceKinds } from "@pincer/sdk";
import { type MemoryThread, startMemoryThread } from "../src/memory/index/memory-thread.ts";

export interface MemoryFigures {
  load: number;
  /** By number of lines. */
  sizes: Record<string, SizeFigures>;
  /** Of the process, in MB. */
  memoryMb: { before: number; filling: number; searching: number; afterEnd: number };
}

interface SizeFigures {
  fillSeconds: number;
  searchMs: { p50: number; p95: number; max: number };
  /** A search while the index is being filled. */
  searchMeanwhileMs: number;
  /** Of the calling thread, while the index is filled and searched. */
  eventLoopP99Ms: number;
  indexMb: number;
}

/** The built thread, if there is one: from the sources it takes the memory that reading TypeScript takes, too. */
const built = new URL("../dist/memory-thread.mjs", import.meta.url);
const entry = existsSync(built) ? built : undefined;
const linesPerFile = 500;
const questions = 300;

async function measureMemory(): Promise<MemoryFigures> {
  const memoryMb = { before: rssMb(), filling: 0, searching: 0, afterEnd: 0 };
  const sizes: Record<string, SizeFigures> = {};
  for (const lines of [10_000, 100_000])
    sizes[String(lines)] = await measureSize(lines, (phase) => {
      memoryMb[phase] = Math.max(memoryMb[phase], rssMb());
    });
  memoryMb.afterEnd = rssMb();
  return { load: loadavg()[0] ?? 0, sizes, memoryMb };
}

async function measureSize(
  lines: number,
  look: (phase: "filling" | "searching") => void,
): Promise<SizeFigures> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-bench-"));
  writeNotesApart(join(directory, "work/memory"), lines);
  const asked = createCorpus().questions();
  const thread = startMemoryThread({
    entry,
    file: join(directory, "index.db"),
    tenantId: "bench",
    embedder: { type: "none" },
    cacheMaxEntries: 0,
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    await thread.status();
    const began = performance.now();
    const place = { agentId: "main", workdir: join(directory, "work"), closed: join(directory, "home") };
    const filling = thread.syncFiles(place, { onProgress: () => look("filling") });
    const meanwhile = await searchWhile(thread, filling, asked);
    const fillSeconds = (performance.now() - began) / 1000;
    const times: number[] = [];
    for (const text of asked) times.push(await timeOf(thread, text));
    look("searching");
    const { bytes } = await thread.status();
    return {
      fillSeconds: rounded(fillSeconds),
      searchMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: quantile(times, 1) },
      searchMeanwhileMs: quantile(meanwhile, 0.95),
      eventLoopP99Ms: rounded(delay.percentile(99) / 1e6),
      indexMb: rounded(bytes / 1e6),
    };
  } finally {
    delay.disable();
    await thread.close();
    await rm(directory, { recursive: true });
  }
}

async function searchWhile(thread: MemoryThread, filling: Promise<unknown>, texts: readonly string[]) {
  const times: number[] = [];
  const filled = filling.then(() => "filled");
  for (let at = 0; ; at += 1) {
    times.push(await timeOf(thread, texts[at % texts.length] ?? ""));
    const pause = new Promise<string>((resolve) => setTimeout(() => resolve("still"), 50));
    if ((await Promise.race([filled, pause])) === "filled") return times;
  }
}

async function timeOf(thread: MemoryThread, text: string): Promise<number> {
  const began = performance.now();
  const scope = { agentId: "main", kinds: memorySourceKinds };
  await thread.search({ text, limit: 10, scope, now: Date.UTC(2026, 10, 15), timezone: "UTC" });
  return performance.now() - began;
}

/** In a process of its own: what it takes to make words up is nothing that the product needs. */
function writeNotesApart(directory: string, lines: number): void {
  spawnSync(process.execPath, [import.meta.filename, "--write", directory, String(lines)], {
    stdio: "inherit",
  });
}

async function writeNotes(directory: string, lines: number): Promise<void> {
  const corpus = createCorpus();
  await mkdir(directory, { recursive: true });
  for (let file = 0; file * linesPerFile < lines; file += 1) {
    const day = new Date(Date.UTC(2025, 0, 1 + file)).toISOString().slice(0, 10);
    const text = Array.from({ length: linesPerFile }, () => corpus.line()).join("\n");
    await writeFile(join(directory, `${day}.md`), `# ${day}\n\n${text}\n`);
  }
}

/** Words as often as in a language: the second half as often as the first, and so on. The same every time. */
function createCorpus(): { line(): string; questions(): string[] } {
  let seed = 42;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const vocabulary = 50_000;
  const weights = Array.from({ length: vocabulary }, (_, rank) => 1 / (rank + 2.7));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const upTo = weights.map((weight) => (sum += weight / total));
  const word = () => nameOf(firstAbove(upTo, random()));
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const names = ["Ann", "Bob", "Carla", "Dmitri", "Eve"];
  const speaker = () => names[Math.floor(random() * names.length)] ?? "Ann";
  return {
    line: () => `${speaker()}: ${words(6 + Math.floor(random() * 14))}`,
    questions: () =>
      Array.from(
        { length: questions },
        () => `What did ${speaker()} say about ${words(3 + Math.floor(random() * 5))}?`,
      ),
  };
}

function firstAbove(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 1) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A word that can be said, one for each number. */
function nameOf(number: number): string {
  const syllables = [
    "ba",
    "de",
    "fi",
    "go",
    "hu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "wu",
    "za",
  ];
  let name = "";
  for (let left = number + 16; left > 0; left = Math.floor(left / 16)) name += syllables[left % 16] ?? "";
  return name;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
const rssMb = (): number => Math.round(process.memoryUsage.rss() / 1e6);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
}

/** In a process of its own, whose memory nobody else uses. */
export function measureMemoryApart(): MemoryFigures {
  const flags = ["--max-semi-space-size=1"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, import.meta.filename, "--json"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`memory ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as MemoryFigures;
}

export function printMemory({ sizes, memoryMb }: MemoryFigures): void {
  process.stdout.write("memory (files in, lines out, by words alone)\n");
  for (const [lines, figures] of Object.entries(sizes)) {
    const { fillSeconds, searchMs, searchMeanwhileMs, eventLoopP99Ms, indexMb } = figures;
    const goalMs = lines === "10000" ? 10 : 50;
    const verdict = searchMs.p95 < goalMs ? "met" : "MISSED";
    process.stdout.write(
      `  ${lines.padStart(7)} lines: filled in ${fillSeconds} s (${indexMb} MB), ` +
        `search p50 ${searchMs.p50} ms, p95 ${searchMs.p95} ms (goal < ${goalMs} ms: ${verdict}), ` +
        `${searchMeanwhileMs} ms while filling, event loop p99 ${eventLoopP99Ms} ms\n`,
    );
  }
  const { before, filling, searching, afterEnd } = memoryMb;
  process.stdout.write(
    `  memory: ${before} MB before, ${filling} filling, ${searching} searching, ${afterEnd} when the thread has ended\n`,
  );
}

if (import.meta.main) {
  const [mode, directory = "", lines] = process.argv.slice(2);
  if (mode === "--write") await writeNotes(directory, Number(lines));
  else {
    const figures = await measureMemory();
    if (mode === "--json") process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    else printMemory(figures);
  }
}
