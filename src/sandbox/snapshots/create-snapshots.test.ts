import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemDisk, type Disk } from "./disk.ts";
import { stageSnapshots } from "./testing/snapshot-stage.ts";

// Each is hundreds of real writes to a disk that others use, too.
vi.setConfig({ testTimeout: 30_000 });

const run = promisify(execFile);

async function stage(given: Parameters<typeof stageSnapshots>[0] = {}) {
  const made = await stageSnapshots(given);
  onTestFinished(made.clear);
  return made;
}

/** A workdir with a bit of everything, and a turn that changes all of it. */
async function changed(given: Parameters<typeof stageSnapshots>[0] = {}) {
  const made = await stage(given);
  await made.write("kept.txt", "kept");
  await made.write("edited.txt", "before");
  await made.write("removed/deep/a.sh", "#!/bin/sh", 0o755);
  await made.make("removed/empty", 0o711);
  await made.link("link", "edited.txt");
  await made.link("gone", "nowhere/at/all");
  await made.write("binary", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
  await made.write("file-then-directory", "text");
  await made.write("directory-then-file/inside", "inside");
  await made.write("mode", "same", 0o600);
  const before = await made.tree();
  await made.turn("t1", async () => {
    await made.write("edited.txt", "after");
    await made.remove("removed");
    await made.write("new/dir/file", "new");
    await made.remove("link");
    await made.link("link", "kept.txt");
    await made.remove("gone");
    await made.write("binary", Buffer.alloc(0));
    await made.remove("file-then-directory");
    await made.write("file-then-directory/x", "x");
    await made.remove("directory-then-file");
    await made.write("directory-then-file", "flat");
    await made.chmod("mode", 0o644);
  });
  return { ...made, before };
}

describe("undoing a turn", () => {
  it("puts back what was made, changed and removed, with mode, link and directory, and touches nothing else", async () => {
    const { snapshots, tree, before } = await changed();
    const after = await tree();
    const report = await snapshots.undo("t1", { force: false });
    expect(report).toMatchObject({ turnId: "t1", conflicts: [], notKept: [] });
    expect(await tree()).toEqual(before);
    expect(report.restored).toContainEqual({ path: "edited.txt", change: "changed" });
    expect(report.restored).toContainEqual({ path: "removed/empty/", change: "made" });
    expect(report.restored).toContainEqual({ path: "new/", change: "removed" });
    expect(report.restored.map(({ path }) => path)).not.toContain("kept.txt");
    await snapshots.undo(report.undoId ?? "", { force: false });
    expect(await tree()).toEqual(after);
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("lists the newest first, with what each changed and what has become of it", async () => {
    const { snapshots, turn, write, place } = await changed();
    await turn("t2", () => write("edited.txt", "again"));
    await turn("t3", async () => {});
    await snapshots.before(place("t4", "agent:main:other"), ["other.txt"]);
    await write("other.txt", "other");
    await snapshots.after("t4");
    const { undoId } = await snapshots.undo("t2", { force: false });
    const all = await snapshots.list({ limit: 10 });
    expect(all.map(({ turnId }) => turnId)).toEqual([undoId, "t4", "t2", "t1"]);
    expect(all).toMatchObject([
      { undoes: "t2", paths: [{ path: "edited.txt", change: "changed" }] },
      { sessionKey: "agent:main:other", paths: [{ path: "other.txt", change: "made" }] },
      { undoneBy: undoId },
      { at: "2026-01-01T12:00:00.000Z" },
    ]);
    const own = await snapshots.list({ sessionKey: "agent:main:main", limit: 1 });
    expect(own.map(({ turnId }) => turnId)).toEqual([undoId]);
    expect(await snapshots.find("t3")).toBeUndefined();
  });

  it("leaves what was changed again since, and puts it back when forced", async () => {
    const { snapshots, write, remove, tree, before } = await changed();
    await write("edited.txt", "by hand");
    await remove("new/dir/file");
    await write("new/mine", "mine");
    const first = await snapshots.undo("t1", { force: false });
    expect(first.conflicts.toSorted()).toEqual(["edited.txt", "new"]);
    expect(await tree()).toEqual({
      ...before,
      "edited.txt": "file 644 by hand",
      new: "directory 755",
      "new/mine": "file 644 mine",
    });
    const second = await snapshots.undo("t1", { force: true });
    expect(second.restored).toEqual([{ path: "edited.txt", change: "changed" }]);
    expect(await tree()).toMatchObject({ ...before, "new/mine": "file 644 mine" });
  });

  it("refuses a turn that is unknown, undone already, or of a workdir that is gone", async () => {
    const { snapshots, workdir } = await changed();
    const unknown = { code: "usage/not-found", hint: expect.stringContaining("--list") };
    await expect(snapshots.undo("t9", { force: false })).rejects.toMatchObject(unknown);
    await expect(snapshots.undo("../../t1", { force: false })).rejects.toMatchObject(unknown);
    const { undoId } = await snapshots.undo("t1", { force: false });
    await expect(snapshots.undo("t1", { force: true })).rejects.toMatchObject({
      code: "usage/bad-argument",
      hint: expect.stringContaining(undoId ?? "?"),
    });
    await rename(workdir, `${workdir}-gone`);
    await expect(snapshots.undo(undoId ?? "", { force: false })).rejects.toMatchObject({
      code: "usage/not-found",
      message: expect.stringContaining("no longer exists"),
    });
    await symlink(`${workdir}-gone`, workdir);
    await expect(snapshots.undo(undoId ?? "", { force: false })).rejects.toMatchObject({
      code: "usage/not-found",
    });
  });

  it("takes back a commit of git", async () => {
    const { workdir, write, turn, snapshots, tree } = await stage();
    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: workdir });
    await git("init", "-b", "main");
    await write("a", "one");
    await git("add", ".");
    await git("commit", "-m", "one");
    const before = (await git("log", "--format=%H %s")).stdout;
    await turn("t1", async () => {
      await write("a", "two");
      await git("commit", "-am", "two");
      await git("branch", "objects");
    });
    expect((await git("log", "--format=%s")).stdout).toBe("two\none\n");
    await snapshots.undo("t1", { force: false });
    expect((await git("log", "--format=%H %s")).stdout).toBe(before);
    expect((await git("status", "--porcelain")).stdout).toBe("");
    expect((await git("branch", "--format=%(refname:short)")).stdout).toBe("main\n");
    expect(await tree()).toMatchObject({ a: "file 644 one" });
  });
});

describe("what is kept", () => {
  it("names a file that is too large to keep, removes it where the turn made it, and says where it cannot put it back", async () => {
    const { snapshots, place, write, tree, turn } = await stage({ maxFileBytes: 1000 });
    await write("large", "x".repeat(1001));
    expect(await snapshots.before(place("t0"), "anything")).toEqual({ notKept: ["large"] });
    await snapshots.after("t0");
    expect(await snapshots.list({ limit: 9 })).toEqual([]);
    await turn("t1", async () => {
      await write("large", "y".repeat(1002));
      await write("made", "z".repeat(5000));
    });
    expect(await snapshots.find("t1")).toMatchObject({ notKept: ["large"] });
    expect(await snapshots.undo("t1", { force: false })).toMatchObject({ notKept: ["large"], conflicts: [] });
    expect(await tree()).toEqual({ large: `file 644 ${"y".repeat(1002)}` });
  });

  it("keeps large files in pieces, those that pack well and those that do not", async () => {
    const { turn, write, snapshots, tree } = await stage();
    await write("even", "abc".repeat(800_000));
    await write("random", randomBytes(2_500_000));
    const before = await tree();
    await turn("t1", async () => {
      await write("even", "");
      await write("random", "");
    });
    await snapshots.undo("t1", { force: false });
    expect((await tree()) as unknown).toEqual(before);
  });

  it("passes over excluded names, the objects of git, pipes and sockets", async () => {
    const { turn, write, workdir, snapshots, make } = await stage();
    await write("node_modules/a", "a");
    await write("sub/.git/HEAD", "ref");
    await make("sub/.git/refs");
    await write("sub/.git/objects/ab", "object");
    await write("objects/ab", "mine");
    await turn("t1", async () => {
      await write("node_modules/a", "b");
      await write("sub/.git/objects/cd", "object");
      await write("objects/ab", "changed");
      await run("mkfifo", [join(workdir, "pipe")]);
      const server = createServer().listen(join(workdir, "socket"));
      await new Promise((resolve) => server.once("listening", resolve));
      onTestFinished(() => void server.close());
    });
    expect((await snapshots.find("t1"))?.paths).toEqual([{ path: "objects/ab", change: "changed" }]);
  });

  it("keeps single paths without looking at the rest, also what is not there yet and what a link means", async () => {
    const opened: string[] = [];
    const { workdir, place, write, link, make, tree, reopen } = await stage();
    const snapshots = reopen({
      ...systemDisk,
      open: (path, flags) => (opened.push(path), systemDisk.open(path, flags)),
    });
    await write("a", "a");
    await write("rest", "rest");
    await write("real/target", "target");
    await link("way", "real/target");
    await link("dangling", "real/later");
    const before = await tree();
    await snapshots.before(place("t1"), [
      "new/deep/file",
      join(workdir, "a"),
      "way",
      "dangling",
      "../outside",
    ]);
    await snapshots.before(place("t1"), ["a"]);
    await make("new/deep");
    await write("new/deep/file", "made");
    await write("a", "changed");
    await write("real/target", "through the link");
    await write("real/later", "through the link");
    await write("rest", "not by this turn");
    await snapshots.after("t1");
    expect((await snapshots.find("t1"))?.paths).toEqual([
      { path: "a", change: "changed" },
      { path: "new/", change: "made" },
      { path: "new/deep/", change: "made" },
      { path: "new/deep/file", change: "made" },
      { path: "real/later", change: "made" },
      { path: "real/target", change: "changed" },
    ]);
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual({ ...before, rest: "file 644 not by this turn" });
    expect(opened.filter((path) => path.endsWith("/rest"))).toEqual([]);
  });

  it("keeps what single paths held first, also when anything may change later in the turn", async () => {
    const { snapshots, place, write, tree, remove } = await stage();
    await write("a", "first");
    await write("b", "first");
    const before = await tree();
    await snapshots.before(place("t1"), ["a", "made"]);
    await write("a", "second");
    await write("made", "made");
    await snapshots.before(place("t1"), "anything");
    await write("a", "third");
    await remove("b");
    await snapshots.after("t1");
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("says that an excluded path which is named is not kept", async () => {
    const { snapshots, place, write } = await stage();
    expect(await snapshots.before(place("t1"), ["node_modules/x"])).toEqual({ notKept: ["node_modules"] });
    await write("node_modules/x", "x");
    expect(await snapshots.before(place("t1"), ["node_modules/x"])).toEqual({ notKept: ["node_modules/x"] });
  });

  it("keeps a directory that is named with everything in it, and finds what was put into it", async () => {
    const { snapshots, place, write, tree, workdir } = await stage();
    await write("from/a", "a");
    await write("from/sub/b", "b", 0o600);
    const before = await tree();
    await snapshots.before(place("t1"), ["from", "to"]);
    await rename(join(workdir, "from"), join(workdir, "to"));
    await write("to/c", "c");
    await snapshots.after("t1");
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("never keeps the home of Pincer where it lies in the workdir", async () => {
    const { reopen, root, place } = await stage();
    await writeFile(join(root, "home", "secret.key"), "secret");
    await writeFile(join(root, "plain"), "plain");
    const snapshots = reopen();
    await snapshots.before({ ...place("t1"), workdir: root }, "anything");
    await writeFile(join(root, "home", "secret.key"), "changed");
    await writeFile(join(root, "plain"), "changed");
    await snapshots.after("t1");
    expect((await snapshots.find("t1"))?.paths).toEqual([{ path: "plain", change: "changed" }]);
  });
});

describe("the second time", () => {
  /** Counts what is opened to be read in the workdir. */
  function counting() {
    const read: string[] = [];
    const disk: Disk = {
      ...systemDisk,
      async open(path, flags) {
        const handle = await systemDisk.open(path, flags);
        if (path.startsWith("/proc/self/fd/") && (await handle.stat()).isFile()) read.push(path);
        return handle;
      },
    };
    return { read, disk };
  }
  const older = () => new Promise((resolve) => setTimeout(resolve, 80));

  it("reads no file that is as it was, and every one that may not be", async () => {
    const { write, reopen, place, workdir } = await stage();
    for (let index = 0; index < 20; index++) await write(`dir/${index}`, `file ${index}`);
    await older();
    const { read, disk } = counting();
    await reopen(disk).before(place("t1"), "anything");
    expect(read).toHaveLength(20);
    read.length = 0;
    const snapshots = reopen(disk);
    await snapshots.before(place("t2"), "anything");
    expect(read).toEqual([]);
    // The same size and the time of before: only the kernel knows.
    await write("dir/3", "file X");
    await utimes(join(workdir, "dir/3"), 0, 0);
    await snapshots.after("t2");
    expect(read).toHaveLength(1);
    expect((await snapshots.find("t2"))?.paths).toEqual([{ path: "dir/3", change: "changed" }]);
  });

  it.each([
    ["again that was as new as the look at it", 40, 2],
    ["once that was older", 60, 1],
  ])("reads a file %s", async (_, ageMs, times) => {
    const { write, reopen, place, workdir } = await stage();
    const { read, disk } = counting();
    await write("young", "one");
    const { ctimeNs } = await stat(join(workdir, "young"), { bigint: true });
    // What the file system calls now: this long after the file was written, even on a slow machine.
    const now = { ctimeNs: ctimeNs + BigInt(ageMs) * 1_000_000n };
    const snapshots = reopen({
      ...disk,
      async create(path, flags, mode) {
        const handle = await disk.create(path, flags, mode);
        if (path.includes("/temporary/now")) handle.stat = (async () => now) as typeof handle.stat;
        return handle;
      },
    });
    await snapshots.before(place("t1"), "anything");
    await snapshots.before(place("t2"), "anything");
    expect(read).toHaveLength(times);
  });
});

describe("a turn that runs", () => {
  it("is not ended by a look, so that nothing of what its call changes is lost", async () => {
    const { snapshots, place, write, tree } = await stage();
    await write("a", "before");
    await write("b", "before");
    const before = await tree();
    await snapshots.before(place("t1"), "anything");
    await write("a", "changed");
    expect(await snapshots.find("t1")).toBeUndefined();
    expect(await snapshots.list({ limit: 9 })).toEqual([]);
    await write("b", "changed");
    await snapshots.after("t1");
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it.each(["before", "after"])("leaves alone what another says it changes, %s it began", async (when) => {
    const { snapshots, place, write, tree } = await stage();
    await write("theirs", "before");
    await write("mine", "before");
    const other = () => snapshots.before(place("t2", "agent:main:other"), ["theirs", "made/by-them"]);
    if (when === "before") await other();
    await snapshots.before(place("t1"), "anything");
    if (when === "after") await other();
    await write("theirs", "changed");
    await write("made/by-them", "made");
    await write("mine", "changed");
    await snapshots.after("t2");
    await snapshots.after("t1");
    expect((await snapshots.find("t1"))?.paths).toEqual([{ path: "mine", change: "changed" }]);
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toMatchObject({ theirs: "file 644 changed", mine: "file 644 before" });
  });

  it("is listed as soon as it is over, also where nobody has waited for its comparison", async () => {
    const { snapshots, place, write } = await stage();
    await snapshots.before(place("t1"), "anything");
    await write("a", "made");
    const ended = snapshots.after("t1");
    expect(await snapshots.list({ limit: 9 })).toHaveLength(1);
    await ended;
    await snapshots.before(place("t2"), "anything");
    await write("b", "made");
    expect(await snapshots.list({ limit: 9, isOver: true })).toHaveLength(2);
  });
});

describe("throwing away", () => {
  const blobs = async (directory: string) => {
    const [room = ""] = await readdir(directory);
    const folders = await readdir(join(directory, room, "blobs"));
    const names = await Promise.all(folders.map((folder) => readdir(join(directory, room, "blobs", folder))));
    return names.flat().length;
  };

  it("lets go of what is older than the days that it is kept, and of contents that nothing names", async () => {
    const { write, turn, snapshots, clock, directory } = await stage({ keepDays: 2 });
    await write("a", "zero");
    await turn("t1", () => write("a", "one"));
    await clock.advance(36 * 3_600_000);
    await turn("t2", () => write("a", "two"));
    await snapshots.prune();
    expect((await snapshots.list({ limit: 9 })).map(({ turnId }) => turnId)).toEqual(["t2", "t1"]);
    expect(await blobs(directory)).toBe(3);
    await clock.advance(24 * 3_600_000);
    await snapshots.prune();
    expect((await snapshots.list({ limit: 9 })).map(({ turnId }) => turnId)).toEqual(["t2"]);
    expect(await blobs(directory)).toBe(2);
    await snapshots.undo("t2", { force: false });
    await clock.advance(72 * 3_600_000);
    await snapshots.prune();
    expect(await blobs(directory)).toBe(0);
  });

  it("lets go of it also where our clock is ahead of the file system's", async () => {
    const ahead = (at: Date) => new Date(at.getTime() + 600_000);
    const disk: Disk = { ...systemDisk, utimes: (path, at) => systemDisk.utimes(path, ahead(at)) };
    const { write, place, reopen, clock, directory } = await stage({ keepDays: 2 });
    const snapshots = reopen(disk);
    await write("a", "zero");
    await snapshots.before(place("t1"), "anything");
    await write("a", "one");
    await snapshots.after("t1");
    await snapshots.undo("t1", { force: false });
    await clock.advance(72 * 3_600_000);
    await snapshots.prune();
    expect(await blobs(directory)).toBe(0);
  });

  it("lets the oldest go first where it is too much", async () => {
    const { write, turn, snapshots, tree } = await stage({ maxBytes: 25_000 });
    for (const name of ["1", "2", "3", "4"])
      await turn(`t${name}`, () => write("a", randomBytes(8000).toString("latin1")));
    const last = await tree();
    await turn("t5", () => write("a", "small"));
    await snapshots.prune();
    const left = (await snapshots.list({ limit: 9 })).map(({ turnId }) => turnId);
    expect(left[0]).toBe("t5");
    expect(left).not.toContain("t1");
    await snapshots.undo("t5", { force: false });
    expect(await tree()).toEqual(last);
  });

  it("takes nothing from a turn that is under way", async () => {
    const { write, snapshots, place, clock, tree } = await stage({ keepDays: 1 });
    await write("a", "before");
    const before = await tree();
    const [, { notKept }] = await Promise.all([
      snapshots.prune(),
      snapshots.before(place("t1"), "anything"),
      snapshots.prune(),
    ]);
    expect(notKept).toEqual([]);
    await clock.advance(72 * 3_600_000);
    await write("a", "after");
    await snapshots.prune();
    await snapshots.after("t1");
    await snapshots.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });
});

describe("a turn that was broken off", () => {
  it("is ended at the next start, and adds to what it had changed when it goes on", async () => {
    const { write, place, reopen, tree } = await stage();
    await write("a", "before");
    await write("b", "before");
    const before = await tree();
    await reopen().before(place("t1"), "anything");
    await write("a", "changed");
    const next = reopen();
    await next.recover();
    expect((await next.find("t1"))?.paths).toEqual([{ path: "a", change: "changed" }]);
    await next.before(place("t1"), "anything");
    await write("a", "changed twice");
    await write("b", "changed");
    await next.after("t1");
    await next.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("calls nothing made where the listing of what was there is lost", async () => {
    const { write, place, reopen, directory, tree } = await stage();
    await write("a", "before");
    await write("b", "before");
    const first = reopen();
    await first.before(place("t1"), ["a"]);
    await first.before(place("t1"), "anything");
    await write("a", "changed");
    const [room = ""] = await readdir(directory);
    await rm(join(directory, room, "listings"), { recursive: true });
    const next = reopen();
    await next.recover();
    expect((await next.find("t1"))?.paths).toEqual([{ path: "a", change: "changed" }]);
    await next.undo("t1", { force: false });
    expect(await tree()).toEqual({ a: "file 644 before", b: "file 644 before" });
  });

  it("is left alone where its workdir is gone", async () => {
    const { write, place, reopen, workdir } = await stage();
    await write("a", "before");
    await reopen().before(place("t1"), "anything");
    await rm(workdir, { recursive: true });
    const next = reopen();
    await next.recover();
    expect(await next.list({ limit: 9 })).toEqual([]);
    await mkdir(workdir);
    await next.recover();
    expect((await next.find("t1"))?.paths).toEqual([{ path: "a", change: "removed" }]);
  });
});

it("puts back nothing of a content that is no longer what it was, and says so", async () => {
  const { write, turn, snapshots, directory, tree } = await stage();
  await write("a", "before");
  await turn("t1", () => write("a", "after"));
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const digest = createHash("sha256").update("before").digest("hex");
  const blob = found.find(({ name }) => name === digest);
  await writeFile(join(blob?.parentPath ?? "?", digest), "\0forged");
  expect(await snapshots.undo("t1", { force: false })).toMatchObject({ restored: [], notKept: ["a"] });
  expect(await tree()).toEqual({ a: "file 644 after" });
});

it("knows nothing of a file that vanished while it was read, and never removes it", async () => {
  const { write, reopen, place, remove, tree } = await stage();
  await write("a", "there");
  await write("b", "there");
  const disk: Disk = {
    ...systemDisk,
    async open(path, flags) {
      if (path.endsWith("/a")) await remove("a");
      return systemDisk.open(path, flags);
    },
  };
  await reopen(disk).before(place("t1"), "anything");
  await write("a", "there again");
  await write("b", "changed");
  const next = reopen();
  await next.after("t1");
  expect((await next.find("t1"))?.paths).toEqual([{ path: "b", change: "changed" }]);
  await next.undo("t1", { force: false });
  expect(await tree()).toEqual({ a: "file 644 there again", b: "file 644 there" });
});

it("answers with a failure of the disk before a call could change anything", async () => {
  const { write, place, reopen } = await stage();
  await write("a", "before");
  const full: Disk = {
    ...systemDisk,
    write: async () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    },
  };
  const snapshots = reopen(full);
  await expect(snapshots.before(place("t1"), "anything")).rejects.toMatchObject({ code: "storage/full" });
  await expect(snapshots.before(place("t1"), ["a"])).rejects.toMatchObject({ code: "storage/full" });
  expect(await snapshots.find("t1")).toBeUndefined();
});
