import { execFileSync } from "node:child_process";
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles, type WorkdirFiles } from "./workdir-files.ts";

let base: string;
let files: WorkdirFiles;
const inside = (path: string) => join(base, "work", path);
const add = (path: string, text: string, maxBytes = 1000) => files.append(path, maxBytes, () => text);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-append-"));
  await mkdir(inside("sub"), { recursive: true });
  await writeFile(join(base, "outside.txt"), "theirs");
  files = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") });
});
afterEach(() => rm(base, { recursive: true }));

describe("adding to a file of the workdir", () => {
  it("makes the file and its directories for the owner alone", async () => {
    await add("new/deep/note.md", "one\n");
    await add("new/deep/note.md", "two\n");
    expect(await readFile(inside("new/deep/note.md"), "utf8")).toBe("one\ntwo\n");
    expect((await stat(inside("new/deep/note.md"))).mode & 0o777).toBe(0o600);
    expect((await stat(inside("new/deep"))).mode & 0o777).toBe(0o700);
    expect((await stat(inside("new"))).mode & 0o777).toBe(0o700);
  });

  it("shows the content to the function that decides what to add, and leaves the mode as it is", async () => {
    await writeFile(inside("a.md"), "你好", { mode: 0o644 });
    await files.append("a.md", 1000, (present) => `${present.length}`);
    expect(await readFile(inside("a.md"), "utf8")).toBe("你好2");
    expect((await stat(inside("a.md"))).mode & 0o777).toBe(0o644);
  });

  it("loses nothing of what is added at the same time, and lets each see the ones before", async () => {
    const seen: number[] = [];
    const one = (present: string) => {
      seen.push(present.length);
      return "x";
    };
    await Promise.all(Array.from({ length: 20 }, () => files.append("same.md", 1000, one)));
    expect(await readFile(inside("same.md"), "utf8")).toBe("x".repeat(20));
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("follows links that stay inside, to a file and to a directory", async () => {
    await writeFile(inside("real.md"), "a");
    await symlink("real.md", inside("link.md"));
    await symlink("sub", inside("way"));
    await add("link.md", "b");
    await add("way/new.md", "c");
    expect(await readFile(inside("real.md"), "utf8")).toBe("ab");
    expect(await readFile(inside("sub/new.md"), "utf8")).toBe("c");
  });

  it.each(["../outside.txt", "../new.txt", "sub/../../new.txt", "/etc/pincer-new", "..", "."])(
    "refuses %s",
    async (path) => {
      await expect(add(path, "x")).rejects.toThrow(/outside the workdir|is a directory/);
      await expect(stat(join(base, "new.txt"))).rejects.toThrow(/ENOENT/);
    },
  );

  it("refuses links that lead out, and makes nothing there", async () => {
    await symlink(join(base, "outside.txt"), inside("out.txt"));
    await symlink(join(base, "unborn.txt"), inside("unborn.txt"));
    await symlink(base, inside("up"));
    await expect(add("out.txt", "x")).rejects.toThrow(/outside the workdir/);
    await expect(add("unborn.txt", "x")).rejects.toThrow(/outside the workdir/);
    await expect(add("up/outside.txt", "x")).rejects.toThrow(/outside the workdir/);
    await expect(add("up/new/note.md", "x")).rejects.toThrow(/outside the workdir/);
    expect(await readFile(join(base, "outside.txt"), "utf8")).toBe("theirs");
    await expect(stat(join(base, "unborn.txt"))).rejects.toThrow(/ENOENT/);
    await expect(stat(join(base, "new"))).rejects.toThrow(/ENOENT/);
  });

  it("refuses a second name of a file that may lie anywhere", async () => {
    await link(join(base, "outside.txt"), inside("hard.txt"));
    await expect(add("hard.txt", "x")).rejects.toThrow(/second name elsewhere/);
    expect(await readFile(join(base, "outside.txt"), "utf8")).toBe("theirs");
  });

  it("writes nothing outside while a directory is swapped for a link again and again", async () => {
    const there = Array.from({ length: 8 }, (_, index) => `there-${index}.md`);
    const [place, theirs] = [inside("swap"), join(base, "theirs")];
    for (const directory of [place, theirs]) {
      await mkdir(directory);
      for (const name of there) await writeFile(join(directory, name), "");
    }
    await symlink(theirs, join(base, "evil"));
    const stop = new AbortController();
    const swapping = (async () => {
      while (!stop.signal.aborted) {
        await rename(place, join(base, "good")).catch(() => {});
        await rename(join(base, "evil"), place).catch(() => {});
        await rename(place, join(base, "evil")).catch(() => {});
        await rename(join(base, "good"), place).catch(() => {});
      }
    })();
    for (let round = 0; round < 60; round++) {
      const names = [...there, `new-${round}.md`];
      await Promise.allSettled(names.map((name) => add(`swap/${name}`, "x")));
    }
    stop.abort();
    await swapping;
    // With everything in its right place again, it goes.
    await add("swap/there-0.md", "x");
    expect((await readdir(theirs)).sort()).toEqual(there);
    const contents = await Promise.all(there.map((name) => readFile(join(theirs, name), "utf8")));
    expect(contents.join("")).toBe("");
  }, 120_000);

  it("refuses pipes, directories and binaries without waiting for them", async () => {
    execFileSync("mkfifo", [inside("pipe")]);
    await writeFile(inside("binary"), Buffer.from([1, 0, 2]));
    await expect(add("pipe", "x")).rejects.toThrow(/not a regular file/);
    await expect(add("sub", "x")).rejects.toThrow(/is a directory/);
    await expect(add("binary", "x")).rejects.toThrow(/not a text file/);
    await expect(add("binary/x.md", "x")).rejects.toThrow(/not a directory/);
  });

  it("refuses what would make a file too large, and says what to do", async () => {
    await add("a.md", "x".repeat(60), 100);
    await expect(add("a.md", "x".repeat(41), 100)).rejects.toThrow(/full.*move what is old/);
    await add("a.md", "x".repeat(40), 100);
    await expect(add("a.md", "", 99)).rejects.toThrow(/full/);
  });

  it("keeps out of Pincer's own home", async () => {
    const wide = createWorkdirFiles({ workdir: base, closed: join(base, "home") });
    await mkdir(join(base, "home"));
    await expect(wide.append("home/config.json5", 100, () => "x")).rejects.toThrow(/outside the workdir/);
    await expect(wide.append("home/new/x.md", 100, () => "x")).rejects.toThrow(/outside the workdir/);
  });
});

describe("telling whether a file could be written", () => {
  it("is true for a file, and for one that would have to be made", async () => {
    await writeFile(inside("a.md"), "");
    expect(await files.isWritable("a.md")).toBe(true);
    expect(await files.isWritable("new/deep/a.md")).toBe(true);
  });

  it("is false for a directory, below a file, behind links that lead out or nowhere, and outside", async () => {
    await writeFile(inside("file"), "");
    await symlink(base, inside("up"));
    await symlink("nowhere", inside("lost"));
    for (const path of ["sub", "file/a.md", "up/a.md", "lost", "lost/a.md", "../a.md"])
      expect(await files.isWritable(path)).toBe(false);
  });

  it("is false where the system refuses, be it the file or the directory it would be made in", async () => {
    await writeFile(inside("a.md"), "");
    const asked: string[] = [];
    const refusing = createWorkdirFiles({
      workdir: join(base, "work"),
      closed: join(base, "home"),
      access: async (path) => {
        asked.push(String(path));
        throw Object.assign(new Error("read-only"), { code: "EROFS" });
      },
    });
    expect(await refusing.isWritable("a.md")).toBe(false);
    expect(await refusing.isWritable("new/a.md")).toBe(false);
    expect(asked).toEqual([inside("a.md"), inside("")].map((path) => path.replace(/\/$/, "")));
  });

  it("is false where the workdir cannot be made", async () => {
    const nowhere = createWorkdirFiles({ workdir: join(base, "outside.txt", "work"), closed: base });
    expect(await nowhere.isWritable("a.md")).toBe(false);
  });
});

describe("reading the end of a file", () => {
  it("begins with a whole character", async () => {
    await writeFile(inside("zh.txt"), "你好👍");
    expect(await files.readEnd("zh.txt", 100)).toEqual({ text: "你好👍", size: 10, truncated: false });
    expect((await files.readEnd("zh.txt", 8)).text).toBe("好👍");
    expect((await files.readEnd("zh.txt", 6)).text).toBe("👍");
    expect((await files.readEnd("zh.txt", 3)).text).toBe("");
  });
});

describe("the stamp of a file", () => {
  it("changes with what is in the file, though its size and time are the same, and is empty without one", async () => {
    expect(files.stamp("a.md")).toBe("");
    await writeFile(inside("a.md"), "one");
    const first = files.stamp("a.md");
    expect(files.stamp("a.md")).toBe(first);
    await writeFile(inside("b.md"), "two");
    execFileSync("touch", ["-r", inside("a.md"), inside("b.md")]);
    await rename(inside("b.md"), inside("a.md"));
    expect(files.stamp("a.md")).not.toBe(first);
  });

  it("is that of what a link leads to", async () => {
    await writeFile(inside("a.md"), "one");
    await symlink("a.md", inside("link.md"));
    expect(files.stamp("link.md")).toBe(files.stamp("a.md"));
  });
});
