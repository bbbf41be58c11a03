import { expect, it } from "vitest";
import { endServing } from "./end-serving.ts";

type Log = Parameters<typeof endServing>[0]["log"];

it("says why a gateway could not be closed, instead of leaving it in the way of the next", async () => {
  const lines: string[] = [];
  const log = { error: (line: string) => void lines.push(line) } as unknown as Log;
  const stop = () => Promise.reject(new Error("Cannot find module model-room.mjs"));
  expect(await endServing({ stop, log })).toContain("model-room");
  expect(lines).toEqual(["Cannot find module model-room.mjs"]);
});

it("does so when the log is closed already, and says nothing when all went well", async () => {
  const log = {
    error() {
      throw new Error("closed");
    },
  } as unknown as Log;
  expect(await endServing({ stop: () => Promise.reject(new Error("late")), log })).toBe("late");
  expect(await endServing({ stop: async () => {}, log })).toBeUndefined();
});
