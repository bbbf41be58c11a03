import { createHandClock } from "@pincer/sdk/testing";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import { createIds } from "../infra/ids.ts";
import { noEffects } from "../agent/effects/no-effects.ts";
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

/** A rehearsal on a floor that lacks nearly everything ends at once. */
function ownHouse(root: string, describeContext: () => Promise<unknown>) {
  const { done, parts } = house([]);
  const clock = createHandClock();
  const gatewayContext = {
    openedHome: { home: { root }, defaultAgentId: "main", clock, ids: createIds(clock.now) },
    config: () => defaultConfig,
    parts: { cwd: root, environment: {} },
  };
  const own = { ...parts, gatewayContext, effects: noEffects, engine: { describeContext } };
  return { done, parts: own as unknown as IdleParts };
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "pincer-idle-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

it("the owner's own chat is looked at afterwards, but no workdir is made for it", async () => {
  const root = makeRoot();
  let looks = 0;
  const { done, parts } = ownHouse(root, async () => void looks++);
  await rehearseWhenIdle(parts);
  expect([done, looks, readdirSync(root)]).toEqual([["room", "routes"], 0, []]);
  mkdirSync(join(root, "workspace"));
  await rehearseWhenIdle(parts);
  expect(looks).toBe(1);
});

it("a chat that cannot be looked at troubles nobody", async () => {
  const root = makeRoot();
  mkdirSync(join(root, "workspace"));
  const { done, parts } = ownHouse(root, () => Promise.reject(new Error("no such model")));
  await rehearseWhenIdle(parts);
  expect(done).toEqual(["room", "routes"]);
});
