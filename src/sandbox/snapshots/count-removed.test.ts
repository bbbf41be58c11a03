import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { stageSnapshots, type SnapshotStage } from "./testing/snapshot-stage.ts";

let stages: SnapshotStage[] = [];
afterEach(async () => {
  for (const each of stages) await each.clear();
  stages = [];
});

const many = 3;

async function stage(...paths: string[]): Promise<SnapshotStage> {
  const made = await stageSnapshots();
  stages.push(made);
  for (const path of paths) await made.write(path, path);
  return made;
}

describe("what a running turn has removed", () => {
  it("is counted by names where it may change anything", async () => {
    const { snapshots, place, remove, write } = await stage("a", "b", "dir/c", "dir/d");
    await snapshots.before(place("t1"), "anything");
    expect(await snapshots.removed("t1", many)).toBe(0);
    await remove("a");
    await remove("dir");
    await write("b", "other words");
    await write("new", "made by the turn");
    expect(await snapshots.removed("t1", many)).toBe(3);
  });

  it("is counted by the paths that it named", async () => {
    const { snapshots, place, remove } = await stage("a", "b", "dir/c", "d");
    await snapshots.before(place("t1"), ["a", "dir/c", "not-there"]);
    await remove("a");
    await remove("d");
    await remove("dir");
    expect(await snapshots.removed("t1", many)).toBe(2);
  });

  it("does not count what was only moved, when there is much of it", async () => {
    const paths = ["1", "2", "3", "4", "5"].map((name) => `old/${name}`);
    const { snapshots, place, remove, workdir } = await stage(...paths, "kept");
    await snapshots.before(place("t1"), "anything");
    await rename(join(workdir, "old"), join(workdir, "new"));
    expect(await snapshots.removed("t1", many)).toBe(0);
    await remove("new/1");
    expect(await snapshots.removed("t1", many)).toBe(1);
  });

  it("counts nothing that it made itself, that git packed away or that is passed over", async () => {
    const { snapshots, place, remove, write } = await stage(
      ".git/objects/ab/cdef",
      "node_modules/x/index.js",
      "a",
    );
    await snapshots.before(place("t1"), "anything");
    await write("made", "by the turn");
    await remove("made");
    await remove(".git/objects/ab");
    await remove("node_modules");
    expect(await snapshots.removed("t1", many)).toBe(0);
  });

  it("leaves to another turn what that one said it changes", async () => {
    const { snapshots, place, remove } = await stage("a", "b");
    await snapshots.before(place("t1"), "anything");
    await snapshots.before(place("t2"), ["a"]);
    await remove("a");
    expect([await snapshots.removed("t1", many), await snapshots.removed("t2", many)]).toEqual([0, 1]);
  });

  it("counts anew when the turn goes on after its end", async () => {
    const { snapshots, place, remove } = await stage("a", "b", "c");
    await snapshots.before(place("t1"), "anything");
    await remove("a");
    await remove("b");
    await snapshots.after("t1");
    await snapshots.before(place("t1"), "anything");
    expect(await snapshots.removed("t1", many)).toBe(0);
    await remove("c");
    expect(await snapshots.removed("t1", many)).toBe(1);
  });

  it("is nothing for a turn that is over or was never there", async () => {
    const { snapshots, place, remove } = await stage("a");
    await snapshots.before(place("t1"), "anything");
    await remove("a");
    await snapshots.after("t1");
    expect([await snapshots.removed("t1", many), await snapshots.removed("t9", many)]).toEqual([0, 0]);
  });
});
