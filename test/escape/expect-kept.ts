/** Tries a way out and looks at everything that would show that it was one. */
import { existsSync, rmSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Cell } from "./cell.ts";

/** What tricks leave in the system where they succeed. */
const litter = ["/usr", "/usr/bin", "/usr/local", "/etc", "/opt", "/"].map((place) =>
  join(place, "pincer-escape"),
);

export function removeLitter(): void {
  for (const path of litter) if (existsSync(path)) rmSync(path, { force: true });
}

export async function expectKept(cell: Cell, script: string): Promise<void> {
  const visits = cell.visits();
  const abstract = cell.abstractName.slice(1);
  const { text } = await cell.run(`export ABSTRACT='${abstract}'; ${script}\necho; echo tried`);
  expect(text).toContain("\ntried\n");
  expect(text).not.toContain("ESCAPED");
  const told = text.split("\n").filter((line) => line.includes(cell.canary) && !line.includes("pincer-"));
  expect(told).toEqual([]);
  expect(cell.visits()).toBe(visits);
  expect(await readFile(join(cell.outside, "canary.txt"), "utf8")).toBe(cell.canary);
  expect(await readFile(join(cell.home, "core.db"), "utf8")).toBe(cell.canary);
  expect(await readFile(join(cell.home, "secrets.json"), "utf8")).toBe(cell.canary);
  expect(cell.decoy.exitCode ?? cell.decoy.signalCode).toBeNull();
  expect(litter.filter((path) => existsSync(path))).toEqual([]);
  for (const name of await readdir(cell.workdir)) {
    const { mode } = await stat(join(cell.workdir, name)).catch(() => ({ mode: 0 }));
    expect(mode & 0o6000).toBe(0);
  }
}
