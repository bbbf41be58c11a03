/**
 * Breaks guards of the product one at a time and looks whether a test notices. The guards are found in the sources and drawn by a seed, so
 * there is no list to keep. Everything happens in copies of the repository. `npm run mutate -- --help` says what it takes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyRepository } from "./copy-repository.ts";
import { chooseMutants, findMutants, type Mutant } from "./find-mutants.ts";
import { judgeMutant, type Verdict } from "./judge-mutant.ts";
import { runTests, type TestRun } from "./run-tests.ts";

/** Below this something is wrong; the aim is what the tests should come to. */
export const leastScore = 0.85;
export const aimedScore = 0.95;

const usualFolders = ["policy", "gate", "sandbox", "storage"];
const usualCount = 24;
const atOnce = availableParallelism();

export type MutantResult = Pick<Mutant, "file" | "line" | "change" | "source"> & Verdict & { ms: number };

export interface MutationRun {
  seed: string;
  /** How many mutants the folders offer. */
  offered: number;
  total: number;
  killed: number;
  /** Killed of total; 1 where nothing was tried. */
  score: number;
  results: MutantResult[];
}

interface MutateParts {
  root: string;
  /** Folders of `src`. */
  folders?: string[] | undefined;
  seed?: string | undefined;
  count?: number | undefined;
  /** Called with each result as soon as it is there. */
  onResult?(result: MutantResult, done: number, total: number): void;
  signal?: AbortSignal;
  run?: typeof runTests;
}

/** Leaves no copy behind. Throws when it is aborted, for a folder that does not exist, and when the repository cannot be copied. */
export async function mutate({
  root,
  folders,
  seed = seedOfCommit(root),
  count = usualCount,
  onResult,
  signal,
  run = runTests,
}: MutateParts): Promise<MutationRun> {
  const offered = mutantsIn(root, folders);
  const mutants = chooseMutants(offered, seed, count);
  const waiting = mutants.map((mutant, index) => ({ mutant, index }));
  const baseline = new Map<string, Promise<TestRun>>();
  const results: MutantResult[] = [];
  let done = 0;
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, mutants.length) }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  const killed = results.filter(({ outcome }) => outcome === "killed").length;
  return {
    seed,
    offered: offered.length,
    total: results.length,
    killed,
    score: results.length === 0 ? 1 : killed / results.length,
    results,
  };

  async function work(): Promise<void> {
    const copy = await copyRepository(root);
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const startedAt = performance.now();
        const verdict = await judgeMutant({ root: copy.root, mutant: next.mutant, run, baseline, signal });
        const { file, line, change, source } = next.mutant;
        const result = {
          file,
          line,
          change,
          source,
          ...verdict,
          ms: Math.round(performance.now() - startedAt),
        };
        results[next.index] = result;
        onResult?.(result, ++done, mutants.length);
      }
    } finally {
      await copy.remove();
    }
  }
}

/** All mutants of the product code in folders of `src`; usually of those that keep something out. */
export function mutantsIn(root: string, folders?: readonly string[]): Mutant[] {
  const exists = (folder: string) => existsSync(join(root, "src", folder));
  const missing = folders?.find((folder) => !exists(folder));
  if (missing !== undefined) throw new Error(`there is no folder src/${missing}`);
  return (folders ?? usualFolders.filter(exists))
    .flatMap((folder) => globSync(`src/${folder}/**/*.ts`, { cwd: root }))
    .map((file) => file.split(sep).join("/"))
    .filter((file) => !/\.test\.ts$|\/(testing|fixtures)\//.test(file))
    .sort()
    .flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
}

/** Another commit tries other guards; the same commit tries the same ones again. */
function seedOfCommit(root: string): string {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : "1";
}

const help = `npm run mutate -- [options]
  --count N        how many mutants are tried (${usualCount})
  --folders a,b    folders of src (${usualFolders.join(",")})
  --seed text      which mutants are drawn (from the commit)
  --json           one document instead of lines`;

async function main(root: string): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: "string" },
      folders: { type: "string" },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const count = values.count === undefined ? undefined : Number(values.count);
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw new Error("--count takes a number");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const found = await mutate({
    root,
    count,
    folders: values.folders?.split(","),
    seed: values.seed,
    signal: stop.signal,
    onResult: (result, done, total) => {
      if (!values.json) console.log(`${done}/${total} ${lineOf(result)}`);
    },
  });
  console.log(values.json ? JSON.stringify(found, undefined, 2) : summaryOf(found));
  return found.score < leastScore ? 1 : 0;
}

function lineOf(result: MutantResult): string {
  const { file, line, change, source, ms } = result;
  const where = `${file}:${line} ${change} (${(ms / 1000).toFixed(1)} s)`;
  switch (result.outcome) {
    case "killed":
      return `killed   ${where}: ${result.by}: ${result.test.split("\n")[0]}`;
    case "survived":
      return `SURVIVED ${where}: ${source}`;
    case "unclear":
      return `UNCLEAR  ${where}: ${source} (${result.reason})`;
  }
}

/** Those that no test noticed, and the score on the last line; one that is unclear counts as not noticed. */
export function summaryOf({ seed, offered, total, killed, score, results }: MutationRun): string {
  const unnoticed = results.filter(({ outcome }) => outcome !== "killed");
  return [
    ...unnoticed.map(
      ({ outcome, file, line, change, source }) => `${outcome}: ${file}:${line} ${change}: ${source}`,
    ),
    `${killed} of ${total} mutants were killed: ${percent(score)} (at least ${percent(leastScore)}, aim ${percent(aimedScore)}); ` +
      `drawn from ${offered} with --seed ${seed}`,
  ].join("\n");
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

if (import.meta.main)
  process.exitCode = await main(fileURLToPath(new URL("../..", import.meta.url))).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  });
