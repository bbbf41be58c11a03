import { defineConfig } from "vitest/config";

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
          name: "unit",
          include: ["{src,packages,channels,scripts,web}/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "product",
          include: ["test/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "test/escape/**"],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "escape",
          include: ["test/escape/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "deep",
          include: ["{src,packages,channels,scripts,test}/**/*.deep.test.ts"],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
