import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles, WorkdirError, type WorkdirFiles } from "./workdir-files.ts";

let base: string;
let files: WorkdirFiles;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-workdir-"));
  await mkdir(join(base, "work", "sub"), { recursive: true });
  await writeFile(join(base, "work", "hello.txt"), "hello");
  await writeFile(join(base, "work", "sub", "inner.txt"), "inner");
  await writeFile(join(base, "outside.txt"), "secret");
  files = createWorkdirFiles(join(base, "work"));
});
afterEach(() => rm(base, { recursive: true }));

describe("reading in the workdir", () => {
  it("reads a text file and says how large it is", async () => {
    expect(await files.read("hello.txt", 100)).toEqual({ text: "hello", size: 5, truncated: false });
  });

  it("cuts at the limit without cutting a character", async () => {
    await writeFile(join(base, "work", "zh.txt"), "你好");
    expect(await files.read("zh.txt", 4)).toEqual({ text: "你", size: 6, truncated: true });
  });

  it("follows a link that stays inside", async () => {
    await symlink("sub/inner.txt", join(base, "work", "link.txt"));
    expect((await files.read("link.txt", 100)).text).toBe("inner");
  });

  it.each([
    ["a path upwards", "../outside.txt"],
    ["a path upwards in disguise", "sub/../../outside.txt"],
    ["an absolute path", "/etc/passwd"],
    ["the parent itself", ".."],
  ])("refuses %s", async (_name, path) => {
    await expect(files.read(path, 100)).rejects.toThrow(/outside the workdir/);
  });

  it("refuses links that lead out, to a file or to a directory", async () => {
    await symlink(join(base, "outside.txt"), join(base, "work", "out.txt"));
    await symlink(base, join(base, "work", "up"));
    await expect(files.read("out.txt", 100)).rejects.toThrow(/outside the workdir/);
    await expect(files.read("up/outside.txt", 100)).rejects.toThrow(/outside the workdir/);
  });

  it("refuses a sibling whose name begins like the workdir's", async () => {
    await mkdir(join(base, "work-other"));
    await writeFile(join(base, "work-other", "x.txt"), "x");
    await expect(files.read("../work-other/x.txt", 100)).rejects.toThrow(/outside the workdir/);
  });

  it("finds no way out while a directory is swapped for a link again and again", async () => {
    const place = join(base, "work", "swap");
    await mkdir(place);
    await writeFile(join(place, "outside.txt"), "harmless");
    await symlink(base, join(base, "evil"));
    const stop = new AbortController();
    const swapping = (async () => {
      while (!stop.signal.aborted) {
        await rename(place, join(base, "good")).catch(() => {});
        await rename(join(base, "evil"), place).catch(() => {});
        await rename(place, join(base, "evil")).catch(() => {});
        await rename(join(base, "good"), place).catch(() => {});
      }
    })();
    const seen = new Set<string>();
    for (let round = 0; round < 500; round++) {
      const text = await files.read("swap/outside.txt", 100).then(
        (file) => file.text,
        () => "refused",
      );
      seen.add(text);
    }
    stop.abort();
    await swapping;
    expect(seen).not.toContain("secret");
  });

  it("refuses devices and pipes without waiting for them", async () => {
    execFileSync("mkfifo", [join(base, "work", "pipe")]);
    await expect(files.read("pipe", 100)).rejects.toThrow(/not a regular file/);
  });

  it("says clearly what is wrong with a missing file, a directory and a binary", async () => {
    await writeFile(join(base, "work", "binary"), Buffer.from([1, 0, 2]));
    await expect(files.read("nope.txt", 100)).rejects.toThrow("nope.txt does not exist");
    await expect(files.read("sub", 100)).rejects.toThrow("sub is a directory; list it instead");
    await expect(files.read("binary", 100)).rejects.toThrow("binary is not a text file");
    await expect(files.read("hello.txt/x", 100)).rejects.toThrow(WorkdirError);
  });
});

describe("listing the workdir", () => {
  it("names directories first, then files, sorted", async () => {
    await mkdir(join(base, "work", "another"));
    expect((await files.list(".", 1, 100)).names).toEqual(["another/", "sub/", "hello.txt"]);
  });

  it("goes as deep as asked", async () => {
    expect((await files.list(".", 2, 100)).names).toEqual(["sub/", "sub/inner.txt", "hello.txt"]);
  });

  it("says when the list was cut", async () => {
    expect(await files.list(".", 2, 1)).toEqual({ names: ["sub/"], truncated: true });
  });

  it("names a link but does not follow it", async () => {
    await symlink(base, join(base, "work", "up"));
    expect((await files.list(".", 3, 100)).names).toEqual(["sub/", "sub/inner.txt", "hello.txt", "up"]);
    await expect(files.list("up", 1, 100)).rejects.toThrow(/outside the workdir/);
  });

  it("makes the workdir on first use", async () => {
    const fresh = createWorkdirFiles(join(base, "new", "place"));
    expect(await fresh.list(".", 1, 10)).toEqual({ names: [], truncated: false });
  });
});
