import { readFileSync } from "node:fs";
import { defineConfig } from "tsdown";
import { createFullProgram } from "./scripts/full-program.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

const help = async (language: "en" | "zh") => (await createFullProgram(language, version)).helpInformation();

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
  define: {
    PINCER_BUILD: JSON.stringify({
      version,
      help: { en: await help("en"), zh: await help("zh") },
    }),
  },
});
