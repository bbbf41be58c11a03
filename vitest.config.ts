import { defineConfig } from "vitest/config";

/** How long a test waits for what surely comes: as long as a slow machine may take that has other things to do. */
const patient = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
};
const veryPatient = { ...patient, testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * `unit` is everything that sits beside its source; `product` starts the built product; `escape` tries to get out of
 * the sandbox, for which nothing is built; `deep` is the long fuzz and crash runs (`*.deep.test.ts`), which
 * `npm run test:deep` alone runs.
 */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    projects: [
      {
        test: {
          ...patient,
          name: "unit",
          include: ["{src,packages,channels,scripts,web}/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          ...veryPatient,
          name: "product",
          include: ["test/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "test/escape/**"],
          globalSetup: ["test/build-product.ts"],
        },
      },
      {
        test: {
          ...veryPatient,
          name: "escape",
          include: ["test/escape/**/*.test.ts"],
        },
      },
      {
        test: {
          ...veryPatient,
          name: "deep",
          include: ["{src,packages,channels,scripts,test}/**/*.deep.test.ts"],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
