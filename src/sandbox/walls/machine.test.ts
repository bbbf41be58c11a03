import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findMachine } from "./machine.ts";

let directory: string;
const before = process.env["PATH"];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-machine-"));
});
afterEach(async () => {
  process.env["PATH"] = before;
  await rm(directory, { recursive: true });
});

it("SAFE-04 takes no program for a wall from a directory of PATH, where somebody in a workdir may have left it", async () => {
  await writeFile(join(directory, "pincer-planted"), "#!/bin/sh\n");
  await chmod(join(directory, "pincer-planted"), 0o755);
  process.env["PATH"] = `${directory}:${before}`;
  const machine = await findMachine();
  expect(await machine.which("pincer-planted")).toBeUndefined();
  expect(await machine.which("sh")).toMatch(/^\/(?:usr\/)?bin\/sh$|^\/run\/current-system\/sw\/bin\/sh$/);
});
