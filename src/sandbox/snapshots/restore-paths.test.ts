/** A workdir that is changed against us after it was kept: nothing outside is read or written, whatever stands where a directory was. */
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemDisk, type Disk } from "./disk.ts";
import { stageSnapshots } from "./testing/snapshot-stage.ts";

vi.setConfig({ testTimeout: 30_000 });

/** A turn has changed `dir/file` and made `dir/made`; outside lies a directory with files of the same names. */
async function stage() {
  const made = await stageSnapshots();
  onTestFinished(made.clear);
  const outside = join(made.root, "outside");
  await mkdir(join(outside, "sub"), { recursive: true });
  for (const name of ["file", "made", "sub/file"]) await writeFile(join(outside, name), "canary");
  await made.write("dir/file", "before");
  await made.write("dir/sub/file", "before");
  await made.write("top", "before");
  await made.turn("t1", async () => {
    await made.write("dir/file", "after");
    await made.write("dir/made", "after");
    await made.remove("dir/sub");
    await made.write("top", "after");
  });
  return { ...made, outside };
}

describe.each([false, true])("undoing with links swapped in (force %s)", (force) => {
  it("SAFE-05 writes nothing through a link that leads outside", async () => {
    const { snapshots, workdir, outside, tree } = await stage();
    const canaries = await tree("outside");
    await rename(join(workdir, "dir"), join(workdir, "moved"));
    await symlink(outside, join(workdir, "dir"));
    const report = await snapshots.undo("t1", { force });
    expect(report.conflicts).toEqual(expect.arrayContaining(["dir/file", "dir/made", "dir/sub"]));
    expect(await tree("outside")).toEqual(canaries);
    expect(await tree()).toMatchObject({ top: "file 644 before", "moved/file": "file 644 after" });
  });

  it("SAFE-05 writes nothing through a link to another directory of the workdir", async () => {
    const { snapshots, workdir, write, tree } = await stage();
    await rename(join(workdir, "dir"), join(workdir, "moved"));
    await write("other/file", "after");
    await write("other/made", "after");
    await symlink("other", join(workdir, "dir"));
    const report = await snapshots.undo("t1", { force });
    expect(report.conflicts).toContain("dir/file");
    expect(await tree()).toMatchObject({ "other/file": "file 644 after", "other/made": "file 644 after" });
  });

  it("SAFE-05 replaces a link at the end of a path and never what it leads to", async () => {
    const { snapshots, workdir, outside, remove, tree } = await stage();
    await remove("top");
    await symlink(join(outside, "file"), join(workdir, "top"));
    const report = await snapshots.undo("t1", { force });
    expect(await readFile(join(outside, "file"), "utf8")).toBe("canary");
    expect((await tree())["top"]).toBe(force ? "file 644 before" : `link ${join(outside, "file")}`);
    expect(report.conflicts.includes("top")).toBe(!force);
  });
});

it("SAFE-05 looks again before it writes: a link swapped in after the first look leads nowhere", async () => {
  const { workdir, outside, reopen, tree } = await stage();
  const canaries = await tree("outside");
  let isSwapped = false;
  const swapping: Disk = {
    ...systemDisk,
    // The first thing that is made in the workdir: everything was looked at by then.
    async create(path, flags, mode) {
      if (path.includes("pincer-u_") && !isSwapped) {
        isSwapped = true;
        await rename(join(workdir, "dir"), join(workdir, "moved"));
        await symlink(outside, join(workdir, "dir"));
      }
      return systemDisk.create(path, flags, mode);
    },
  };
  const report = await reopen(swapping).undo("t1", { force: false });
  expect(isSwapped).toBe(true);
  expect(report.conflicts.length).toBeGreaterThan(0);
  expect(await tree("outside")).toEqual(canaries);
});

it("SAFE-05 keeps a link as a link and reads nothing behind it", async () => {
  const { workdir, outside, snapshots, place, directory, reopen } = await stage();
  const opened: string[] = [];
  const watching = reopen({
    ...systemDisk,
    async open(path, flags) {
      const handle = await systemDisk.open(path, flags);
      opened.push(path);
      return handle;
    },
  });
  await symlink(outside, join(workdir, "way-out"));
  await watching.before(place("t2"), "anything");
  expect(opened.filter((path) => path.includes("way-out"))).toEqual([]);
  await watching.before(place("t3"), ["way-out/file", join(outside, "file"), "../outside/file"]);
  await snapshots.after("t3");
  expect(await isKeptAnywhere(directory, "canary")).toBe(false);
});

it("SAFE-05 passes over a directory that becomes a link while it is walked", async () => {
  const { workdir, outside, reopen, place } = await stage();
  let isSwapped = false;
  const swapping = reopen({
    ...systemDisk,
    async open(path, flags) {
      if (path.endsWith("/dir") && !isSwapped) {
        isSwapped = true;
        await rename(join(workdir, "dir"), join(workdir, "moved"));
        await symlink(outside, join(workdir, "dir"));
      }
      return systemDisk.open(path, flags);
    },
  });
  const { notKept } = await swapping.before(place("t2"), "anything");
  expect(isSwapped).toBe(true);
  expect(notKept).toEqual(["dir"]);
});

/** Whether any content that is kept has the word; contents this short are not packed. */
async function isKeptAnywhere(directory: string, word: string): Promise<boolean> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "latin1")),
  );
  return texts.some((text) => text.includes(word));
}
