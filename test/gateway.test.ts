/** The gateway as its owner runs it: a process of its own, spoken to by commands, fed by files, killed and started again. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";

let home: TestHome;
let gateways: ChildProcess[] = [];
beforeEach(() => (home = makeHome()));
afterEach(() => {
  for (const gateway of gateways) gateway.kill("SIGKILL");
  gateways = [];
  home.remove();
});

const file = (name: string) => join(home.path, name);

function configure(local: object = {}): void {
  const channel = { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open", ...local };
  writeFileSync(file("config.json5"), JSON.stringify({ channels: { local: channel } }), { mode: 0o600 });
}

async function startGateway(args: string[] = []): Promise<ChildProcess> {
  const gateway = spawn(process.execPath, [pincerBin, "gateway", "run", ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", HOME: home.path, PINCER_HOME: home.path, LANG: "en_US.UTF-8" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  gateways.push(gateway);
  let said = "";
  await new Promise<void>((resolve, reject) => {
    gateway.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("is running (pid")) resolve();
    });
    gateway.once("exit", (status) => reject(new Error(`ended with ${status}: ${said}`)));
  });
  return gateway;
}

const replies = (): Array<{ text: string; to: { id: string } }> =>
  existsSync(file("out.jsonl"))
    ? readFileSync(file("out.jsonl"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** Waits for the file to grow, as a script would. */
async function untilReplies(count: number): Promise<void> {
  const stop = new AbortController();
  const grown = new Promise<void>((resolve) => {
    const look = () => replies().length >= count && resolve();
    watch(home.path, { signal: stop.signal }, look);
    look();
  });
  await grown;
  stop.abort();
}

const say = (text: string, from = "ada") =>
  appendFileSync(file("in.jsonl"), `${JSON.stringify({ text, from })}\n`);

it("CHAN-20 LOOP-01 answers a script that writes into a file, and commands that find it running", async () => {
  configure();
  const gateway = await startGateway();
  expect(statSync(file("gateway.sock")).mode & 0o777).toBe(0o600);
  say('tool:tools_echo {"text":"from a file"}');
  await untilReplies(1);
  expect(replies()).toMatchObject([{ text: "from a file", to: { id: "ada" } }]);

  const asked = await home.run(["ask", "--json", 'tool:tools_echo {"text":"from a command"}']);
  expect(JSON.parse(asked.out)).toMatchObject({ result: "from a command", stage: "done", route: "tool" });
  const status = JSON.parse((await home.run(["gateway", "status", "--json"])).out);
  expect(status).toMatchObject({ running: true, pid: gateway.pid, channels: [{ state: "connected" }] });
  const sessions = JSON.parse((await home.run(["sessions", "list", "--json"])).out);
  expect(sessions.sessions).toHaveLength(2);

  const second = await home.run(["gateway", "run"]);
  expect(second.status).toBe(1);
  expect(second.err).toContain(String(gateway.pid));

  const ended = once(gateway, "exit");
  expect((await home.run(["gateway", "stop"])).status).toBe(0);
  expect(await ended).toEqual([0, null]);
  expect((await home.run(["gateway", "status"])).status).toBe(1);
});

it("loses nothing and repeats nothing when it is killed at any moment", async () => {
  configure();
  const messages = 60;
  let gateway = await startGateway();
  for (let count = 0; count < messages; count++) {
    say(`tool:tools_echo {"text":"answer ${count}"}`, `peer${count % 4}`);
    if (count % 12 !== 11) continue;
    // Somewhere in the middle of answering; where exactly is chance.
    await untilReplies(replies().length + 1);
    const gone = once(gateway, "exit");
    gateway.kill("SIGKILL");
    await gone;
    gateway = await startGateway();
  }
  await untilReplies(messages);
  const ended = once(gateway, "exit");
  gateway.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  const texts = replies().map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  for (let peer = 0; peer < 4; peer++) {
    const own = replies().filter(({ to }) => to.id === `peer${peer}`);
    const expected = Array.from({ length: messages / 4 }, (_, index) => `answer ${index * 4 + peer}`);
    expect(own.map(({ text }) => text)).toEqual(expected);
  }
});

it("starts with a broken config, says so, and answers", async () => {
  writeFileSync(file("config.json5"), "{ this is not", { mode: 0o600 });
  await startGateway();
  const asked = await home.run(["ask", "tool:time_now"]);
  expect(asked.status).toBe(0);
});

it("says what to do about a channel that nobody knows, and starts without it", async () => {
  writeFileSync(file("config.json5"), JSON.stringify({ channels: { telepathy: {} } }), { mode: 0o600 });
  await startGateway();
  const status = JSON.parse((await home.run(["gateway", "status", "--json"])).out);
  expect(status.channels).toMatchObject([{ channel: "telepathy", state: "broken" }]);
});
