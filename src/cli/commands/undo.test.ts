import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { createSnapshots } from "../../sandbox/snapshots/create-snapshots.ts";
import { createWorkdirOpener } from "../../sandbox/workdir-opener.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as undo from "./undo.ts";

vi.setConfig({ testTimeout: 30_000 });

/** A home in which a turn has changed `a.txt`. */
async function changedHome() {
  const home = await createCommandHome();
  await mkdir(join(home.root, "work"));
  const workdir = await realpath(join(home.root, "work"));
  const closed = join(home.root, "home");
  const snapshots = createSnapshots({
    directory: join(closed, "snapshots"),
    clock: systemClock,
    ids: createIds(),
    settings: () => ({ exclude: [], keepDays: 14, maxFileBytes: 1e6, maxBytes: 1e9 }),
    onError: (error) => expect.unreachable(String(error)),
    openerFor: (path) => createWorkdirOpener({ workdir: path, closed }),
  });
  const file = join(workdir, "a.txt");
  await writeFile(file, "before");
  await snapshots.before({ turnId: "turn_1", sessionKey: "agent:main:main", agentId: "main", workdir }, [
    "a.txt",
  ]);
  await writeFile(file, "after");
  await snapshots.after("turn_1");
  return { ...home, read: () => readFile(file, "utf8"), write: (text: string) => writeFile(file, text) };
}

it("lists, shows, and puts back with --yes alone where nobody can be asked", async () => {
  const { run, read } = await changedHome();
  expect((await run(undo, "undo", "--list")).out).toMatch(/^turn_1 · .* · a\.txt\n$/);
  expect((await run(undo, "undo", "--show")).out).toMatch(
    /^What turn_1 changed:\nchanged: a\.txt\n--- a\.txt\n\+\+\+ a\.txt\n[^]*\n-before\n[^]*\n\+after\n/,
  );
  expect((await run(undo, "undo", "--show", "--json")).json()).toMatchObject({
    turn: { turnId: "turn_1" },
    diff: { files: 1, added: 1, removed: 1, isWhole: true },
  });
  const asked = await run(undo, "undo");
  expect(asked).toMatchObject({ status: 2, err: expect.stringContaining("changed: a.txt") });
  expect(await read()).toBe("after");
  const done = await run(undo, "undo", "--yes");
  expect(done.err).toMatch(
    /^Restored to the state before turn_1:\nchanged: a\.txt\nTo redo it: pincer undo u_/,
  );
  expect(await read()).toBe("before");
  expect((await run(undo, "undo", "turn_1", "--yes")).err).toContain("was already undone");
  expect((await run(undo, "undo", "--yes")).err).toContain("There is nothing left to undo in this session");
});

it("leaves what was changed since, unless it is forced, and answers programs", async () => {
  const { run, read, write } = await changedHome();
  await write("by hand");
  expect((await run(undo, "undo", "turn_1", "--yes")).err).toContain("pincer undo turn_1 --force");
  expect(await read()).toBe("by hand");
  const forced = await run(undo, "undo", "turn_1", "--yes", "--force", "--json");
  expect(forced.json()).toMatchObject({ turnId: "turn_1", restored: [{ path: "a.txt", change: "changed" }] });
  expect(await read()).toBe("before");
});

it("works the same beside a gateway", async () => {
  const home = await changedHome();
  await home.startGateway();
  expect((await home.run(undo, "undo", "--yes")).err).toContain("changed: a.txt");
  expect(await home.read()).toBe("before");
  expect((await home.runInChinese(undo, "undo", "nine", "--yes")).err).toContain("没有保存 nine");
});

it("takes `undo list` for the list", async () => {
  const home = await createCommandHome();
  const listed = await home.run(undo, "undo", "--list");
  expect(await home.run(undo, "undo", "list")).toMatchObject({ status: listed.status, err: listed.err });
  expect(listed.status).toBe(0);
});
