import { readFileSync } from "node:fs";
import { defineConfig } from "tsdown";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/**
 * One small start-up file; every command is a chunk of its own, loaded when it is asked for. All libraries
 * are bundled, so that the product starts from few files and needs no node_modules.
 */
export default defineConfig({
  entry: { pincer: "src/cli/start.ts" },
  format: "esm",
  platform: "node",
  target: "node24",
  outDir: "dist",
  outExtensions: () => ({ js: ".mjs" }),
  minify: true,
  dts: false,
  hash: true,
  report: false,
  deps: { alwaysBundle: [/.*/], neverBundle: [/^node:/] },
  define: { PINCER_VERSION: JSON.stringify(version) },
});
