import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChild } from "./open-child.ts";

let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-child-"));
  await mkdir(join(base, "sub"));
  await writeFile(join(base, "file"), "one");
  await symlink("file", join(base, "link"));
  await symlink("sub", join(base, "way"));
  execFileSync("mkfifo", [join(base, "pipe")]);
});
afterEach(() => rm(base, { recursive: true }));

describe("opening a child of an open directory", () => {
  it("opens what is of the kind that is wanted, and nothing else: no link, no pipe", async () => {
    const handle = await open(base, "r");
    const opened: string[] = [];
    for (const name of ["file", "sub", "link", "way", "pipe", "nothing"])
      for (const kind of ["file", "directory"] as const) {
        const child = await openChild({ handle, real: base }, name, kind);
        if (child) opened.push(`${name} as ${kind}`);
        await child?.handle.close();
      }
    await handle.close();
    expect(opened).toEqual(["file as file", "sub as directory"]);
  });
});
