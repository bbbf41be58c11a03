import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyRepository } from "./copy-repository.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "repository-"));
});
afterEach(() => rm(root, { recursive: true }));

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}

it("copies the repository's own packages, and links those that were installed", async () => {
  await put("packages/own/index.ts", "export const own = 1;");
  await put("node_modules/other/index.js", "");
  await mkdir(join(root, "node_modules/@scope"));
  await symlink("../../packages/own", join(root, "node_modules/@scope/own"));
  const copy = await copyRepository(root);
  await writeFile(join(copy.root, "node_modules/@scope/own/index.ts"), "changed");
  expect(await readFile(join(copy.root, "packages/own/index.ts"), "utf8")).toBe("changed");
  expect(await readFile(join(root, "packages/own/index.ts"), "utf8")).toBe("export const own = 1;");
  expect(existsSync(join(copy.root, "node_modules/other/index.js"))).toBe(true);
  await copy.remove();
  expect(existsSync(join(root, "node_modules/other/index.js"))).toBe(true);
  expect(existsSync(copy.root)).toBe(false);
});
