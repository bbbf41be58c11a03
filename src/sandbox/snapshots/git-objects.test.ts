import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { isAddedObject, mostObjectBytes } from "./git-objects.ts";
import { stageSnapshots } from "./testing/snapshot-stage.ts";

vi.setConfig({ testTimeout: 30_000 });

const run = promisify(execFile);

/** A workdir with one commit. */
async function repository(given: Parameters<typeof stageSnapshots>[0] = {}) {
  const made = await stageSnapshots(given);
  onTestFinished(made.clear);
  const git = async (...args: string[]) =>
    (await run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: made.workdir })).stdout;
  await git("init", "-b", "main");
  await made.write("a", "one");
  await git("add", ".");
  await git("commit", "-m", "one");
  return { ...made, git };
}

/** Makes it look like a repository of which the objects are too much to keep. */
async function grow(workdir: string): Promise<void> {
  const pack = join(workdir, ".git/objects/pack/pack-large.pack");
  await writeFile(pack, "");
  await truncate(pack, mostObjectBytes + 1);
}

it("gives a repository back that was removed, whole, also where its packs are larger than files may be", async () => {
  const { git, turn, remove, snapshots, write } = await repository({ maxFileBytes: 8000 });
  await write("random", randomBytes(20_000));
  await git("add", ".");
  await git("commit", "-m", "large");
  await git("gc");
  const before = await git("log", "--format=%H %s");
  await turn("t1", () => remove(".git"));
  expect(await snapshots.undo("t1", { force: false })).toMatchObject({ conflicts: [], notKept: [] });
  expect(await git("log", "--format=%H %s")).toBe(before);
  expect(await git("fsck", "--strict")).toBe("");
});

it("takes no object away that a commit made since may need", async () => {
  const { git, turn, write, snapshots } = await repository();
  await turn("t1", async () => {
    await write("a", "two");
    await git("commit", "-am", "two");
  });
  const noted = (await snapshots.find("t1"))?.paths ?? [];
  expect(noted.filter(({ path }) => path.includes("objects"))).toEqual([]);
  await write("b", "three");
  await git("add", "b");
  await git("commit", "-m", "three");
  await snapshots.undo("t1", { force: false });
  expect(await git("log", "--format=%s")).toBe("three\ntwo\none\n");
  expect(await git("fsck", "--strict")).toBe("");
});

it("gives back objects alone, says so, and does not take them away when that is undone", async () => {
  const { git, turn, remove, snapshots } = await repository();
  await turn("t1", () => remove(".git/objects"));
  const { undoId = "", restored } = await snapshots.undo("t1", { force: false });
  expect(restored).toContainEqual({ path: ".git/objects/", change: "made" });
  await snapshots.undo(undoId, { force: false });
  expect(await git("log", "--format=%s")).toBe("one\n");
});

it.each([[".git"], [".git/objects"], [".git/objects/pack"]])(
  "says that objects which were too much to keep are lost, where a turn removed %s",
  async (path) => {
    const { workdir, turn, remove, snapshots, write } = await repository();
    await grow(workdir);
    await turn("t0", () => write("a", "two"));
    expect(await snapshots.find("t0")).toMatchObject({ paths: [{ path: "a" }], notKept: [] });
    await turn("t1", () => remove(path));
    expect((await snapshots.find("t1"))?.notKept).toEqual([".git/objects"]);
    expect(await snapshots.undo("t1", { force: false })).toMatchObject({ notKept: [".git/objects"] });
  },
);

it("takes nothing for removed where the objects became too much to keep", async () => {
  const { workdir, turn, snapshots, write } = await repository();
  await turn("t1", async () => {
    await grow(workdir);
    await write("a", "two");
  });
  expect(await snapshots.find("t1")).toMatchObject({
    paths: [{ path: "a", change: "changed" }],
    notKept: [],
  });
});

it("knows objects from branches, and from directories of the owner that are called so", () => {
  const isAdded = (path: string) => isAddedObject({ path, before: null, after: null });
  const objects = [".git/objects/ab/cd", "sub/.git/objects", ".git/modules/x/objects/pack/p"];
  const others = [".git/refs/heads/objects/x", ".git/logs/refs/heads/objects", "objects/ab", ".git/HEAD"];
  expect([objects.map(isAdded), others.map(isAdded)]).toEqual([
    [true, true, true],
    [false, false, false, false],
  ]);
});
