import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bundledPackages, packageFolderOf, readBundledPackages } from "./bundled-packages.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundled-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  return join(folder, file);
}

it("finds a module's package, also through a folder that only says how its files are read", () => {
  put("node_modules/a/package.json", `{ "name": "a", "version": "1.0.0" }`);
  put("node_modules/a/esm/package.json", `{ "type": "module" }`);
  put("node_modules/a/node_modules/@b/c/package.json", `{ "name": "@b/c", "version": "2.0.0" }`);
  const folderOf = (path: string) => packageFolderOf(join(folder, path))?.slice(folder.length + 1);
  expect(folderOf("node_modules/a/esm/index.js")).toBe("node_modules/a");
  expect(folderOf("node_modules/a/esm/index.js?url")).toBe("node_modules/a");
  expect(folderOf("node_modules/a/node_modules/@b/c/x.js")).toBe("node_modules/a/node_modules/@b/c");
  expect(folderOf("src/own.ts")).toBeUndefined();
  expect(packageFolderOf("\0rolldown/runtime.js")).toBeUndefined();
  expect(() => folderOf("node_modules/gone/index.js")).toThrow("belongs to no package");
});

it("leaves the packages of all chunks beside them, each once", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const module = (name: string) => join(root, "node_modules", name, "index.js");
  bundledPackages.writeBundle(
    { dir: folder },
    {
      "a.mjs": { type: "chunk", moduleIds: [module("ws"), join(root, "src/cli/start.ts")] },
      "b.mjs": { type: "chunk", moduleIds: [module("ws"), module("diff")] },
      "c.css": { type: "asset" },
    },
  );
  expect(readBundledPackages(folder)).toEqual(["node_modules/diff", "node_modules/ws"]);
});
