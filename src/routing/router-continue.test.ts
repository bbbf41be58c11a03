import { describe, expect, it } from "vitest";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, type StageSettings } from "./testing/router-stage.ts";

/** The first run of each turn stops at a limit; one that was continued answers. */
const stopsOnce: StageSettings = {
  ending: ({ options }) => (options["continued"] ? { type: "answered" } : { type: "step-limit", steps: 3 }),
};

async function started(settings: StageSettings = stopsOnce) {
  const stage = stageRouter(settings);
  await stage.start();
  return stage;
}

const texts = (rows: Array<{ text: string }>) => rows.map(({ text }) => text);
const from = (id: string, text: string, peer = "42") =>
  inbound({ id, text, peer: { kind: "user", id: peer }, sender: { id: peer } });

describe("/continue", () => {
  it.each(["/continue", ",continue", "!continue and hurry"])(
    "LOOP-05 goes on with the turn that stopped, in the same place, for %s",
    async (words) => {
      const { receive, settle, turns, said, stateOf } = await started();
      await receive(from("1", "count"));
      await settle();
      const [stopped] = await turns();
      expect(stopped).toMatchObject({ state: "done", ending: { type: "step-limit" } });
      const row = await receive(from("2", words));
      await settle();
      expect(await stateOf(row)).toBe("done");
      expect(await turns()).toMatchObject([{ turnId: stopped?.turnId, ending: { type: "answered" } }]);
      expect(texts(await said())).toEqual(["echo: count", `echo: count + ${words}`]);
    },
  );

  it("says plainly when there is nothing to continue", async () => {
    const { receive, settle, turns, said, stateOf } = await started({});
    const row = await receive(from("1", "/continue"));
    await settle();
    expect(await stateOf(row)).toBe("command continue");
    await receive(from("2", "hello"));
    await settle();
    await receive(from("3", "/continue"));
    await settle();
    expect(await turns()).toHaveLength(1);
    const nothing = "There is nothing to continue: the last turn here did not stop at a limit.";
    expect(texts(await said())).toEqual([nothing, "echo: hello", nothing]);
  });

  it("says so while the turn is still at work", async () => {
    const gate = Promise.withResolvers<void>();
    const { receive, pass, settle, said } = await started({ work: () => gate.promise });
    await receive(from("1", "hello"));
    await pass(500);
    await receive(from("2", "/continue"));
    await pass(500);
    expect(texts(await said())).toEqual(["The turn is still running; there is nothing to continue yet."]);
    gate.resolve();
    await settle();
    expect(texts(await said())).toHaveLength(2);
  });

  it("lets nobody go on with a turn of somebody else", async () => {
    const { receive, settle, turns, said } = await started();
    await receive(from("1", "count", "42"));
    await settle();
    await receive(from("2", "/continue", "43"));
    await settle();
    expect(await turns()).toMatchObject([{ ending: { type: "step-limit" } }]);
    expect((await said()).at(-1)).toMatchObject({ destination: { target: { peerId: "43" } } });
  });

  it("LOOP-05 in a group continues for the person who asked, or the owner, and tells the others", async () => {
    const inGroup = (id: string, text: string, sender: string) =>
      inbound({ id, text, peer: { kind: "group", id: "g1" }, sender: { id: sender } });
    for (const [sender, isLetIn] of [
      ["42", true],
      ["43", false],
      ["1", true],
    ] as const) {
      const { receive, settle, turns, said } = await started({ ...stopsOnce, owners: ["telegram:1"] });
      await receive(inGroup("1", "count", "42"));
      await settle();
      await receive(inGroup("2", "/continue", sender));
      await settle();
      expect(await turns()).toMatchObject([
        {
          ending: { type: isLetIn ? "answered" : "step-limit" },
          person: { role: "peer", id: "telegram:42" },
        },
      ]);
      expect(texts(await said()).at(-1)).toBe(
        isLetIn
          ? "echo: count + /continue"
          : "Somebody else asked for the turn that stopped last here; only they and my owner can continue it.",
      );
    }
  });

  it("goes on after a crash that came right after it was asked", async () => {
    const stage = await started();
    await stage.receive(from("1", "count"));
    await stage.settle();
    await stage.receive(from("2", "/continue"));
    await stage.restart();
    await stage.start();
    await stage.settle();
    expect(await stage.turns()).toMatchObject([{ state: "done", ending: { type: "answered" } }]);
    expect(texts(await stage.said())).toEqual(["echo: count", "echo: count + /continue"]);
  });
});
