import { readdir } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { systemDisk } from "./disk.ts";
import { stageSnapshots } from "./testing/snapshot-stage.ts";

vi.setConfig({ testTimeout: 30_000 });

async function stage(given: Parameters<typeof stageSnapshots>[0] = {}) {
  const made = await stageSnapshots(given);
  onTestFinished(made.clear);
  return made;
}

it("counts only what it keeps: one large file does not leave the rest unkept", async () => {
  const { snapshots, place, write } = await stage({ maxFileBytes: 500, maxBytes: 1000 });
  await write("large", "x".repeat(100_000));
  await write("sub/one", "x".repeat(400));
  await write("sub/two/a", "y".repeat(400));
  expect(await snapshots.before(place("t1"), "anything")).toEqual({ notKept: ["large"] });
  await write("sub/two/b/c", "z".repeat(400));
  expect(await snapshots.before(place("t2"), "anything")).toEqual({ notKept: ["large", "sub/two/b/c"] });
});

it("stops between two files when it is told to, and leaves nothing half kept", async () => {
  const { reopen, place, write, directory, tree } = await stage();
  for (let index = 0; index < 60; index++) await write(`${index % 6}/${index}`, `file ${index}`);
  const before = await tree();
  const stop = new AbortController();
  let opened = 0;
  const snapshots = reopen({
    ...systemDisk,
    async open(path, flags) {
      if (/\/\d+$/.test(path) && path.startsWith("/proc") && ++opened === 20)
        stop.abort(new Error("stopped"));
      return systemDisk.open(path, flags);
    },
  });
  await expect(snapshots.before(place("t1"), "anything", stop.signal)).rejects.toThrow("stopped");
  expect(opened).toBeLessThan(40);
  const [room = ""] = await readdir(directory);
  const made = await readdir(join(directory, room));
  expect([await readdir(join(directory, room, "temporary")), made]).toEqual([[], ["temporary"]]);
  await expect(snapshots.before(place("t1"), ["0/0"], stop.signal)).rejects.toThrow("stopped");
  await snapshots.after("t1");
  await snapshots.before(place("t1"), "anything");
  await write("0/0", "changed");
  await snapshots.after("t1");
  await snapshots.undo("t1", { force: false });
  expect(await tree()).toEqual(before);
});

it("makes no record of a call that changes nothing", async () => {
  const { snapshots, place, directory } = await stage();
  expect(await snapshots.before(place("t1"), [])).toEqual({ notKept: [] });
  await snapshots.after("t1");
  await expect(readdir(directory)).rejects.toMatchObject({ code: "ENOENT" });
});

it("compares a turn that is over before the next one begins", async () => {
  const { snapshots, place, write, workdir } = await stage();
  await snapshots.before(place("t1"), "anything");
  await write("a", "made");
  const ended = snapshots.after("t1");
  await snapshots.before(place("t2"), "anything").then(() => writeFileSync(join(workdir, "b"), "made"));
  await ended;
  await snapshots.after("t2");
  expect((await snapshots.find("t1"))?.paths).toEqual([{ path: "a", change: "made" }]);
  expect((await snapshots.find("t2"))?.paths).toEqual([{ path: "b", change: "made" }]);
});

it("does not end a turn that keeps more at this moment", async () => {
  const { snapshots, place, write } = await stage();
  await write("a", "before");
  await snapshots.before(place("t1"), ["a"]);
  const more = snapshots.before(place("t1"), ["b"]);
  const listed = snapshots.list({ limit: 9 });
  await more;
  await listed;
  await write("a", "changed");
  await snapshots.after("t1");
  expect((await snapshots.find("t1"))?.paths).toEqual([{ path: "a", change: "changed" }]);
});
