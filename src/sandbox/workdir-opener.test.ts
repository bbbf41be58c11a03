import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClosedPath, createSurvey } from "./territory.ts";
import { walkDescriptors } from "./walk-descriptors.ts";
import { createWorkdirFiles } from "./workdir-files.ts";
import { createWorkdirRegistry } from "./workdir-registry.ts";
import { createWorkdirOpener, throughHandle, WorkdirError } from "./workdir-opener.ts";

let base: string;
const inside = (path: string) => join(base, "work", path);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "pincer-opener-")));
  await mkdir(inside("sub"), { recursive: true });
  await mkdir(join(base, "home", "agents", "main"), { recursive: true });
  await mkdir(join(base, "home", "agents", "other"));
  await writeFile(inside("hello.txt"), "hello");
  await writeFile(join(base, "outside.txt"), "outside");
  await writeFile(join(base, "home", "secret.key"), "secret");
  await writeFile(join(base, "home", "agents", "main", "mine.txt"), "mine");
  await writeFile(join(base, "home", "agents", "other", "note.txt"), "secret");
});
afterEach(() => rm(base, { recursive: true }));

const opener = (platform?: NodeJS.Platform) =>
  createWorkdirOpener({ workdir: inside(""), closed: join(base, "home"), platform });

describe("opening what holds a name", () => {
  it("follows nothing at the end, so that a link itself can be taken away", async () => {
    await symlink(join(base, "outside.txt"), inside("sub/link"));
    const { directory, name } = await opener().openParent("sub/link", { make: false });
    await unlink(join(throughHandle(directory), name));
    await directory.handle.close();
    expect(await readdir(inside("sub"))).toEqual([]);
    expect(await readFile(join(base, "outside.txt"), "utf8")).toBe("outside");
  });

  it("makes the directories when asked to, and says that they are missing when not", async () => {
    await expect(opener().openParent("a/b/c", { make: false })).rejects.toThrow(/a\/b\/ does not exist/);
    const { directory, name } = await opener().openParent("a/b/c", { make: true });
    await directory.handle.close();
    expect([directory.real, name]).toEqual([inside("a/b"), "c"]);
    expect((await stat(inside("a/b"))).isDirectory()).toBe(true);
  });

  it.each([".", "..", "sub/..", "sub/.", "/", "./"])(
    "refuses %s, which names nothing in a directory",
    async (path) => {
      await expect(opener().openParent(path, { make: false })).rejects.toThrow(WorkdirError);
    },
  );

  it("refuses a directory outside", async () => {
    await symlink(base, inside("up"));
    await expect(opener().openParent("up/x", { make: true })).rejects.toThrow(/outside the workdir/);
    await expect(opener().openParent("../x", { make: true })).rejects.toThrow(/outside the workdir/);
  });
});

describe("CFG-10 a reach beyond the workdir", () => {
  const wide = (workdir = inside("")) =>
    createWorkdirFiles({ workdir, closed: join(base, "home"), reach: "everywhere" });

  it("is said by the files themselves", () => {
    expect(wide().reach).toBe("everywhere");
    expect(createWorkdirFiles({ workdir: base, closed: base }).reach).toBe("workdir");
  });

  it("leads anywhere that is open: upwards, by whole paths, and through links", async () => {
    await symlink(join(base, "outside.txt"), inside("link"));
    for (const path of ["../outside.txt", join(base, "outside.txt"), "link", "sub/../../outside.txt"])
      expect((await wide().read(path, 100)).text).toBe("outside");
    await wide().write("../made.txt", "made");
    expect(await readFile(join(base, "made.txt"), "utf8")).toBe("made");
    expect((await wide().read("hello.txt", 100)).text).toBe("hello");
  });

  it.each([
    ["by its path", (root: string) => join(root, "home", "secret.key")],
    ["upwards", () => "../home/secret.key"],
    ["through a link", () => "link/secret.key"],
    ["through a link to the file", () => "key"],
  ])("never leads into Pincer's own home, %s", async (_how, path) => {
    await symlink(join(base, "home"), inside("link"));
    await symlink(join(base, "home", "secret.key"), inside("key"));
    await expect(wide().read(path(base), 100)).rejects.toThrow(/closed to tools/);
    await expect(wide().write(path(base), "x")).rejects.toThrow(/closed to tools/);
    expect(await readFile(join(base, "home", "secret.key"), "utf8")).toBe("secret");
    expect((await wide().list(base, 9, 1000)).names.filter((name) => name.startsWith("home"))).toEqual([]);
  });

  it("keeps to its own workdir in the home, and lets nobody see the ones beside it", async () => {
    const own = wide(join(base, "home", "agents", "main"));
    for (const path of ["mine.txt", join(base, "home", "agents", "main", "mine.txt")])
      expect((await own.read(path, 100)).text).toBe("mine");
    for (const path of [
      "../other/note.txt",
      "../../secret.key",
      join(base, "home", "agents", "other", "note.txt"),
    ])
      await expect(own.read(path, 100)).rejects.toThrow(/closed to tools/);
    for (const path of ["..", "../..", join(base, "home")])
      await expect(own.list(path, 1, 10)).rejects.toThrow(/closed to tools/);
    expect((await own.read("../../../outside.txt", 100)).text).toBe("outside");
  });

  it
    .skipIf(process.platform !== "linux")
    .each([
      "/proc/version",
      "/proc/self/environ",
      "/proc/self/root/etc/passwd",
      "/sys/kernel/notes",
      "/dev/null",
      "/dev/shm/x",
      "/dev",
      "/proc",
    ])("never leads to what the kernel shows as files: %s", async (path) => {
    await expect(wide().read(path, 100)).rejects.toThrow(/closed to tools/);
    await expect(wide().list(path, 1, 10)).rejects.toThrow(/closed to tools/);
    await expect(wide().write(path, "x")).rejects.toThrow(/closed to tools/);
  });

  it.skipIf(process.platform !== "linux")("does not look into it when it lists what is above", async () => {
    const { names } = await wide().list("/", 2, 100_000);
    expect(names.filter((name) => /^(?:proc|dev|sys)\/./.test(name))).toEqual([]);
    expect(names.filter((name) => name.startsWith("etc/")).length).toBeGreaterThan(0);
  });
});

describe("where descriptors cannot be walked", () => {
  const flags = constants.O_RDONLY;

  it("opens what is inside, and nothing else", async () => {
    await symlink("hello.txt", inside("link"));
    await symlink(join(base, "outside.txt"), inside("out"));
    await symlink("nowhere", inside("lost"));
    execFileSync("mkfifo", [inside("pipe")]);
    const files = opener("darwin");
    for (const path of ["hello.txt", "link", "sub/../hello.txt"]) {
      const { handle } = await files.openInside(path, flags);
      expect(await handle.readFile("utf8")).toBe("hello");
      await handle.close();
    }
    for (const path of ["out", "../outside.txt", "lost", "pipe", "hello.txt/x", "nothing"])
      await expect(files.openInside(path, flags)).rejects.toThrow(WorkdirError);
  });

  it("makes files and directories inside", async () => {
    const files = opener("darwin");
    const { handle } = await files.openOrMake("new/deep/x.txt", constants.O_RDWR);
    await handle.close();
    expect((await stat(inside("new/deep/x.txt"))).mode & 0o777).toBe(0o600);
    const { directory, name } = await files.openParent("other/y.txt", { make: true });
    await directory.handle.close();
    expect([directory.real, name]).toEqual([inside("other"), "y.txt"]);
    await expect(files.openOrMake("../x.txt", constants.O_RDWR)).rejects.toThrow(/outside the workdir/);
  });
});

describe("any tree of directories and links", () => {
  const names = ["a", "b", "c"];
  const place = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"));
  const way = fc
    .array(fc.constantFrom(...names, "..", ".", ""), { minLength: 1, maxLength: 7 })
    .map((parts) => parts.join("/").replace(/^\/+/, "") || ".");
  const target = fc.oneof(
    { weight: 5, arbitrary: way },
    { weight: 1, arbitrary: way.map((rest) => `ROOT/${rest}`) },
    { weight: 1, arbitrary: way.map((rest) => `ROOT/../${rest}`) },
  );
  const thing = fc.record({
    at: place,
    kind: fc.constantFrom("file", "directory", "link", "link"),
    target,
  });

  it("SAFE-05 leads where the system says it leads, or nowhere if that is outside", async () => {
    const seen = { inside: 0, refused: 0 };
    const trees = fc.array(thing, { maxLength: 9 });
    const ways = fc.array(way, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(trees, ways, async (things, paths) => {
        const root = join(base, "tree", "work");
        await plant(root, things);
        const goesUp = things.some((one) => one.target.includes(".."));
        const wrong: string[] = [];
        for (const path of paths) {
          const real = await realpath(`${root}/${path}`).catch(() => undefined);
          const told = await openAt(root, path);
          seen[told === undefined ? "refused" : "inside"] += 1;
          // Who goes out and comes back is refused, which the system's answer does not show.
          const isInside = `${real}/`.startsWith(`${root}/`) && !path.includes("..") && !goesUp;
          if (told !== undefined && (told !== real || !`${told}/`.startsWith(`${root}/`)))
            wrong.push(`${path} led to ${told}, not ${real}`);
          if (told === undefined && isInside) wrong.push(`${path} was refused, though it is ${real}`);
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(seen.inside).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
  }, 60_000);

  /** Where the very file is that was opened; undefined where it was refused. */
  async function openAt(root: string, path: string): Promise<string | undefined> {
    const files = createWorkdirOpener({ workdir: root, closed: join(base, "home") });
    try {
      const { handle } = await files.openInside(path, constants.O_RDONLY);
      const opened = await readlink(`/proc/self/fd/${handle.fd}`);
      await handle.close();
      return opened;
    } catch (error) {
      if (error instanceof WorkdirError) return undefined;
      throw error;
    }
  }

  async function plant(root: string, things: Array<{ at: string; kind: string; target: string }>) {
    await rm(join(base, "tree"), { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    await writeFile(join(base, "tree", "a"), "outside");
    const links: string[] = [];
    for (const { at, kind, target: to } of things) {
      // Nothing is planted through a link: that could be anywhere.
      if (links.some((one) => `${at}/`.startsWith(`${one}/`))) continue;
      const path = join(root, at);
      try {
        await mkdir(dirname(path), { recursive: true });
        if (kind === "file") await writeFile(path, at, { flag: "wx" });
        if (kind === "directory") await mkdir(path);
        if (kind === "link") await symlink(to.replace("ROOT", root), path);
        if (kind === "link") links.push(at);
      } catch {
        // Something has the name already, or is no directory.
      }
    }
  }
});

describe.each(["linux", "darwin"] as const)("a workdir inside another, as on %s,", (platform) => {
  const registry = createWorkdirRegistry();
  const inner = () =>
    createWorkdirOpener({ workdir: inside("sub"), closed: join(base, "home"), platform, registry });
  const read = async (path: string) => {
    const { handle } = await inner().openInside(path, constants.O_RDONLY);
    try {
      return (await handle.readFile()).toString();
    } finally {
      await handle.close();
    }
  };

  it("SAFE-05 stays what it was when a link is put in its place, also for one who opens it anew", async () => {
    await writeFile(inside("sub/mine.txt"), "mine");
    await mkdir(join(base, "elsewhere"));
    await writeFile(join(base, "elsewhere", "mine.txt"), "not mine");
    expect(await read("mine.txt")).toBe("mine");
    await rename(inside("sub"), inside("aside"));
    await symlink(join(base, "elsewhere"), inside("sub"));
    const words = /leads to another directory than before; restart Pincer/;
    await expect(read("mine.txt")).rejects.toThrow(words);
    await expect(read("mine.txt")).rejects.toBeInstanceOf(WorkdirError);
    await expect(inner().limits()).rejects.toBeInstanceOf(WorkdirError);
    await expect(inner().openOrMake("new.txt", constants.O_WRONLY)).rejects.toThrow(words);
    await unlink(inside("sub"));
    await rename(inside("aside"), inside("sub"));
    expect(await read("mine.txt")).toBe("mine");
  });

  it("may be removed and made again", async () => {
    await writeFile(inside("sub/mine.txt"), "mine");
    expect(await read("mine.txt")).toBe("mine");
    await rm(inside("sub"), { recursive: true });
    await mkdir(inside("sub"));
    await writeFile(inside("sub/mine.txt"), "again");
    expect(await read("mine.txt")).toBe("again");
  });
});

it.runIf(process.platform === "linux")(
  "SAFE-05 does not begin at a link that was put in the place of the workdir since it was looked at",
  async () => {
    const territory = await createSurvey({
      root: inside("sub"),
      closed: join(base, "home"),
      reach: "workdir",
      registry: createWorkdirRegistry(),
    })();
    await rm(inside("sub"), { recursive: true });
    await symlink(base, inside("sub"));
    await expect(walkDescriptors(territory, "outside.txt")).rejects.toBeInstanceOf(ClosedPath);
  },
);
