import { defineConfig } from "vitest/config";

/**
 * `unit` is everything that sits beside its source; `product` starts the built product; `deep` is the
 * long fuzz and crash runs (`*.deep.test.ts`), which `npm run test:deep` alone runs.
 */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,packages,channels,scripts}/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "product",
          include: ["test/**/*.test.ts"],
          exclude: ["**/*.deep.test.ts"],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "deep",
          include: ["{src,packages,channels,test}/**/*.deep.test.ts"],
          globalSetup: ["test/build-product.ts"],
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
