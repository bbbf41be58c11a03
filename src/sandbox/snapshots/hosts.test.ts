import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemDisk } from "./disk.ts";
import { createHosts } from "./hosts.ts";
import { stageSnapshots } from "./testing/snapshot-stage.ts";

vi.setConfig({ testTimeout: 30_000 });

async function stage(given: Parameters<typeof stageSnapshots>[0] = {}) {
  const made = await stageSnapshots(given);
  onTestFinished(made.clear);
  await made.write("a", "before");
  await made.write("b", "before");
  return made;
}

/** Nothing that is too new to be taken as it was: two looks give one listing. */
async function linked() {
  const made = await stageSnapshots();
  onTestFinished(made.clear);
  await made.link("link", "elsewhere");
  await made.link("other", "elsewhere");
  return made;
}

const inSession = { sessionKey: "agent:main:main", limit: 9, isOver: true };

describe("two processes with one home", () => {
  it("do not end each other's turns by looking or starting", async () => {
    const { snapshots, beside, place, write, tree } = await stage();
    const before = await tree();
    await snapshots.before(place("t1"), "anything");
    await write("a", "changed");
    const other = beside();
    expect(await other.list({ limit: 9 })).toEqual([]);
    expect(await other.find("t1")).toBeUndefined();
    await other.recover();
    await other.after("t1");
    await other.settled();
    await write("b", "changed");
    await snapshots.after("t1");
    expect(await other.find("t1")).toMatchObject({ paths: [{ path: "a" }, { path: "b" }], notKept: [] });
    await other.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("undo nothing in place of a turn that the other has not ended", async () => {
    const { snapshots, beside, place, write, turn } = await stage();
    await turn("t1", () => write("a", "once"));
    await snapshots.before(place("t2"), "anything");
    await write("a", "twice");
    const other = beside();
    const busy = { code: "session/busy", hint: expect.stringContaining("again") };
    await expect(other.list(inSession)).rejects.toMatchObject(busy);
    await expect(other.undo("t2", { force: false })).rejects.toMatchObject(busy);
    await snapshots.after("t2");
    expect(await other.list(inSession)).toHaveLength(2);
  });

  it("end what the other left when it is gone, each turn with all that it changed", async () => {
    const { reopen, place, remove, tree } = await linked();
    const before = await tree();
    const first = reopen();
    await first.before(place("t1"), "anything");
    await first.before(place("t2", "agent:main:other"), "anything");
    await remove("link");
    const next = reopen();
    await next.recover();
    const found = await next.list({ limit: 9 });
    expect(found.map(({ paths, notKept }) => [paths.length, notKept])).toEqual([
      [1, []],
      [1, []],
    ]);
    await next.undo("t1", { force: false });
    expect(await tree()).toEqual(before);
  });

  it("do not leave each other's turns without the listing of what was there", async () => {
    const { snapshots, beside, place, remove } = await linked();
    const other = beside();
    await snapshots.before(place("t1"), "anything");
    await other.before(place("t2", "agent:main:other"), "anything");
    await remove("link");
    await snapshots.after("t1");
    await other.after("t2");
    expect(await other.find("t2")).toMatchObject({ paths: [{ path: "link" }], notKept: [] });
  });

  it("do not throw away what the other's turn needs", async () => {
    const { snapshots, beside, place, write, clock } = await stage({ keepDays: 1 });
    await snapshots.before(place("t1"), "anything");
    await clock.advance(72 * 3_600_000);
    await beside().prune();
    await write("a", "changed");
    await snapshots.after("t1");
    expect(await snapshots.find("t1")).toMatchObject({ paths: [{ path: "a" }], notKept: [] });
  });

  it("do not take from under the other what it is just writing", async () => {
    const { beside, place, errors, write } = await stage();
    const soon = 3_600_000;
    const other = beside({ restMs: soon });
    const writing = beside({
      disk: {
        ...systemDisk,
        async rename(from, to) {
          if (from.includes("/temporary/")) {
            await other.recover();
            await other.settled();
          }
          await systemDisk.rename(from, to);
        },
      },
    });
    await writing.before(place("t1"), "anything");
    await write("a", "changed");
    await writing.after("t1");
    expect([(await writing.find("t1"))?.paths.length, errors]).toEqual([1, []]);
  });
});

describe("a start", () => {
  it("waits for no comparison; callers that read it do", async () => {
    const { reopen, place, write, root } = await stage();
    await reopen().before(place("t1"), "anything");
    await write("a", "changed");
    const gate = Promise.withResolvers<void>();
    const next = reopen({
      ...systemDisk,
      async create(path, flags, mode) {
        await gate.promise;
        return systemDisk.create(path, flags, mode);
      },
    });
    await next.recover();
    const listed = next.list({ limit: 9 });
    const begun = next.before(place("t2"), ["b"]);
    const kept = async () => Object.keys(await systemTurns(root)).length;
    expect(await kept()).toBe(1);
    gate.resolve();
    expect((await listed).map(({ turnId }) => turnId)).toEqual(["t1"]);
    await begun;
  });

  it("tells what could not be recovered, and recovers the other workdirs", async () => {
    const { reopen, place, write, root, errors } = await stage();
    const second = join(root, "second");
    await mkdir(second);
    const first = reopen();
    await first.before(place("t1"), "anything");
    await first.before({ ...place("t2"), workdir: second }, ["made"]);
    await write("a", "changed");
    await mkdir(join(second, "made"));
    const [broken = ""] = await roomsIn(root, "t2");
    const next = reopen({
      ...systemDisk,
      readdir: (async (path: string, ...rest: []) => {
        if (path === join(broken, "temporary")) throw Object.assign(new Error("unreadable"), { code: "EIO" });
        return systemDisk.readdir(path, ...rest);
      }) as typeof systemDisk.readdir,
    });
    await next.recover();
    await next.settled();
    expect(errors).toMatchObject([{ code: "storage/unavailable" }]);
    const ended = await next.list({ limit: 9 });
    expect(ended.map(({ turnId }) => turnId).toSorted()).toEqual(["t1", "t2"]);
  });

  it("does not forget a turn whose listing is lost, and says that nothing of it was kept", async () => {
    const { reopen, place, write, root } = await stage();
    await reopen().before(place("t1"), "anything");
    await write("a", "changed");
    const [room = ""] = await roomsIn(root, "t1");
    await rm(join(room, "listings"), { recursive: true });
    const next = reopen();
    await next.recover();
    expect(await next.find("t1")).toMatchObject({ paths: [], notKept: ["."] });
    expect(await next.undo("t1", { force: false })).toMatchObject({ restored: [], notKept: ["."] });
  });

  it("clears away what was half written, and only that", async () => {
    const { snapshots, reopen, write, turn, root, directory } = await stage();
    await turn("t1", () => write("a", "changed"));
    const [room = ""] = await roomsIn(root, "t1");
    const [listing = ""] = await readdir(join(room, "listings"));
    await rename(join(room, "listings", listing), join(room, "listings", `${listing}.x.new`));
    await mkdir(join(directory, "empty"));
    const next = reopen();
    await next.recover();
    await next.settled();
    expect(await readdir(join(room, "listings"))).not.toContain(`${listing}.x.new`);
    expect(await snapshots.find("t1")).toMatchObject({ paths: [{ path: "a" }] });
  });
});

/** The rooms that know a turn. */
async function roomsIn(root: string, turnId: string): Promise<string[]> {
  const turns = await systemTurns(root);
  return Object.keys(turns).filter((room) => turns[room]?.some((name) => name.includes(`.${turnId}.`)));
}

async function systemTurns(root: string): Promise<Record<string, string[]>> {
  const directory = join(root, "home", "snapshots");
  const rooms = (await readdir(directory)).map((name) => join(directory, name));
  const names = await Promise.all(rooms.map((room) => readdir(join(room, "turns"))));
  return Object.fromEntries(rooms.map((room, index) => [room, names[index] ?? []]));
}

it("tells another process that lives from this one, one that is gone, and one that got its number", async () => {
  const hosts = createHosts();
  const parent = createHosts({ pid: process.ppid });
  expect(await hosts.isElsewhere(await hosts.own())).toBe(false);
  expect(await hosts.isElsewhere(await parent.own())).toBe(true);
  expect(await hosts.isElsewhere({ ...(await parent.own()), start: "another time" })).toBe(false);
  expect(await hosts.isElsewhere({ pid: 2 ** 30, start: "" })).toBe(false);
  expect(await hosts.isElsewhere(undefined)).toBe(false);
});
