import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import { createSay } from "../../infra/texts.ts";
import { openEffects } from "./open-effects.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pincer-hands-")));
  await mkdir(join(root, "workspace"));
});
afterEach(() => rm(root, { recursive: true }));

type Tools = Config["tools"];
const { signal } = new AbortController();

function stage(tools: Partial<Tools> = {}) {
  const home = locateHome({ PINCER_HOME: root });
  const workdir = join(root, "workspace");
  const errors: unknown[] = [];
  let config = { ...defaultConfig, tools: { ...defaultConfig.tools, ...tools } } as unknown as Config;
  const clock = createHandClock();
  const effects = openEffects({
    home,
    config: () => config,
    secrets: { resolve: async (text) => text },
    redactor: { text: (text) => text },
    environment: { PATH: process.env["PATH"], HOME: root },
    clock,
    ids: createIds(clock.now),
    say: createSay("en"),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => effects.close());
  const tool = (name: string) => effects.toolsIn(workdir).find((each) => each.name === name);
  const call = { callId: "c", sessionKey: "s", signal };
  return {
    home,
    workdir,
    effects,
    errors,
    tool,
    run: (name: string, input: object) => tool(name)?.run(input, call),
    names: () => effects.toolsIn(workdir).map(({ name }) => name),
    change: (changed: Partial<Tools>) =>
      void (config = { ...config, tools: { ...config.tools, ...changed } } as Config),
    turn: (turnId: string) => ({ turnId, sessionKey: "s", agentId: "main", workdir }),
  };
}

describe("the effects of an agent", () => {
  it("TOOL-03 TOOL-07 are there without anything being loaded or made for them", () => {
    const { names } = stage();
    expect(names()).toEqual(["exec", "process", "http_request", "web_fetch", "web_search", "research"]);
    expect(existsSync(join(root, "programs")) || existsSync(join(root, "snapshots"))).toBe(false);
  });

  it("TOOL-18 TOOL-07 leave out what the config turned off, and say that they are others then", () => {
    const { names, effects, change } = stage();
    const before = effects.stamp();
    const { search, fetch, trusted } = defaultConfig.tools.web;
    change({ web: { trusted, search: { ...search, enabled: false }, fetch: { ...fetch, enabled: false } } });
    expect(names()).toEqual(["exec", "process", "http_request"]);
    expect(effects.stamp()).not.toBe(before);
  });

  it("reach what the rules allow by the time of the request", async () => {
    const server = createServer((_, response) => response.end("inside"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { run, change } = stage();
    await expect(run("http_request", { url: `http://${address}/` })).rejects.toMatchObject({
      code: "refused",
    });
    change({ network: { ...defaultConfig.tools.network, allowPrivate: [address] } });
    expect((await run("http_request", { url: `http://${address}/` }))?.text).toContain("inside");
  });

  it("keep what a turn changes and put it back", async () => {
    const { effects, turn, workdir, errors } = stage();
    const file = join(workdir, "a.txt");
    await writeFile(file, "before");
    await effects.keep(turn("t1"), ["a.txt"], signal);
    await writeFile(file, "after");
    effects.turnEnded("t1");
    await effects.close();
    expect(await effects.snapshots.list({ limit: 5 })).toMatchObject([
      { turnId: "t1", paths: [{ path: "a.txt", change: "changed" }] },
    ]);
    await effects.snapshots.undo("t1", { force: false });
    expect([await readFile(file, "utf8"), errors]).toEqual(["before", []]);
  });

  it("keep nothing where the owner turned that off", async () => {
    const { effects, turn } = stage({ undo: { ...defaultConfig.tools.undo, enabled: false } });
    await effects.keep(turn("t1"), "anything", signal);
    expect(existsSync(join(root, "snapshots"))).toBe(false);
  });

  it("X29 do not run a program without a wall unless the owner says so", async () => {
    const { tool } = stage({ exec: { ...defaultConfig.tools.exec, sandbox: "none" } as Tools["exec"] });
    const reason = await tool("exec")?.needsApproval?.({ command: "ls" }, {});
    expect(reason).toContainEqual({ code: "unwalled", values: {} });
  });
});
