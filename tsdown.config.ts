import { readFileSync } from "node:fs";
import { defineConfig } from "tsdown";
import { bundledPackages } from "./scripts/notices/bundled-packages.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/**
 * To touch any of these loads the whole of Node's `fetch`, a sixth of a small gateway's memory. The libraries that are handed our fetch get
 * by with classes of ours.
 */
const lightClasses = {
  Headers: 'import { HttpHeaders as Headers } from "@/infra/http-headers.ts";',
  Response: 'import { HttpResponse as Response } from "@/infra/http-response.ts";',
  FormData: 'import { FormDataOfNode as FormData } from "@/models/pi/form-data.ts";',
};
const source = new URL("src/", import.meta.url).pathname;

const withLightClasses = {
  name: "light-classes",
  transform: {
    filter: { id: /node_modules\/(openai|@anthropic-ai\/sdk|@earendil-works\/pi-ai)\/.*\.m?js$/ },
    handler(code: string) {
      const needed = Object.entries(lightClasses).filter(([name]) =>
        new RegExp(`\\b(new|instanceof) ${name}\\b`).test(code),
      );
      if (needed.length === 0) return undefined;
      return needed.map(([, line]) => line.replace("@/", source)).join("") + code;
    },
  },
};

/**
 * One small start-up file, one for the thread that has the index of memory and one for the thread that reads pages; every command is a chunk of its own, loaded when
 * it is asked for. All libraries are bundled, so that the product starts from few files; only the terminal for programs has native code and stays a package.
 */
export default defineConfig({
  entry: {
    pincer: "src/cli/start.ts",
    "memory-thread": "src/memory/index/index-thread.ts",
    "page-thread": "src/tools/web/page-worker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node24",
  outDir: "dist",
  // A gateway that runs meanwhile still loads chunks of the build before; scripts/build-if-needed.ts clears away older ones.
  clean: false,
  outExtensions: () => ({ js: ".mjs" }),
  minify: true,
  dts: false,
  hash: true,
  report: false,
  deps: { alwaysBundle: [/.*/], neverBundle: [/^node:/, /^@lydell\/node-pty/] },
  plugins: [withLightClasses, bundledPackages],
  define: { PINCER_VERSION: JSON.stringify(version) },
});
