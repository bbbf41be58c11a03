import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { testSeed } from "./test-seed.ts";

/**
 * Ends the run with its seed, its wall time, its slowest files, and one plain line, so that people and programs can read
 * the count without knowing the runner.
 */
export default class ClosingLine implements Reporter {
  private root = process.cwd();

  onInit({ config }: Vitest): void {
    this.root = config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      let own = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") count.passed++;
        else if (state === "failed") count.failed++;
        else count.skipped++;
        if (state === "failed") own++;
      }
      if (module.state() === "failed" && own === 0) count.failed++;
    }
    const lines = [
      `seed ${testSeed} (PINCER_TEST_SEED=${testSeed} repeats this run)`,
      `wall time ${wallTime()}, the slowest files:`,
      ...slowest(modules).map(
        ({ module, ms }) => `${seconds(ms).padStart(8)}  ${relative(this.root, module.moduleId)}`,
      ),
    ];
    const last = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
    process.stdout.write(`\n${lines.join("\n")}\n\n${last}\n`);
  }
}

/** Since the command began: `npm test` does more than this process. */
function wallTime(): string {
  const beganAt = Number(process.env["PINCER_TEST_BEGAN_AT"] ?? performance.timeOrigin);
  const all = Math.round((Date.now() - beganAt) / 1000);
  return `${Math.floor(all / 60)} min ${all % 60} s`;
}

function slowest(modules: readonly TestModule[]): Array<{ module: TestModule; ms: number }> {
  const timed = modules.map((module) => ({ module, ms: timeOf(module) }));
  return timed.sort((one, other) => other.ms - one.ms).slice(0, 10);
}

/** With its imports and its hooks. */
function timeOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
    module.diagnostic();
  return duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
