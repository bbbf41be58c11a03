/** The gateway as a service: started behind the terminal, looked at, killed, started again, stopped; each step as its owner would do it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "./free-port.ts";
import { linesOf, makeHome, pincerBin, untilLines, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => {
  const pid = existsSync(file("gateway.pid")) ? Number(readFileSync(file("gateway.pid"), "utf8")) : 0;
  if (pid > 1) process.kill(pid, "SIGKILL");
  home.remove();
});

const file = (name: string) => join(home.path, name);
const json = async (...args: string[]) => JSON.parse((await home.run(args)).out) as Record<string, unknown>;
const record = () => JSON.parse(readFileSync(file("service/gateway-service.json"), "utf8"));
const replies = () => linesOf(file("out.jsonl")).map(({ text }) => text);
const say = (text: string) =>
  appendFileSync(
    file("in.jsonl"),
    `${JSON.stringify({ text: `tool:tools_echo {"text":"${text}"}`, from: "ada" })}\n`,
  );

function configure(more: object = {}): void {
  const local = { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open" };
  const config = { channels: { local }, queue: { mode: "followup" }, ...more };
  writeFileSync(file("config.json5"), JSON.stringify(config), { mode: 0o600 });
}

/** A port of this machine: taken until `free` is called. */
async function takePort(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async free() {
      server.close();
      await once(server, "close");
    },
  };
}

it("GW-05 GW-06 GW-07 CLI-18 runs behind the terminal, is killed, starts again, restarts with its flags and stops", async () => {
  configure();
  const port = await freePort();
  const flags = ["--channel", "local", "--port", String(port), "--tool-max-steps", "7"];
  const first = await json("gateway", "start", "--daemon", "--json", ...flags);
  expect(first).toMatchObject({
    channel: "local",
    channels: ["local"],
    port,
    mode: "background",
    statePath: file("service/gateway-service.json"),
    logPath: file("logs/gateway.log"),
    arguments: ["--channel=local", "--tool-max-steps=7", `--port=${port}`],
  });
  expect(statSync(file("service/gateway-service.json")).mode & 0o777).toBe(0o600);
  expect(statSync(file("logs/gateway.log")).mode & 0o777).toBe(0o600);
  say("one");
  await untilLines(file("out.jsonl"), 1);
  expect(await json("gateway", "status", "--json")).toMatchObject({
    state: "running",
    pid: first["pid"],
    statePath: first["statePath"],
    logPath: first["logPath"],
  });
  const second = await home.run(["gateway", "start", "--daemon"]);
  expect(second).toMatchObject({ status: 1, out: "" });
  expect(second.err).toContain(String(first["pid"]));

  await killAndWait(Number(first["pid"]));
  expect(existsSync(file("service/gateway-service.json"))).toBe(true);
  expect(await json("gateway", "status", "--json")).toMatchObject({ state: "stopped" });
  expect(existsSync(file("service/gateway-service.json"))).toBe(false);
  say("two");

  await json("gateway", "start", "--daemon", "--json", ...flags);
  await untilLines(file("out.jsonl"), 2);
  const before = record();
  const restarted = await json("gateway", "restart", "--json");
  expect(restarted).toMatchObject({ arguments: before.arguments, port });
  expect(restarted["pid"]).not.toBe(before.pid);
  say("three");
  await untilLines(file("out.jsonl"), 3);
  expect(replies()).toEqual(["one", "two", "three"]);

  const log = await home.run(["gateway", "logs", "--lines", "500"]);
  expect(log.out).toContain("is running (pid");
  expect(log.out).toMatch(/a turn has ended .*runId=\S+ sessionKey=\S+ channel=local accountId=default/);
  expect((await home.run(["gateway", "stop"])).status).toBe(0);
  expect(
    ["gateway.sock", "gateway.pid", "service/gateway-service.json"].filter((name) => existsSync(file(name))),
  ).toEqual([]);
});

/** SIGKILL, until the system has cleared it away. */
async function killAndWait(pid: number): Promise<void> {
  const waiting = spawn("tail", ["-f", "--pid", String(pid), "/dev/null"], { stdio: "ignore" });
  process.kill(pid, "SIGKILL");
  await once(waiting, "exit");
}

it("GW-13 says which port is taken and how to choose another, and serves it when it is free", async () => {
  const taken = await takePort();
  const started = await home.run(["gateway", "start", "--daemon", "--port", String(taken.port)]);
  expect(started.status).toBe(0);
  const health = await home.run(["health"]);
  expect(health.out).toContain(String(taken.port));
  expect(health.out).toContain("--port");
  await taken.free();
  const served = () =>
    fetch(`http://127.0.0.1:${taken.port}/healthz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(served, { timeout: 60_000 }).toBe(200);
});

it("shows the running one's address and a link of its own instead of failing: what `npm start` does the second time", async () => {
  const port = await freePort();
  await json("gateway", "start", "--daemon", "--json", "--port", String(port));
  const links = new Set<string>();
  for (let time = 0; time < 2; time++) {
    const again = await home.run(["gateway", "run", "--if-needed"]);
    expect(again).toMatchObject({ status: 0, out: "" });
    const [link = ""] = /http:\/\/localhost:\d+\/\S*#code=\S+/.exec(again.err) ?? [];
    expect(link).toContain(`localhost:${port}`);
    links.add(link);
  }
  expect(links.size).toBe(2);
  const scripts = JSON.parse(readFileSync(join(pincerBin, "../../package.json"), "utf8")).scripts;
  expect(scripts.start).toContain("gateway run --if-needed");
});

it("a secret of the environment or the config is in no file that it writes about itself", async () => {
  const canary = "swordfish-0123456789-canary";
  configure({ logging: { level: "trace" }, hooks: {}, gateway: { auth: { token: canary } } });
  const environment = { PINCER_PORT: String(await freePort()), PINCER_SECRET_KEY: "" };
  await home.run(["gateway", "start", "--daemon"], { environment });
  say(`say ${canary}`);
  await untilLines(file("out.jsonl"), 1);
  await home.run(["gateway", "stop"]);
  const written = readdirSync(file("logs")).map((name) => `logs/${name}`);
  expect(written).toContain("logs/gateway.log");
  expect(written.filter((name) => readFileSync(file(name), "utf8").includes(canary))).toEqual([]);
});

const mayBeOthers = process.getuid?.() === 0 && existsSync("/usr/bin/setpriv");

it.runIf(mayBeOthers)(
  "SAFE-08 runs as any user of group 0 whose own home cannot be written, as in a container",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "pincer-uid-"));
    try {
      const [own, pincerHome] = [join(root, "own"), join(root, "home")];
      for (const directory of [own, pincerHome]) mkdirSync(directory);
      chmodSync(root, 0o755);
      chmodSync(own, 0o555);
      chmodSync(pincerHome, 0o770);
      const run = (...args: string[]) =>
        spawnSync(
          "setpriv",
          ["--reuid=4711", "--regid=0", "--clear-groups", process.execPath, pincerBin, ...args],
          { cwd: "/", encoding: "utf8", env: { PATH: "/usr/bin:/bin", HOME: own, PINCER_HOME: pincerHome } },
        );
      const port = String(await freePort());
      const started = run("gateway", "start", "--daemon", "--json", "--port", port);
      expect({ status: started.status, err: started.stderr }).toEqual({ status: 0, err: "" });
      expect(run("gateway", "status").status).toBe(0);
      expect(run("ask", 'tool:tools_echo {"text":"as anybody"}').stdout).toBe("as anybody\n");
      expect(run("gateway", "stop").status).toBe(0);
      expect(readdirSync(own)).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
