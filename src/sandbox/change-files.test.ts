import { writeFileSync } from "node:fs";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
  link as systemLink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Disk } from "./replace-file.ts";
import { createWorkdirFiles, type WorkdirFiles } from "./workdir-files.ts";

let base: string;
let files: WorkdirFiles;
const inside = (path: string) => join(base, "work", path);
const textOf = (path: string) => readFile(inside(path), "utf8");

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-change-"));
  await mkdir(inside("sub"), { recursive: true });
  files = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") });
});
afterEach(() => rm(base, { recursive: true }));

describe("writing a file", () => {
  it("makes it with its directories, readable for others as the umask allows", async () => {
    expect(await files.write("new/deep/a.txt", "one")).toEqual({ made: true });
    expect(await textOf("new/deep/a.txt")).toBe("one");
    expect((await stat(inside("new/deep/a.txt"))).mode & 0o777).toBe(0o644 & ~process.umask());
    expect((await stat(inside("new/deep"))).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  it.each([0o600, 0o755, 0o640])("keeps the mode %o of what was there", async (mode) => {
    await writeFile(inside("a.txt"), "one");
    await chmod(inside("a.txt"), mode);
    expect(await files.write("a.txt", "two")).toEqual({ made: false });
    expect(await textOf("a.txt")).toBe("two");
    expect((await stat(inside("a.txt"))).mode & 0o777).toBe(mode);
  });

  it("leaves nothing beside it", async () => {
    await files.write("sub/a.txt", "one");
    await files.write("sub/a.txt", "two");
    expect(await readdir(inside("sub"))).toEqual(["a.txt"]);
  });

  it("follows a link inside, and leaves the link", async () => {
    await writeFile(inside("sub/real.txt"), "one");
    await symlink("sub/real.txt", inside("link.txt"));
    await files.write("link.txt", "two");
    expect(await textOf("sub/real.txt")).toBe("two");
    expect((await lstat(inside("link.txt"))).isSymbolicLink()).toBe(true);
  });

  it("does not write through a second name of a file outside", async () => {
    await writeFile(join(base, "theirs.txt"), "theirs");
    await link(join(base, "theirs.txt"), inside("hard.txt"));
    await files.write("hard.txt", "ours");
    expect(await textOf("hard.txt")).toBe("ours");
    expect(await readFile(join(base, "theirs.txt"), "utf8")).toBe("theirs");
  });

  it("makes no directory on a way that is too deep", async () => {
    await expect(files.write(`${"d/".repeat(300)}x`, "one")).rejects.toThrow(/too deep/);
    expect(await readdir(inside(""))).toEqual(["sub"]);
  }, 30_000);

  it("refuses what is too large", async () => {
    await expect(files.write("a.txt", "x".repeat(5_000_001))).rejects.toThrow(/at most/);
    await expect(stat(inside("a.txt"))).rejects.toThrow(/ENOENT/);
  });

  it("leaves a file alone that is there, where only a new one is wanted", async () => {
    await writeFile(inside("a.txt"), "one");
    await expect(files.write("a.txt", "two", { onlyNew: true })).rejects.toThrow(/is there already/);
    expect(await textOf("a.txt")).toBe("one");
    await files.write("b.txt", "two", { onlyNew: true, mode: 0o600 });
    expect((await stat(inside("b.txt"))).mode & 0o777).toBe(0o600);
    expect(await readdir(inside(""))).toEqual(["a.txt", "b.txt", "sub"]);
  });
});

describe("a write that is killed", () => {
  /** Fails at the step of that number and at all after it, as if the process were gone. */
  function dyingDisk(lastStep: number): { disk: Disk; steps: () => number } {
    let steps = 0;
    const alive = () => {
      steps += 1;
      if (steps > lastStep) throw Object.assign(new Error("killed"), { code: "EIO" });
    };
    const disk: Disk = {
      async open(path, flags, mode) {
        alive();
        const handle = await open(path, flags, mode);
        const dying = ["writeFile", "chmod", "sync"];
        return new Proxy(handle, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== "function") return value;
            return (...given: unknown[]) => {
              if (dying.includes(String(name))) {
                // Half of it is on the disk when it happens.
                if (name === "writeFile" && steps === lastStep)
                  return target.writeFile(String(given[0]).slice(0, 3)).then(alive);
                alive();
              }
              return Reflect.apply(value, target, given) as unknown;
            };
          },
        });
      },
      rename: async (from, to) => (alive(), rename(from, to)),
      link: async (from, to) => (alive(), systemLink(from, to)),
      unlink: async (path) => (alive(), unlink(path)),
    };
    return { disk, steps: () => steps };
  }

  it("leaves the old content or the new, at whatever step it was", async () => {
    const outcomes: string[] = [];
    for (let step = 0; step <= 6; step++) {
      await writeFile(inside("a.txt"), "old content");
      const { disk } = dyingDisk(step);
      const mortal = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home"), disk });
      const ended = await mortal.write("a.txt", "new content").then(
        () => "done",
        () => "killed",
      );
      outcomes.push(`${ended}: ${await textOf("a.txt")}`);
    }
    expect(new Set(outcomes)).toEqual(new Set(["killed: old content", "done: new content"]));
    expect(outcomes[0]).toBe("killed: old content");
    expect(outcomes.at(-1)).toBe("done: new content");
  });

  it("brings the content to the disk before it takes the name", async () => {
    const said: string[] = [];
    const disk: Disk = {
      async open(path, flags, mode) {
        const handle = await open(path, flags, mode);
        const sync = handle.sync.bind(handle);
        handle.sync = async () => {
          said.push(`sync of ${(await handle.stat()).size} bytes`);
          return sync();
        };
        return handle;
      },
      async rename(from, to) {
        said.push("rename");
        await rename(from, to);
      },
      link: systemLink,
      unlink,
    };
    const watched = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home"), disk });
    await watched.write("a.txt", "12345");
    expect(said).toEqual(["sync of 5 bytes", "rename"]);
  });
});

describe("changing a file", () => {
  it("shows the whole text and writes what is made of it, one after another", async () => {
    await writeFile(inside("a.txt"), "\uFEFFx");
    await Promise.all(Array.from({ length: 10 }, () => files.change("a.txt", 100, (text) => `${text}y`)));
    expect(await textOf("a.txt")).toBe(`\uFEFFx${"y".repeat(10)}`);
  });

  it("refuses when somebody else changed it meanwhile, and leaves theirs", async () => {
    await writeFile(inside("a.txt"), "one");
    const changing = files.change("a.txt", 100, (text) => {
      writeFileSync(inside("a.txt"), "theirs");
      return `${text} more`;
    });
    await expect(changing).rejects.toThrow(/changed by somebody else/);
    expect(await textOf("a.txt")).toBe("theirs");
    expect(await readdir(inside(""))).toEqual(["a.txt", "sub"]);
  });

  it("does not write what stays the same", async () => {
    await writeFile(inside("a.txt"), "one");
    const before = await stat(inside("a.txt"));
    await files.change("a.txt", 100, (text) => text);
    expect((await stat(inside("a.txt"))).ino).toBe(before.ino);
  });

  it("refuses what is missing, binary, not UTF-8, or too large", async () => {
    await writeFile(inside("binary"), Buffer.from([65, 0, 66]));
    await writeFile(inside("gbk"), Buffer.from([0xc4, 0xe3]));
    await writeFile(inside("large"), "x".repeat(101));
    const change = (path: string) => files.change(path, 100, (text) => `${text}x`);
    await expect(change("nothing")).rejects.toThrow("nothing does not exist");
    await expect(change("binary")).rejects.toThrow(/not a UTF-8 text file/);
    await expect(change("gbk")).rejects.toThrow(/not a UTF-8 text file/);
    await expect(change("large")).rejects.toThrow(/at most/);
  });
});

describe("removing and moving", () => {
  it("removes a file, and a link but not what it leads to", async () => {
    await writeFile(join(base, "theirs.txt"), "theirs");
    await writeFile(inside("a.txt"), "one");
    await symlink(join(base, "theirs.txt"), inside("link"));
    await files.remove("a.txt");
    await files.remove("link");
    expect(await readdir(inside(""))).toEqual(["sub"]);
    expect(await readFile(join(base, "theirs.txt"), "utf8")).toBe("theirs");
    await expect(files.remove("sub")).rejects.toThrow("sub is a directory");
    await expect(files.remove("a.txt")).rejects.toThrow("a.txt does not exist");
  });

  it("moves a file with its mode, and makes directories for it", async () => {
    await writeFile(inside("a.txt"), "one", { mode: 0o600 });
    await files.move("a.txt", "new/b.txt");
    expect(await textOf("new/b.txt")).toBe("one");
    expect((await stat(inside("new/b.txt"))).mode & 0o777).toBe(0o600);
    expect(await readdir(inside(""))).toEqual(["new", "sub"]);
  });

  it("never moves a file into the place of another", async () => {
    await writeFile(inside("a.txt"), "one");
    await writeFile(inside("b.txt"), "two");
    await symlink("nowhere", inside("link"));
    for (const to of ["b.txt", "link", "a.txt", "sub"])
      await expect(files.move("a.txt", to)).rejects.toThrow(/is there already/);
    expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["one", "two"]);
  });

  it("does the same on a file system that knows no second names", async () => {
    const refuse = async () => {
      throw Object.assign(new Error("no links here"), { code: "EPERM" });
    };
    const disk: Disk = { open, rename, unlink, link: refuse };
    const plain = createWorkdirFiles({ workdir: inside(""), closed: join(base, "home"), disk });
    await plain.write("a.txt", "one", { onlyNew: true });
    await plain.move("a.txt", "b.txt");
    await writeFile(inside("c.txt"), "two");
    await expect(plain.move("b.txt", "c.txt")).rejects.toThrow("c.txt is there already");
    expect([await textOf("b.txt"), await textOf("c.txt")]).toEqual(["one", "two"]);
    expect(await readdir(inside(""))).toEqual(["b.txt", "c.txt", "sub"]);
  });

  it("lets two who move across each other both come to an end", async () => {
    await writeFile(inside("a.txt"), "one");
    await writeFile(inside("b.txt"), "two");
    const ended = await Promise.allSettled([files.move("a.txt", "b.txt"), files.move("b.txt", "a.txt")]);
    expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
