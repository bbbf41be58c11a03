/**
 * Shows that the tests would notice if a guard were gone. Every `guards.json` lists guards: a piece of source, what it becomes when the
 * guard is taken out, and the test file that must then fail. Each is taken out in a copy of the repository, never in the repository
 * itself, and its test file is run there. `--only <text>` takes the guards that have the text in their name, file or test; `--json`
 * prints one document.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";
import { copyRepository, type RepositoryCopy } from "./copy-repository.ts";
import { findGuards, flawOfGuard, type Guard } from "./guard-lists.ts";
import { runTestFile, type TestRun } from "./run-test-file.ts";

/** `noticed` is as it should be; everything else is a fault, of the test, of the list, or of the repository. */
export type GuardOutcome = "noticed" | "unnoticed" | "broken" | "red-before" | "bad-entry";

export interface GuardResult {
  guard: string;
  file: string;
  test: string;
  outcome: GuardOutcome;
  /** The first test that noticed, or what is wrong. */
  detail: string;
  ms: number;
}

interface GuardCheck {
  root: string;
  only?: string | undefined;
  /** Called with each result as soon as it is there. */
  onResult?(result: GuardResult, done: number, total: number): void;
  signal?: AbortSignal;
  run?: typeof runTestFile;
}

const atOnce = 2;

/** One result per guard, in the order of the lists. Leaves no copy behind. Throws when it is aborted, and when a list cannot be read or the repository cannot be copied. */
export async function checkGuards({
  root,
  only = "",
  onResult,
  signal,
  run = runTestFile,
}: GuardCheck): Promise<GuardResult[]> {
  const guards = findGuards(root).filter(({ guard, file, test }) =>
    [guard, file, test].some((text) => text.includes(only)),
  );
  const copies = await Promise.all(
    Array.from({ length: Math.min(atOnce, guards.length) }, () => copyRepository(root)),
  );
  try {
    const tests = [...new Set(guards.map(({ test }) => test))];
    const before = new Map<string, TestRun>();
    await share(tests, async (test, copy) => before.set(test, await run(copy.root, test, { signal })));

    const results: GuardResult[] = [];
    let done = 0;
    await share(guards, async (guard, copy, index) => {
      const startedAt = performance.now();
      const judged = await judge(guard, copy, before.get(guard.test));
      const { guard: name, file, test } = guard;
      const result = { guard: name, file, test, ...judged, ms: Math.round(performance.now() - startedAt) };
      results[index] = result;
      onResult?.(result, ++done, guards.length);
    });
    return results;
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }

  /** Each copy takes the next one as soon as it is free. */
  async function share<Thing>(
    things: readonly Thing[],
    work: (thing: Thing, copy: RepositoryCopy, index: number) => Promise<unknown>,
  ): Promise<void> {
    const waiting = things.map((thing, index) => ({ thing, index }));
    const ends = await Promise.allSettled(
      copies.map(async (copy) => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          await work(next.thing, copy, next.index);
      }),
    );
    // Not before all have stopped: the copies are removed next.
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async function judge(
    guard: Guard,
    copy: RepositoryCopy,
    before: TestRun | undefined,
  ): Promise<Pick<GuardResult, "outcome" | "detail">> {
    const flaw = flawOfGuard(copy.root, guard);
    if (flaw !== undefined) return { outcome: "bad-entry", detail: flaw };
    if (before?.type !== "passed") return { outcome: "red-before", detail: describe(before) };
    const path = join(copy.root, guard.file);
    const source = await readFile(path, "utf8");
    // A function: `$&` in the replacement is to stay what it is.
    const disarmed = source.replace(guard.from, () => guard.to);
    const syntaxError = syntaxErrorOf(guard.file, disarmed);
    if (syntaxError !== undefined) return { outcome: "broken", detail: syntaxError };
    await writeFile(path, disarmed);
    try {
      const after = await run(copy.root, guard.test, { signal });
      if (after.type === "failed") return { outcome: "noticed", detail: after.first };
      if (after.type === "passed") return { outcome: "unnoticed", detail: describe(after) };
      return { outcome: "broken", detail: after.reason };
    } finally {
      await writeFile(path, source);
    }
  }
}

function describe(run: TestRun | undefined): string {
  if (run === undefined) return "it was not run";
  if (run.type === "passed") return `${run.count} tests passed`;
  return run.type === "failed" ? run.first : run.reason;
}

/** A file that cannot be read makes every test fail, and shows nothing. */
function syntaxErrorOf(file: string, source: string): string | undefined {
  if (!/\.[cm]?[jt]s$/.test(file)) return undefined;
  try {
    parseSync(source, { syntax: "typescript", target: "es2022" });
    return undefined;
  } catch (error) {
    return `the disarmed source cannot be parsed: ${String(error).split("\n")[0] ?? ""}`;
  }
}

async function main(root: string, words: string[]): Promise<number> {
  const isJson = words.includes("--json");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const at = words.indexOf("--only");
  const results = await checkGuards({
    root,
    only: at < 0 ? undefined : words[at + 1],
    signal: stop.signal,
    onResult({ guard, file, outcome, detail, ms }, done, total) {
      if (isJson) return;
      const sign = outcome === "noticed" ? "ok    " : outcome.toUpperCase();
      console.log(`${sign} ${done}/${total} ${guard} (${file}, ${(ms / 1000).toFixed(1)} s): ${detail}`);
    },
  });
  const bad = results.filter(({ outcome }) => outcome !== "noticed");
  if (isJson) console.log(JSON.stringify({ guards: results.length, bad: bad.length, results }, undefined, 2));
  else
    console.log(`${results.length - bad.length} of ${results.length} guards are noticed when they are gone`);
  return bad.length > 0 || results.length === 0 ? 1 : 0;
}

if (import.meta.main)
  process.exitCode = await main(fileURLToPath(new URL("..", import.meta.url)), process.argv.slice(2));
