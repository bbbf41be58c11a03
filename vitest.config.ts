import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { leftOut, longFiles } from "./scripts/drawn-files.ts";
import TestOrder from "./scripts/test-order.ts";
import { testSeed } from "./scripts/test-seed.ts";

/** How long a test waits for what surely comes: as long as a slow machine may take that has other things to do. */
const patient = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
};
const veryPatient = { ...patient, testTimeout: 120_000, hookTimeout: 120_000 };

/** One more than there are cores: tests that start processes and browsers wait for them almost half of the time. */
const maxWorkers = availableParallelism() + 1;
/** Threads and processes that tests start from the sources need not compile them again. Workers inherit it. */
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));
/** So that no worker asks for the commit again. */
const env = { PINCER_TEST_SEED: String(testSeed) };
/** `npm test` draws; a file that somebody names runs. */
const drawnOut = leftOut(process.env["PINCER_TEST_DRAWS"] === "1");

/**
 * `unit` is everything that sits beside its source; `product` starts the built product; `escape` tries to get out of
 * the sandbox, for which nothing is built; `deep` is the long fuzz and crash runs (`*.deep.test.ts`), which
 * `npm run test:deep` alone runs, and the files of which `npm test` runs a half. `scripts/test-seed.ts` says what the seed decides.
 */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    sequence: { sequencer: TestOrder, seed: testSeed },
    projects: [
      {
        test: {
          ...patient,
          name: "unit",
          env,
          maxWorkers,
          // Nothing registers on import, so the files of a worker share what they have imported.
          pool: "forks",
          isolate: false,
          sequence: { shuffle: { tests: true } },
          include: ["{src,packages,channels,scripts,web,bench}/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "**/node_modules/**", ...drawnOut],
        },
      },
      {
        test: {
          ...veryPatient,
          name: "product",
          env,
          maxWorkers,
          // So that the files of a worker share one browser.
          pool: "forks",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "test/escape/**", ...drawnOut],
          globalSetup: ["test/build-product.ts"],
        },
      },
      {
        test: {
          ...veryPatient,
          name: "escape",
          env,
          maxWorkers,
          include: ["test/escape/**/*.test.ts"],
          exclude: drawnOut,
        },
      },
      {
        test: {
          ...veryPatient,
          name: "deep",
          env,
          // Some of them measure, so each has the machine to itself.
          maxWorkers: 1,
          include: ["{src,packages,channels,scripts,test,bench}/**/*.deep.test.ts", ...longFiles],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
