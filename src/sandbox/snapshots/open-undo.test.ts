import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import { createIds, type Ids } from "../../infra/ids.ts";
import { createWorkdirRegistry } from "../workdir-registry.ts";
import { createUndo } from "./open-undo.ts";

async function stage(ids: Ids = createIds()) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-undo-room-")));
  onTestFinished(() => rm(root, { recursive: true }));
  const workdir = join(root, "workspace");
  await mkdir(workdir);
  const errors: unknown[] = [];
  const open = () =>
    createUndo({
      registry: createWorkdirRegistry(),
      home: locateHome({ PINCER_HOME: root }),
      config: () => defaultConfig,
      clock: createHandClock(),
      ids,
      onError: (error) => void errors.push(error),
    });
  const room = open();
  const { signal } = new AbortController();
  const keep = (changes: readonly string[], stop = signal) =>
    room.keep({ turnId: "t1", sessionKey: "s", agentId: "main", workdir }, changes, stop);
  return { root, workdir, room, reopen: open, keep, errors };
}

it("opens again what could not be opened", async () => {
  const usual = createIds();
  let isBroken = true;
  const { room, keep, workdir } = await stage({
    make(prefix) {
      if (isBroken) throw new Error("no chance left");
      return usual.make(prefix);
    },
  });
  await expect(keep(["a"])).rejects.toThrow("no chance left");
  isBroken = false;
  await keep(["a"]);
  await writeFile(join(workdir, "a"), "made");
  room.turnEnded("t1");
  await room.settled();
  expect(await room.snapshots.list({ limit: 5 })).toMatchObject([{ turnId: "t1", paths: [{ path: "a" }] }]);
});

it("opens nothing for a call that changes nothing", async () => {
  const { keep, root } = await stage();
  await keep([]);
  expect(existsSync(join(root, "snapshots"))).toBe(false);
});

it("keeps nothing when it is told to stop, and knows of no turn then", async () => {
  const { keep, room, errors } = await stage();
  await expect(keep(["a"], AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  room.turnEnded("t1");
  await room.settled();
  expect([await room.snapshots.list({ limit: 5 }), errors]).toEqual([[], []]);
});

it("ends at the start what a killed process left, so that later changes are not the turn's", async () => {
  const { keep, reopen, workdir } = await stage();
  await keep(["a"]);
  await writeFile(join(workdir, "a"), "by the turn");
  const next = reopen();
  await next.recover();
  await next.settled();
  await writeFile(join(workdir, "a"), "by the owner");
  const report = await next.snapshots.undo("t1", { force: false });
  expect(report).toMatchObject({ restored: [], conflicts: ["a"] });
  expect(await readFile(join(workdir, "a"), "utf8")).toBe("by the owner");
});
