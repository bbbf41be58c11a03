import { expect, it } from "vitest";
import type { SessionUndo } from "./session-undo.ts";
import { inbound } from "./testing/inbound.ts";
import { stageRouter } from "./testing/router-stage.ts";

it("undoes for the owner alone, in the session of the chat, and names the files", async () => {
  const done: string[] = [];
  const undo: SessionUndo = {
    list: async () => [],
    show: async () => {
      throw new Error("nobody looks");
    },
    async diff(_key, turnId = "the newest") {
      const text = "--- a.txt\n+++ a.txt\n-see https://evil.example/x\n+```";
      return { turnId, files: 1, added: 1, removed: 1, text, isWhole: true };
    },
    seen: async (_key, turnId) => void done.push(`seen ${turnId}`),
    async apply({ sessionKey }, { turnId = "the newest", input }) {
      done.push(`undo ${turnId} of ${sessionKey}`);
      return {
        turnId: input === undefined ? "?" : "turn_1",
        undoId: "u_1",
        restored: [{ path: "a.txt", change: "changed" }],
        conflicts: [],
        notKept: [],
      };
    },
  };
  const stage = stageRouter({ owners: ["telegram:42"], undo });
  await stage.start();
  await stage.receive(
    inbound({ id: "m1", text: "/undo", sender: { id: "7" }, peer: { kind: "user", id: "7" } }),
  );
  await stage.settle();
  expect((await stage.said()).map(({ text }) => text)).toEqual(["/undo: Only my owner can undo changes."]);
  await stage.receive(inbound({ id: "m2", text: "/undo" }));
  await stage.settle();
  expect(done).toEqual(["undo the newest of agent:main:main"]);
  const said = (await stage.said()).map(({ text }) => text);
  expect(said.at(-1)).toBe("Restored to the state before turn_1:\nchanged: a.txt\nTo redo it: /undo u_1");
  await stage.receive(inbound({ id: "m3", text: "/undo diff turn_1" }));
  await stage.settle();
  expect((await stage.said()).at(-1)?.text).toBe(
    "What turn_1 changed – files: 1 (+1 −1)\n```\n--- a.txt\n+++ a.txt\n-see hxxps://evil[.]example/x\n+⟨U+0060⟩⟨U+0060⟩⟨U+0060⟩\n```",
  );
  expect(done.at(-1)).toBe("seen turn_1");
});
