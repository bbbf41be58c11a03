import { mkdtemp, open, readdir, rm, writeFile, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLoopYield } from "../../infra/loop-yield.ts";
import { createIds } from "../../infra/ids.ts";
import { createBlobs } from "./blobs.ts";
import { systemDisk, type Disk } from "./disk.ts";

async function stage(change: Partial<Disk> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "pincer-blobs-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const ids = createIds();
  const disk = { ...systemDisk, ...change };
  const blobs = createBlobs({
    directory,
    disk,
    loopYield: createLoopYield(),
    makeName: () => ids.make("new"),
  });
  const source = join(directory, "source");
  return {
    blobs,
    async keep(text: string) {
      await writeFile(source, text);
      const handle = await open(source);
      return blobs.keep(handle, text.length, 1000).finally(() => handle.close());
    },
    written: () => readdir(join(directory, "temporary")),
  };
}

it("gives no content its name before it is safe on the disk, however many there are", async () => {
  const made = new Map<FileHandle, string>();
  const synced = new Set<string>();
  const early: string[] = [];
  let named = 0;
  const { blobs, keep, written } = await stage({
    async create(path, flags, mode) {
      const handle = await systemDisk.create(path, flags, mode);
      made.set(handle, path);
      return handle;
    },
    async sync(handle) {
      await systemDisk.sync(handle);
      synced.add(made.get(handle) ?? "a directory");
    },
    async rename(from, to) {
      if (!synced.has(from)) early.push(from);
      await systemDisk.rename(from, to);
      named++;
    },
  });
  for (let index = 0; index < 250; index++) await keep(`content ${index % 220}`);
  await blobs.flush();
  expect({ early, named, left: await written() }).toEqual({ early: [], named: 220, left: [] });
});

it("syncs many contents at the same time", async () => {
  let under = 0;
  let most = 0;
  const { blobs, keep } = await stage({
    async sync(handle) {
      most = Math.max(most, ++under);
      await systemDisk.sync(handle);
      under--;
    },
  });
  for (let index = 0; index < 40; index++) await keep(`content ${index}`);
  expect(most).toBe(0);
  await blobs.flush();
  expect(most).toBe(16);
});

it("leaves nothing half kept behind", async () => {
  let isFull = true;
  const { blobs, keep, written } = await stage({
    async sync(handle) {
      if (isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      await systemDisk.sync(handle);
    },
  });
  await keep("content");
  expect(await written()).toHaveLength(1);
  await expect(blobs.flush()).rejects.toThrow("no space");
  await blobs.drop();
  expect(await written()).toEqual([]);
  isFull = false;
  await keep("content");
  await blobs.flush();
  expect((await Array.fromAsync(blobs.list())).length).toBe(1);
});
