/** Measuring how well memory is found, at a command line: with a set of questions, in a place of its own that is cleared away afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/infra/clock.ts";
import type { BenchReport } from "./bench-report.ts";
import { runBench, type BenchProgress } from "./run-bench.ts";
import type { EmbedderSpec } from "../../../src/memory/embedders/embedder.ts";
import { createEmbedder } from "../../../src/memory/embedders/create-embedder.ts";
import { openMemoryStore } from "../../../src/memory/index/sqlite-memory-store.ts";
import type { ApiParts } from "../../../src/app/open-api.ts";
import { askedEmbedder } from "./asked-embedder.ts";
import { readBenchSet } from "./bench-set-file.ts";

/** `none` sends nothing anywhere; `local` is the package on this machine; `auto` is what the config says. */
export type BenchEmbedder = "none" | "local" | "auto";

export interface MemoryBenchRequest {
  file: string;
  embedder: BenchEmbedder;
  limit: number;
  /** Whether what was made for it stays; the answer then says where. */
  keep: boolean;
}

export interface MemoryBenchParts extends ApiParts {
  signal: AbortSignal;
  onProgress(progress: BenchProgress): void;
}

export interface MemoryBenchReport extends BenchReport {
  /** Where what was made for it is, if it was to be kept. */
  directory?: string;
}

/** Throws PincerError for a file that is no set and for an embedder that cannot be used, the signal's reason when it aborts. */
export async function benchMemory(
  { file, embedder, limit, keep }: MemoryBenchRequest,
  parts: MemoryBenchParts,
): Promise<MemoryBenchReport> {
  const set = await readBenchSet(file, parts.cwd);
  const spec: EmbedderSpec = embedder === "none" ? { type: "none" } : await askedEmbedder(embedder, parts);
  const made = createEmbedder(spec);
  const directory = await mkdtemp(join(tmpdir(), "pincer-memory-bench-"));
  const openStore = (index: string) =>
    openMemoryStore({
      file: index,
      tenantId: "bench",
      embedder: made,
      cacheMaxEntries: 0,
      clock: systemClock,
    });
  try {
    const report = await runBench(
      set,
      { directory, limit },
      { ...parts, openStore, clock: systemClock, stopwatch: () => performance.now() },
    );
    return keep ? { ...report, directory } : report;
  } finally {
    await made?.close();
    if (!keep) await rm(directory, { recursive: true, force: true });
  }
}
