/** The gateway as its owner runs it: a process of its own, spoken to by commands, fed by files, killed and started again. */
import { once } from "node:events";
import { appendFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  linesOf,
  makeHome,
  startGateway,
  untilLines,
  type RunningGateway,
  type TestHome,
} from "./run-pincer.ts";

let home: TestHome;
let gateways: RunningGateway[] = [];
beforeEach(() => (home = makeHome()));
afterEach(() => {
  for (const gateway of gateways) gateway.process.kill("SIGKILL");
  gateways = [];
  home.remove();
});

const file = (name: string) => join(home.path, name);

function configure(local: object = {}): void {
  const channel = { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open", ...local };
  writeFileSync(
    file("config.json5"),
    JSON.stringify({ channels: { local: channel }, queue: { mode: "followup" } }),
    { mode: 0o600 },
  );
}

async function start(args: string[] = []): Promise<RunningGateway> {
  const gateway = await startGateway(home, args);
  gateways.push(gateway);
  return gateway;
}

const out = () => file("out.jsonl");
const replies = () => linesOf(out()) as Array<{ text: string; to: { id: string } }>;

const say = (text: string, from = "ada") =>
  appendFileSync(file("in.jsonl"), `${JSON.stringify({ text, from })}\n`);

it("CHAN-20 LOOP-01 answers a script that writes into a file, and commands that find it running", async () => {
  configure();
  const gateway = await start();
  expect(statSync(file("gateway.sock")).mode & 0o777).toBe(0o600);
  say('tool:tools_echo {"text":"from a file"}');
  await untilLines(out(), 1);
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

  const ended = once(gateway.process, "exit");
  expect((await home.run(["gateway", "stop"])).status).toBe(0);
  expect(await ended).toEqual([0, null]);
  expect((await home.run(["gateway", "status"])).status).toBe(1);
});

it("loses nothing and repeats nothing when it is killed at any moment", async () => {
  configure();
  const messages = 60;
  let gateway = await start();
  for (let count = 0; count < messages; count++) {
    say(`tool:tools_echo {"text":"answer ${count}"}`, `peer${count % 4}`);
    if (count % 12 !== 11) continue;
    // Somewhere in the middle of answering; where exactly is chance.
    await untilLines(out(), Math.min(replies().length + 1, count + 1));
    await gateway.kill();
    gateway = await start();
  }
  await untilLines(out(), messages);
  expect(await gateway.stop()).toBe(0);
  const texts = replies().map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  for (let peer = 0; peer < 4; peer++) {
    const own = replies().filter(({ to }) => to.id === `peer${peer}`);
    const expected = Array.from({ length: messages / 4 }, (_, index) => `answer ${index * 4 + peer}`);
    expect(own.map(({ text }) => text)).toEqual(expected);
  }
});

it("can be spoken to again when somebody cleared its socket away, and nobody works beside it meanwhile", async () => {
  configure();
  const gateway = await start();
  rmSync(file("gateway.sock"));
  // The gateway looks after its socket every two seconds.
  const status = async () => JSON.parse((await home.run(["gateway", "status", "--json"])).out) as object;
  await expect.poll(status).toMatchObject({ running: true, pid: gateway.pid });
  rmSync(file("gateway.sock"));
  writeFileSync(file("gateway.sock"), "something else");
  const asked = await home.run(["ask", "hello"]);
  expect(asked.status).toBe(1);
  expect(asked.err).toContain(`process ${gateway.pid}`);
});

it("starts with a broken config, says so, and answers", async () => {
  writeFileSync(file("config.json5"), "{ this is not", { mode: 0o600 });
  await start();
  const asked = await home.run(["ask", "tool:time_now"]);
  expect(asked.status).toBe(0);
});

it("says what to do about a channel that nobody knows, and starts without it", async () => {
  writeFileSync(file("config.json5"), JSON.stringify({ channels: { telepathy: {} } }), { mode: 0o600 });
  await start();
  const status = JSON.parse((await home.run(["gateway", "status", "--json"])).out);
  expect(status.channels).toMatchObject([{ channel: "telepathy", state: "broken" }]);
});
