import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles, type WorkdirFiles } from "./workdir-files.ts";
import { WorkdirError } from "./workdir-opener.ts";

let base: string;
let files: WorkdirFiles;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-workdir-"));
  await mkdir(join(base, "work", "sub"), { recursive: true });
  await writeFile(join(base, "work", "hello.txt"), "hello");
  await writeFile(join(base, "work", "sub", "inner.txt"), "inner");
  await writeFile(join(base, "outside.txt"), "secret");
  files = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") });
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

  it("finds no way out while a directory is swapped for a link again and again, by reading or by listing", async () => {
    const place = join(base, "work", "swap");
    await mkdir(join(place, "deep"), { recursive: true });
    await writeFile(join(place, "outside.txt"), "harmless");
    await symlink(base, join(base, "evil"));
    const stop = new AbortController();
    const swapping = (async () => {
      while (!stop.signal.aborted) {
        await rename(place, join(base, "good")).catch(() => {});
        await rename(join(base, "evil"), place).catch(() => {});
        await rename(place, join(base, "evil")).catch(() => {});
        await rename(join(base, "good"), place).catch(() => {});
        // In its right place for a moment, so that some reads succeed.
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const seen = new Set<string>();
    const refused = () => ({ text: "refused", names: [] as string[] });
    for (let round = 0; round < 400; round++) {
      seen.add((await files.read("swap/outside.txt", 100).catch(refused)).text);
      for (const name of (await files.list("swap", 3, 100).catch(refused)).names) seen.add(name);
      for (const name of (await files.list(".", 3, 100)).names) seen.add(name);
    }
    stop.abort();
    await swapping;
    expect(seen).toContain("harmless");
    expect(seen).not.toContain("secret");
    expect([...seen].filter((name) => /work\/|evil|good/.test(name))).toEqual([]);
  }, 120_000);

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
    expect(await files.list(".", 2, 1)).toMatchObject({ names: ["sub/"], truncated: true });
  });

  it("names a link but does not follow it", async () => {
    await symlink(base, join(base, "work", "up"));
    expect((await files.list(".", 3, 100)).names).toEqual(["sub/", "sub/inner.txt", "hello.txt", "up"]);
    await expect(files.list("up", 1, 100)).rejects.toThrow(/outside the workdir/);
  });

  it("makes the workdir on first use", async () => {
    const fresh = createWorkdirFiles({ workdir: join(base, "new", "place"), closed: join(base, "home") });
    expect(await fresh.list(".", 1, 10)).toMatchObject({ names: [], truncated: false });
  });
});

describe("Pincer's own home", () => {
  beforeEach(async () => {
    await mkdir(join(base, "home", "workspace"), { recursive: true });
    await writeFile(join(base, "home", "secret.key"), "the key");
    await writeFile(join(base, "home", "workspace", "note.txt"), "a note");
  });

  it("is closed to a workdir that contains it, by path, by link and in lists", async () => {
    const wide = createWorkdirFiles({ workdir: base, closed: join(base, "home") });
    await symlink(join(base, "home"), join(base, "work", "way"));
    await expect(wide.read("home/secret.key", 100)).rejects.toThrow(/outside the workdir/);
    await expect(wide.read("work/way/secret.key", 100)).rejects.toThrow(/outside the workdir/);
    await expect(wide.list("home", 1, 100)).rejects.toThrow(/outside the workdir/);
    expect((await wide.list(".", 5, 100)).names.filter((name) => name.startsWith("home"))).toEqual([]);
    expect((await wide.read("outside.txt", 100)).text).toBe("secret");
  });

  it("is closed when it is the workdir itself", async () => {
    const same = createWorkdirFiles({ workdir: join(base, "home"), closed: join(base, "home") });
    await expect(same.read("secret.key", 100)).rejects.toThrow(/outside the workdir/);
    await expect(same.read("workspace/note.txt", 100)).rejects.toThrow(/outside the workdir/);
  });

  it("opens for the workdir that lies in it, and for nothing beside that", async () => {
    const own = createWorkdirFiles({ workdir: join(base, "home", "workspace"), closed: join(base, "home") });
    expect((await own.read("note.txt", 100)).text).toBe("a note");
    await expect(own.read("../secret.key", 100)).rejects.toThrow(/outside the workdir/);
  });
});
