import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createServiceRecords } from "../../operate/service/service-record.ts";
import { locateHome } from "../../config/home.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand, type RanCommand } from "../testing/fake-terminal.ts";
import * as auth from "./auth.ts";
import { createSay } from "../../infra/texts.ts";
import { inPlaceOf, linesOfInstalled } from "./gateway-service.ts";
import * as gateway from "./gateway.ts";

it("GW-06 CLI-18 says that no gateway runs, how to start one, and ends with 1", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "status");
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain("pincer gateway run");
  const asJson = await home.run(gateway, "gateway", "status", "--json");
  expect({ status: asJson.status, err: asJson.err, json: asJson.json() }).toEqual({
    status: 1,
    err: "",
    json: {
      running: false,
      state: "stopped",
      statePath: join(home.root, "home", "service", "gateway-service.json"),
      logPath: join(home.root, "home", "logs", "gateway.log"),
    },
  });
  expect((await home.runInChinese(gateway, "gateway", "status")).err).toContain("网关未运行");
});

it("GW-06 shows who runs since when, the paths, the channels, approvals, turns, outbox and notices", async () => {
  const home = await createCommandHome();
  const { asked } = await home.startGateway();
  const ran = await home.run(gateway, "gateway", "status");
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(ran.out).toContain(`2026-01-01T12:00:00.000Z (process ${process.pid})`);
  expect(ran.out).toContain("local:default  connected");
  expect(ran.out).toMatch(/address +http:\/\/localhost:18650/);
  expect(ran.out).toContain("1 running, 2 waiting");
  expect(ran.out).toMatch(/approvals +0 waiting/);
  expect(ran.out).toContain(join(home.root, "home", "service", "gateway-service.json"));
  expect(ran.out).toContain(join(home.root, "home", "logs", "gateway.log"));
  expect((await home.run(gateway, "gateway", "status", "--json")).json()).toMatchObject({
    running: true,
    state: "running",
    statePath: join(home.root, "home", "service", "gateway-service.json"),
    logPath: join(home.root, "home", "logs", "gateway.log"),
    pid: process.pid,
    channels: [{ channel: "local", accountId: "default", state: "connected" }],
    turns: { running: 1, waiting: 2 },
    outbox: { waiting: 0 },
    notices: { open: 0 },
  });
  expect(asked).toEqual(["gateway.status", "gateway.status"]);
  expect((await home.runInChinese(gateway, "gateway", "status")).out).toContain("1 个进行中，2 个等待");
});

it("GW-06 GW-07 tells of one channel, and stops for one channel only where it serves no other", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  const served = await home.run(gateway, "gateway", "status", "--channel", "local", "--json");
  expect(served.json()).toMatchObject({ running: true, channels: [{ channel: "local" }] });
  const other = await home.run(gateway, "gateway", "status", "--channel", "telegram", "--json");
  expect({ status: other.status, ...other.json() }).toMatchObject({ status: 1, running: false });
  const untouched = await home.run(gateway, "gateway", "stop", "--channel", "telegram");
  expect(untouched).toMatchObject({ status: 0 });
  expect(untouched.err).toContain("No gateway serves telegram");
  expect((await home.run(gateway, "gateway", "status")).status).toBe(0);
  expect((await home.run(gateway, "gateway", "stop", "--channel", "local")).err).toContain("has stopped");
  expect((await home.run(gateway, "gateway", "status")).status).toBe(1);
});

it("GW-07 clears away the record that a dead process left behind", async () => {
  const home = await createCommandHome();
  const { serviceFile } = locateHome(home.environment);
  await mkdir(join(home.root, "home", "service"), { recursive: true });
  const gone = {
    pid: 4_000_000,
    mode: "background",
    channels: [],
    arguments: [],
    version: "1",
    startedAt: "x",
  };
  const process = { host: hostname(), processStart: "boot/1" };
  await writeFile(serviceFile, JSON.stringify({ ...gone, process }));
  expect((await home.run(gateway, "gateway", "status")).status).toBe(1);
  expect(existsSync(serviceFile)).toBe(false);
  await writeFile(serviceFile, JSON.stringify({ ...gone, process }));
  expect((await home.run(gateway, "gateway", "stop")).err).toContain("not running");
  expect(existsSync(serviceFile)).toBe(false);
});

it("GW-06 tells of one that waits until it can serve again", async () => {
  const home = await createCommandHome();
  await createServiceRecords(locateHome(home.environment)).write({
    channels: [],
    startedAt: "2026-01-01T12:00:00.000Z",
    version: "1",
    address: null,
    port: null,
    mode: "background",
    arguments: [],
  });
  const ran = await home.run(gateway, "gateway", "status");
  expect(ran.status).toBe(1);
  expect(ran.err).toContain(`process ${process.pid}) is not serving`);
  const asJson = (await home.run(gateway, "gateway", "status", "--json")).json();
  expect(asJson).toMatchObject({ running: false, state: "waiting", pid: process.pid });
});

it("CLI-18 prints the log, as words or as JSON, from the level that is asked for, also while none runs", async () => {
  const home = await createCommandHome();
  const { gatewayLogFile, logsDir } = locateHome(home.environment);
  expect(await home.run(gateway, "gateway", "logs")).toMatchObject({ status: 0, out: "" });
  await mkdir(logsDir, { recursive: true });
  const time = "2026-01-01T12:00:00.000Z";
  const lines = [
    { level: "info", time, tenantId: "t", msg: "it runs" },
    { level: "error", time, tenantId: "t", runId: "run_1", msg: "it\u001b[31m failed\nbadly" },
  ];
  await writeFile(gatewayLogFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const all = await home.run(gateway, "gateway", "logs");
  expect(all.out.split("\n")).toHaveLength(3);
  expect(all.out).toContain(`${time}  info   it runs\n`);
  expect(all.out).toContain("badly  runId=run_1");
  expect(all.out).not.toContain("\u001b");
  const grave = await home.run(gateway, "gateway", "logs", "--level", "error", "--json");
  expect(grave.json()).toMatchObject({ lines: [{ level: "error", fields: { runId: "run_1" } }] });
  expect((await home.run(gateway, "gateway", "logs", "--lines", "1")).out).not.toContain("it runs");
});

it("CLI-18 follows the log until Ctrl-C, and ends as if nothing had happened", async () => {
  const home = await createCommandHome();
  const { gatewayLogFile, logsDir } = locateHome(home.environment);
  await mkdir(logsDir, { recursive: true });
  const line = (msg: string) => `${JSON.stringify({ level: "info", time: "t", msg })}\n`;
  await writeFile(gatewayLogFile, line("first"));
  const interrupt = new AbortController();
  const terminal = createFakeTerminal();
  const seen: string[] = [];
  const stream = async (text: string) => {
    seen.push((JSON.parse(text) as { message: string }).message);
    if (seen.length === 1) await writeFile(gatewayLogFile, line("second"), { flag: "a" });
    else interrupt.abort(new Error("interrupted"));
    return true;
  };
  const ran = await runCommand(gateway, ["gateway", "logs", "--follow", "--json"], {
    environment: home.environment,
    terminal: { ...terminal, stream },
    signal: interrupt.signal,
  });
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(seen).toEqual(["first", "second"]);
});

it("CLI-18 shows what an installation would write and run, and writes nothing", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "install", "--dry-run", "--channel", "local", "--no-memory");
  expect(ran).toMatchObject({ status: 0, err: "" });
  expect(ran.out).toContain(join(home.root, "home"));
  expect(ran.out).toContain("--channel=local");
  expect(ran.out).toContain("--no-memory");
  expect(existsSync(join(home.root, ".config"))).toBe(false);
});

it.each([
  ["--port", "70000"],
  ["--port", "x"],
  ["--tool-max-steps", "0"],
  ["--pairing-policy", "everybody"],
  ["--pairing-pending-max", "-1"],
])("GW-01 GW-02 GW-04 refuses %s %s as wrong usage, and starts nothing", async (flag, value) => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "start", flag, value);
  expect(ran.status).toBe(2);
  expect(existsSync(join(home.root, "home"))).toBe(false);
});

it("X2 `run` and `serve` never leave the foreground", async () => {
  const home = await createCommandHome();
  expect((await home.run(gateway, "gateway", "run", "--daemon")).status).toBe(2);
  expect((await home.run(gateway, "serve", "--daemon")).status).toBe(2);
});

it("shows where the running one is instead of failing, when it is only started if needed", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  const ran = await home.run(gateway, "gateway", "run", "--if-needed");
  expect(ran).toMatchObject({ status: 0, out: "" });
  expect(ran.err).toContain(`process ${process.pid}`);
  expect(ran.err).toContain("pincer chat");
});

it("says so when the one that runs is of another version", async () => {
  const home = await createCommandHome();
  await home.startGateway("0.0.0-older");
  const ran = await home.run(gateway, "gateway", "run", "--if-needed");
  expect(ran.err).toContain("0.0.0-older");
  expect(ran.err).toContain("pincer gateway restart");
});

it("says that the config is broken, and what holds instead, where one that runs is shown", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  await writeFile(join(home.root, "home", "config.json5"), "{ gateway: { port: ");
  const ran = await home.run(gateway, "gateway", "run", "--if-needed");
  expect(ran.err).toContain("config.json5:1:");
  expect(ran.err).toContain("pincer config validate");
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
  // Without HTTP: homes that are tried side by side would want the same port.
  return runCommand(gateway, [...args, "--no-http"], {
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
  expect(ran.err).toContain("`pincer channels add`");
});

it("keeps `gateway config` beside them", async () => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "config", "show", "--json");
  expect(ran.json()).toMatchObject({ default: { pairingPolicy: "pairing" } });
});

it.each([
  ["--provider", "opnai", "Did you mean openai?"],
  ["--provider", "opnai/gpt-5.5", "Did you mean openai?"],
  ["--provider", "nosuch-at-all", "pincer models list --all"],
  ["--profile", "nosuch", "pincer auth status"],
])("GW-01 refuses %s %s as wrong usage, and serves nothing", async (flag, value, hint) => {
  const home = await createCommandHome();
  const ran = await home.run(gateway, "gateway", "run", "--no-http", flag, value);
  expect(ran).toMatchObject({ status: 2, out: "" });
  expect(ran.err).toContain(hint);
  expect(ran.err).not.toContain("is running");
});

it("GW-01 names the credential that was probably meant, and shows the model that the flag names", async () => {
  const home = await createCommandHome();
  const typed = createFakeTerminal({ stdin: "sk-planted-0123456789\n" });
  await home.runAt(typed, auth, "auth", "login", "openai", "--name", "openai:work", "--key-stdin");
  const wrong = await home.run(gateway, "gateway", "run", "--no-http", "--profile", "openai:wrk");
  expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining("Did you mean openai:work?") });
  const right = await runUntilReady(
    home,
    "gateway",
    "run",
    "--profile",
    "openai:work",
    "--provider",
    "openai",
  );
  expect(right.status).toBe(0);
});

it("CLI-18 does not install beside a gateway that runs, and names the flag that takes over", async () => {
  const home = await createCommandHome();
  await createServiceRecords(locateHome(home.environment)).write({
    channels: [],
    startedAt: "2026-01-01T00:00:00.000Z",
    version: "0.0.0-test",
    address: null,
    port: null,
    mode: "foreground",
    arguments: [],
  });
  const ran = await home.run(gateway, "gateway", "install");
  expect(ran).toMatchObject({ status: 1, out: "" });
  expect(ran.err).toContain(`process ${process.pid}`);
  expect(ran.err).toContain("pincer gateway install --take-over");
});

it("CLI-18 says whether the installed gateway answers yet, and how to keep it running", () => {
  const installed = { file: "/u/pincer.service", look: "systemctl status", stayOn: "loginctl enable-linger" };
  const lines = (isServing: boolean) =>
    linesOfInstalled({ say: createSay("en") }, { ...installed, isServing }).join("\n");
  expect(lines(true)).toMatch(/installed and running.*\n.*loginctl enable-linger/);
  expect(lines(false)).toMatch(/does not answer yet; `systemctl status`/);
});

it("starts again what was stopped for a work that failed, and only then", async () => {
  const did: string[] = [];
  const parts = {
    stop: async () => void did.push("stop"),
    startAgain: async () => void did.push("start"),
  };
  expect(await inPlaceOf(parts, async () => "done")).toBe("done");
  expect(did).toEqual(["stop"]);
  await expect(inPlaceOf(parts, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(did).toEqual(["stop", "stop", "start"]);
});

it("says how to start on another port where the port is taken, and goes on without the page", async () => {
  const home = await createCommandHome();
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const interrupt = new AbortController();
  const terminal = createFakeTerminal();
  const running = runCommand(gateway, ["gateway", "run", "--port", String(port)], {
    environment: home.environment,
    terminal,
    signal: interrupt.signal,
  });
  await expect.poll(() => terminal.said()).toMatch(/pincer gateway run --port \d+`/);
  await expect.poll(() => terminal.said()).toContain("The gateway is running");
  interrupt.abort();
  await running;
});
