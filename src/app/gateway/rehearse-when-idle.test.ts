import { expect, it } from "vitest";
import { rehearseWhenIdle, type IdleParts } from "./rehearse-when-idle.ts";

/** A house in which `turns` run by the time they are counted; asked for anything else, it fails. */
function house(turns: number[], stopping = new AbortController().signal) {
  const done: string[] = [];
  const parts = {
    lanes: { load: () => ({ queued: 0, running: turns.shift() ?? 0 }) },
    connected: {
      async room() {
        done.push("room");
        return {};
      },
    },
    http: { loadAll: async () => void done.push("routes") },
    stopping,
  } as unknown as IdleParts;
  return { done, parts };
}

it("nothing is loaded for a rehearsal while somebody's turn runs", async () => {
  const { done, parts } = house([1]);
  await rehearseWhenIdle(parts);
  expect(done).toEqual([]);
});

it("whoever asks while the models' room is opened does not wait for the rest", async () => {
  const { done, parts } = house([0, 1]);
  await rehearseWhenIdle(parts);
  expect(done).toEqual(["room"]);
});

it("a gateway that stops rehearses nothing", async () => {
  const { done, parts } = house([0], AbortSignal.abort());
  await rehearseWhenIdle(parts);
  expect(done).toEqual([]);
});
