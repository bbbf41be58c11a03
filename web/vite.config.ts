import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bundledPackages } from "../scripts/notices/bundled-packages.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const about = JSON.parse(readFileSync(`${root}../package.json`, "utf8")) as { version: string };

/** One small entry, one chunk for each view. Everything is a file of its own, so that the page needs nothing inline. */
export default defineConfig({
  root,
  plugins: [bundledPackages],
  define: { PINCER_VERSION: JSON.stringify(about.version) },
  build: {
    outDir: `${root}../dist/web`,
    // Pages that are open still ask for the parts of the build before; scripts/build-web.ts clears older ones away.
    emptyOutDir: false,
    manifest: true,
    target: "es2023",
    // Small files as data: URLs would need a wider policy than the page has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
