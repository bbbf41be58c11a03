import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand, type RanCommand } from "../testing/fake-terminal.ts";
import * as gateway from "./gateway.ts";

it("says that no gateway runs, how to start one, and ends with 1", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "status");
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain("pincer gateway run");
  const asJson = await home.run(gateway, "gateway", "status", "--json");
  expect({ status: asJson.status, err: asJson.err, json: asJson.json() }).toEqual({
    status: 1,
    err: "",
    json: { running: false },
  });
  expect((await home.runInChinese(gateway, "gateway", "status")).err).toContain("网关未运行");
});

it("shows who runs since when, the channels, turns, outbox and notices", async () => {
  const home = await createCommandHome();
  const { asked } = await home.startGateway();
  const ran = await home.run(gateway, "gateway", "status");
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(ran.out).toContain(`2026-01-01T12:00:00.000Z (process ${process.pid})`);
  expect(ran.out).toContain("local:default  connected");
  expect(ran.out).toContain("1 running, 2 waiting");
  expect((await home.run(gateway, "gateway", "status", "--json")).json()).toMatchObject({
    running: true,
    pid: process.pid,
    channels: [{ channel: "local", accountId: "default", state: "connected" }],
    turns: { running: 1, waiting: 2 },
    outbox: { waiting: 0 },
    notices: { open: 0 },
  });
  expect(asked).toEqual(["gateway.status", "gateway.status"]);
  expect((await home.runInChinese(gateway, "gateway", "status")).out).toContain("1 个进行中，2 个等待");
});

it("GW-15 stops it, waits until it has ended, and says so; stopping again is no failure", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  const stopped = await home.run(gateway, "gateway", "stop");
  expect(stopped).toMatchObject({ status: 0, out: "" });
  expect(stopped.err).toContain(`process ${process.pid}`);
  expect(stopped.err).toContain("has stopped");
  expect((await home.run(gateway, "gateway", "stop")).err).toContain("not running");
  const asJson = await home.run(gateway, "gateway", "stop", "--json");
  expect({ status: asJson.status, json: asJson.json() }).toEqual({
    status: 0,
    json: { wasRunning: false, running: false },
  });
});

it("GW-13 refuses to run a second one, names the first and what to do", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  const second = await home.run(gateway, "gateway", "run");
  expect(second).toMatchObject({ status: 1, out: "" });
  expect(second.err).toContain(`process ${process.pid}`);
  expect(second.err).toContain("pincer gateway stop");
});

/** Runs it until it says that it is there, then stops it as Ctrl-C does. */
async function runUntilReady({ environment, root }: CommandHome, ...args: string[]): Promise<RanCommand> {
  const interrupt = new AbortController();
  const terminal = createFakeTerminal();
  const err = (text: string) => {
    terminal.err(text);
    if (text.includes("is running (pid")) interrupt.abort(new Error("interrupted"));
  };
  return runCommand(gateway, args, {
    environment,
    cwd: root,
    terminal: { ...terminal, err },
    signal: interrupt.signal,
  });
}

const configure = async ({ root }: CommandHome, channels: object) => {
  await mkdir(join(root, "home"), { mode: 0o700 });
  await writeFile(join(root, "home", "config.json5"), JSON.stringify({ channels }), { mode: 0o600 });
};

it.each([[["gateway", "run"]], [["gateway", "start"]], [["serve"]]])(
  "`pincer %s` runs the channels that are asked for, and without a wish all of them",
  async (words) => {
    const home = await createCommandHome();
    const local = (name: string) => ({ inbox: join(home.root, name) });
    const accounts = { a: local("a"), b: local("b") };
    await configure(home, { local: { accounts }, absent: {}, third: {} });
    const all = await runUntilReady(home, ...words);
    expect(all).toMatchObject({ status: 0, out: "" });
    expect(all.err).toContain("Channels: absent/default, local/a, local/b, third/default.");
    const some = await runUntilReady(home, ...words, "--channel", "local", "--channel", "third");
    expect(some.err).toContain("Channels: local/a, local/b, third/default.");
  },
);

it("refuses a channel that the config does not have, names those it has, and starts nothing", async () => {
  const home = await createCommandHome();
  await configure(home, { local: { inbox: join(home.root, "in") } });
  const ran = await home.run(gateway, "gateway", "run", "--channel", "local", "--channel", "toString");
  expect(ran).toMatchObject({ status: 2, out: "" });
  expect(ran.err).toContain("The config has no channel toString.");
  expect(ran.err).toContain("It has: local.");
  const { coreDb, gatewaySocket } = locateHome(home.environment);
  expect([coreDb, gatewaySocket].filter((file) => existsSync(file))).toEqual([]);
  const chinese = await home.runInChinese(gateway, "serve", "--channel", "x");
  expect(chinese.err).toContain("配置中没有频道 x");
});

it("says how a first channel is added when there is none", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "start", "--channel", "local");
  expect(ran.status).toBe(2);
  expect(ran.err).toContain("under `channels` in the config");
});

it("keeps `gateway config` beside them", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "config", "show", "--json");
  expect(ran.json()).toMatchObject({ default: { pairingPolicy: "pairing" } });
});
