import { realpath } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stageSnapshots } from "../../sandbox/snapshots/testing/snapshot-stage.ts";
import { request } from "../../storage/testing/samples.ts";
import { createApiStage, ways, type Way } from "../../app/testing/api-stage.ts";

vi.setConfig({ testTimeout: 30_000 });

/** Two turns of the main session and one of another, in a real workdir. */
async function stage(way: Way) {
  const kept = await stageSnapshots();
  onTestFinished(kept.clear);
  await kept.write("a", "one");
  await kept.turn("t1", () => kept.write("a", "two"));
  await kept.turn("t2", () => kept.write("b", "made"));
  await kept.snapshots.before(kept.place("t3", "agent:main:other"), ["c"]);
  await kept.write("c", "made");
  await kept.snapshots.after("t3");
  const api = await createApiStage(way, {}, undefined, undefined, kept.snapshots);
  await api.tenant.sessions.open(request("agent:main:main"));
  return { ...kept, ...api.apis, tenant: api.tenant };
}

describe.each(ways)("the undo API %s", (way) => {
  it("lists, shows and undoes: the newest of the main session where nothing is named", async () => {
    const { undo, tree, workdir } = await stage(way);
    const ids = async (session?: string) =>
      (await undo.list(session === undefined ? {} : { sessionKey: session })).turns.map(
        ({ turnId }) => turnId,
      );
    expect(await ids()).toEqual(["t3", "t2", "t1"]);
    expect(await ids("main")).toEqual(["t2", "t1"]);
    expect(await undo.show({})).toMatchObject({
      turn: { turnId: "t2", workdir: await realpath(workdir), paths: [{ path: "b", change: "made" }] },
    });
    expect(await undo.apply({})).toMatchObject({
      turnId: "t2",
      restored: [{ path: "b", change: "removed" }],
    });
    expect(await undo.apply({})).toMatchObject({ turnId: "t1" });
    expect(await undo.apply({ turnId: "t3" })).toMatchObject({ turnId: "t3" });
    expect(await tree()).toEqual({ a: "file 644 one" });
  });

  it("does not find a turn in a session that it is not of", async () => {
    const { undo } = await stage(way);
    const missing = { code: "usage/not-found" };
    await expect(undo.apply({ turnId: "t3", sessionKey: "main" })).rejects.toMatchObject(missing);
    await expect(undo.apply({ turnId: "t9" })).rejects.toMatchObject(missing);
  });

  it("says where nothing is kept", async () => {
    const { apis } = await createApiStage(way);
    await expect(apis.undo.list({})).rejects.toMatchObject({
      hint: expect.stringContaining("tools.undo.enabled"),
    });
  });
});
