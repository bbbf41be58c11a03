/** Puts one mutant into a copy of the repository and looks whether a test notices. */
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { applyMutant, type Mutant } from "./find-mutants.ts";
import type { runTests, TestChoice, TestRun } from "./run-tests.ts";

export type Verdict =
  | {
      outcome: "killed";
      /** The tests that noticed, and the first of them by name. */ by: string;
      test: string;
    }
  | { outcome: "survived" }
  /** No test failed by itself, and some did not come to their end. */
  | { outcome: "unclear"; reason: string };

interface JudgeParts {
  /** The copy. It is as it was when the promise settles, except for test files that fail without any mutant: these are gone. */
  root: string;
  mutant: Mutant;
  run: typeof runTests;
  /** What is known about tests without a mutant, by their choice; shared between mutants. */
  baseline: Map<string, Promise<TestRun>>;
  signal?: AbortSignal | undefined;
}

/**
 * The nearest test file first, then the tests of the folder, then all that import the file. What fails counts only if it passes without the
 * mutant, and, where many tests ran together, if it fails again alone: a test that fails now and then notices nothing. Neither does one that
 * only takes too long: that may be the machine.
 */
export async function judgeMutant({ root, mutant, run, baseline, signal }: JudgeParts): Promise<Verdict> {
  const path = join(root, mutant.file);
  const source = await readFile(path, "utf8");
  const flaky: string[] = [];
  let unclear: Extract<Verdict, { outcome: "unclear" }> | undefined;
  const put = () => writeFile(path, applyMutant(source, mutant));
  const takeOut = () => writeFile(path, source);
  try {
    await put();
    for (const stage of stagesOf(root, mutant.file)) {
      const verdict = await passThrough(stage);
      if (verdict) return verdict;
    }
    return unclear ?? { outcome: "survived" };
  } finally {
    await takeOut();
    for (const file of flaky) await rename(hidden(file), join(root, file));
  }

  async function passThrough(stage: TestChoice): Promise<Verdict | undefined> {
    for (;;) {
      const result = await run(root, stage, { bail: true, signal, longestMs: patience(stage) });
      if (result.type === "passed") return undefined;
      if (result.type === "unclear") unclear ??= { outcome: "unclear", reason: result.reason };
      for (const file of result.files) {
        const alone: TestChoice = { type: "files", paths: [file] };
        const isSure = isOneFile(stage) && result.type === "failed";
        const again = isSure ? result : await run(root, alone, { signal, longestMs: patience(alone) });
        if (again.type === "failed" && (await withoutMutant(alone)).type === "passed")
          return { outcome: "killed", by: file, test: again.first };
      }
      // Nothing is left to put aside: what fails here fails anyway.
      if (result.files.length === 0 || isOneFile(stage)) return undefined;
      for (const file of result.files) await putAside(file);
    }
  }

  async function withoutMutant(choice: TestChoice): Promise<TestRun> {
    const key = JSON.stringify(choice);
    const known = baseline.get(key);
    if (known) return known;
    await takeOut();
    const found = run(root, choice, { signal });
    baseline.set(key, found);
    await found;
    await put();
    return found;
  }

  /** The next run of the stage is without it; for good, where it fails also without the mutant. */
  async function putAside(file: string): Promise<void> {
    const known = await baseline.get(JSON.stringify({ type: "files", paths: [file] }));
    await rename(join(root, file), hidden(file));
    if (known === undefined || known.type === "passed") flaky.push(file);
  }

  function hidden(file: string): string {
    return join(root, `${file}.aside`);
  }
}

const isOneFile = (choice: TestChoice): boolean =>
  choice.type === "files" && choice.paths.every((path) => path.endsWith(".test.ts"));

/** A mutant may make a loop endless. Tests that do not hang take less than this, even on a busy machine. */
function patience(choice: TestChoice): number {
  if (choice.type === "related") return 20 * 60_000;
  return isOneFile(choice) ? 90_000 : 5 * 60_000;
}

function stagesOf(root: string, file: string): TestChoice[] {
  const nearest = file.replace(/\.ts$/, ".test.ts");
  const beside: TestChoice[] = existsSync(join(root, nearest)) ? [{ type: "files", paths: [nearest] }] : [];
  return [...beside, { type: "files", paths: [`${dirname(file)}/`] }, { type: "related", file }];
}
