/** Pulls the plug at each thing that is done to the disk, starts anew, and asks for the same again. */
import { expect } from "vitest";
import { systemDisk, type Disk } from "../disk.ts";
import { stageSnapshots, type SnapshotStage } from "./snapshot-stage.ts";

class PowerCut extends Error {}

/** Does `left` things that change something, half of the next one where that can be done by halves, and nothing more. */
function mortalDisk(left: number): Disk & { isDead(): boolean } {
  let isDead = false;
  const step = (): void => {
    if (isDead || left-- <= 0) {
      isDead = true;
      throw new PowerCut("the plug was pulled");
    }
  };
  const mortal =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      step();
      return work(...args);
    };
  return {
    ...systemDisk,
    isDead: () => isDead,
    create: mortal(systemDisk.create),
    async write(handle, bytes) {
      if (left === 0 && !isDead) await systemDisk.write(handle, bytes.subarray(0, bytes.length >> 1));
      step();
      await systemDisk.write(handle, bytes);
    },
    chmod: mortal(systemDisk.chmod),
    sync: mortal(systemDisk.sync),
    mkdir: mortal(systemDisk.mkdir),
    rename: mortal(systemDisk.rename),
    unlink: mortal(systemDisk.unlink),
    rmdir: mortal(systemDisk.rmdir),
    symlink: mortal(systemDisk.symlink),
    utimes: mortal(systemDisk.utimes),
  };
}

async function filled(): Promise<SnapshotStage> {
  const stage = await stageSnapshots();
  await stage.write("edited", "before");
  await stage.write("removed/file", "removed", 0o600);
  await stage.link("link", "edited");
  await stage.write("turned/inside", "inside");
  return stage;
}

async function change({ write, remove, link }: SnapshotStage): Promise<void> {
  await write("edited", "after");
  await remove("removed");
  await remove("link");
  await link("link", "elsewhere");
  await remove("turned");
  await write("turned", "a file now");
  await write("made/file", "made");
}

const usual = { force: false };

/** Runs `scene` with the plug pulled later and later, until it is not pulled any more. */
export async function atEachStep(
  stride: number,
  scene: (stage: SnapshotStage, disk: Disk) => Promise<void>,
  prepare: (stage: SnapshotStage) => Promise<void>,
  check: (stage: SnapshotStage, cuts: number) => Promise<void>,
): Promise<number> {
  for (let cuts = 0; cuts < 500; cuts += stride) {
    const stage = await filled();
    try {
      await prepare(stage);
      const disk = mortalDisk(cuts);
      await scene(stage, disk).catch((error: unknown) => {
        if (!disk.isDead()) throw error;
      });
      await check(stage, cuts);
      if (!disk.isDead()) return cuts;
    } finally {
      await stage.clear();
    }
  }
  throw new Error("it never came to an end");
}

export const whileKeeping = (stride: number): Promise<number> =>
  atEachStep(
    stride,
    (stage, disk) =>
      stage
        .reopen(disk)
        .before(stage.place("t1"), "anything")
        .then(() => {}),
    async () => {},
    async (stage) => {
      const before = await stage.tree();
      const next = stage.reopen();
      await next.recover();
      await next.before(stage.place("t1"), "anything");
      await change(stage);
      await next.after("t1");
      await next.undo("t1", usual);
      expect(await stage.tree()).toEqual(before);
    },
  );

export function whileComparing(stride: number): Promise<number> {
  let before = {};
  return atEachStep(
    stride,
    (stage, disk) => stage.reopen(disk).after("t1"),
    async (stage) => {
      before = await stage.tree();
      await stage.reopen().before(stage.place("t1"), "anything");
      await change(stage);
    },
    async (stage) => {
      const next = stage.reopen();
      await next.recover();
      expect((await next.list({ limit: 9 })).map(({ turnId }) => turnId)).toEqual(["t1"]);
      await next.undo("t1", usual);
      expect(await stage.tree()).toEqual(before);
    },
  );
}

export function whileUndoing(stride: number, way: "repeated" | "at the next start"): Promise<number> {
  let before = {};
  let after = {};
  return atEachStep(
    stride,
    (stage, disk) =>
      stage
        .reopen(disk)
        .undo("t1", usual)
        .then(() => {}),
    async (stage) => {
      before = await stage.tree();
      await stage.turn("t1", () => change(stage));
      after = await stage.tree();
    },
    async (stage) => {
      const next = stage.reopen();
      if (way === "at the next start") await next.recover();
      const found = await next.find("t1");
      if (found?.undoneBy === undefined) await next.undo("t1", usual);
      await next.recover();
      expect(await stage.tree()).toEqual(before);
      const undone = (await next.find("t1"))?.undoneBy ?? "?";
      await next.undo(undone, usual);
      expect(await stage.tree()).toEqual(after);
    },
  );
}
