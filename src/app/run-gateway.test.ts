import { EventEmitter } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { locateHome, type Home } from "../config/home.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { connectToGateway } from "../gateway/connect-to-gateway.ts";
import type { ServiceRecord } from "../operate/service/service-record.ts";
import type { GatewayExtras } from "./gateway.ts";
import { runGateway, type RunGatewayParts, type RunOptions } from "./run-gateway.ts";

let directory: string;
let home: Home;
let environment: Record<string, string>;
let stop: AbortController;
let told: string[];
let running: Promise<number> | undefined;
const listeners = new Set<() => void>();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-run-"));
  environment = { HOME: directory, PINCER_HOME: join(directory, "home") };
  home = locateHome(environment);
  stop = new AbortController();
  told = [];
  running = undefined;
});
afterEach(async () => {
  stop.abort();
  await running?.catch(() => undefined);
  listeners.clear();
  rmSync(directory, { recursive: true, force: true });
});

function run(options: RunOptions = {}, given: Partial<RunGatewayParts> = {}, extras: GatewayExtras = {}) {
  // One that had to stop at once has work under way, which another test must not hear of.
  const own = told;
  const parts: RunGatewayParts = {
    environment,
    cwd: directory,
    redactor: createRedactor(),
    say: createSay("en"),
    notify: () => {},
    version: "1.2.3",
    signal: stop.signal,
    mode: "foreground",
    arguments: ["--no-http"],
    source: new EventEmitter(),
    tell(message) {
      own.push(message);
      for (const look of listeners) look();
    },
    ...given,
  };
  running = runGateway(parts, { ...options, flags: { http: false, ...options.flags } }, extras);
  // A test that waits for output must notice an end, too.
  running.catch(() => undefined).finally(() => listeners.forEach((look) => look()));
  return running;
}

/** Resolves when this many lines contain the words. */
const untilTold = (words: string, times = 1) =>
  new Promise<void>((resolve) => {
    const look = () => told.filter((line) => line.includes(words)).length >= times && resolve();
    listeners.add(look);
    look();
  });

const untilAnswers = (count: number) =>
  vi.waitFor(() => expect(answers().length).toBeGreaterThanOrEqual(count), { timeout: 20_000, interval: 20 });

const record = () => JSON.parse(readFileSync(home.serviceFile, "utf8")) as ServiceRecord;
const log = () => (existsSync(home.gatewayLogFile) ? readFileSync(home.gatewayLogFile, "utf8") : "");

function configure(config: object): void {
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ queue: { mode: "followup" }, ...config });
  writeFileSync(home.configFile, text, { mode: 0o600 });
}

const local = () => ({
  channels: { local: { inbox: join(directory, "in"), outbox: join(directory, "out"), dmPolicy: "open" } },
});
const write = (text: string) =>
  appendFileSync(join(directory, "in"), `${JSON.stringify({ text, from: "ada" })}\n`);
const answers = () =>
  existsSync(join(directory, "out"))
    ? readFileSync(join(directory, "out"), "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { text: string }).text)
    : [];

async function ask<Result>(
  work: (client: NonNullable<Awaited<ReturnType<typeof connectToGateway>>>) => Promise<Result>,
) {
  const client = await connectToGateway({ environment, version: "1.2.3" });
  if (!client) throw new Error("no gateway");
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

it("X21 GW-05 starts with nothing configured, says what is connected, records itself, and clears that when it has stopped", async () => {
  const status = run();
  await untilTold("pincer chat");
  expect(told[0]).toContain("is running (pid");
  expect(told.join("\n")).toContain("Channels: none yet");
  expect(record()).toMatchObject({
    pid: process.pid,
    channel: null,
    channels: [],
    mode: "foreground",
    version: "1.2.3",
    arguments: ["--no-http"],
  });
  expect(log()).toContain("is running (pid");
  stop.abort();
  expect(await status).toBe(0);
  expect(existsSync(home.serviceFile)).toBe(false);
});

it("serves again in the same process when it is asked to, and no message is lost or answered twice", async () => {
  configure(local());
  const status = run();
  await untilTold("is running (pid");
  const first = record();
  write('tool:tools_echo {"text":"before"}');
  const asked = ask((client) => client.request("gateway.restart", {}));
  write('tool:tools_echo {"text":"meanwhile"}');
  expect(await asked).toEqual({ pid: process.pid });
  await untilTold("is running (pid", 2);
  write('tool:tools_echo {"text":"after"}');
  await untilAnswers(3);
  expect(answers()).toEqual(["before", "meanwhile", "after"]);
  expect(record()).toMatchObject({ pid: process.pid, arguments: first.arguments });
  // A browser that was signed in stays so: only the first start offers a link.
  expect(told.filter((line) => line.includes("pincer chat"))).toHaveLength(1);
  stop.abort();
  expect(await status).toBe(0);
});

it("ends when it is asked to while it is about to serve again", async () => {
  const status = run();
  await untilTold("is running (pid");
  await ask((client) =>
    Promise.all([client.request("gateway.restart", {}), client.request("gateway.stop", {})]),
  );
  expect(await status).toBe(0);
  expect(told.filter((line) => line.includes("is running (pid"))).toHaveLength(1);
});

it("serves again by itself when the config changes where only a new start can follow, and names the key", async () => {
  configure(local());
  run();
  await untilTold("is running (pid");
  configure({ ...local(), logging: { level: "warn" } });
  await ask((client) => client.request("gateway.reload", {}));
  configure({ ...local(), logging: { level: "info" }, queue: { mode: "followup", concurrency: 3 } });
  await untilTold("is running (pid", 2);
  expect(told.join("\n")).toContain("(queue.concurrency)");
  expect(log()).toContain("(queue.concurrency)");
  const { records } = await ask((client) => client.request("audit.query", { action: "config-change" }));
  expect(JSON.stringify(records)).toContain("queue.concurrency");
});

it("tries until it can serve again, and says why it could not", async () => {
  let opened = 0;
  const status = run(
    {},
    {},
    {
      wrapStores(stores) {
        opened += 1;
        if (opened === 2)
          throw failure("storage/unavailable", "failure.no-home", { home: "x", reason: "not now" });
        return stores;
      },
    },
  );
  await untilTold("is running (pid");
  await ask((client) => client.request("gateway.restart", {}));
  await untilTold("is running (pid", 2);
  expect(told.join("\n")).toMatch(/could not restart:.*not now.*again in 1 s/);
  expect(log()).toContain("could not restart");
  stop.abort();
  expect(await status).toBe(0);
});

it("a fault that nobody caught ends it with 1, and no secret is in what it leaves behind", async () => {
  const source = new EventEmitter();
  const redactor = createRedactor();
  redactor.add("canary", "swordfish-12345");
  const status = run({}, { source, redactor });
  await untilTold("pincer chat");
  source.emit("uncaughtException", new Error("no key swordfish-12345"));
  expect(await status).toBe(1);
  expect(log()).toContain('"level":"fatal"');
  expect(log()).toContain("[secret:canary]");
  expect(`${log()}${told.join("")}`).not.toContain("swordfish");
  expect(source.listenerCount("uncaughtException")).toBe(0);
});

it("says nothing more in the background once it runs, and offers no link there: its log has the rest", async () => {
  const status = run({}, { mode: "background" });
  await untilTold("is running (pid");
  await ask((client) => client.request("gateway.stop", {}));
  expect(await status).toBe(0);
  expect(told).toEqual([expect.stringContaining("is running (pid")]);
  expect(log()).toContain("is stopping");
});

it("GW-01 flags reach turns from channels and from commands, and hold when the config changes meanwhile", async () => {
  configure({ ...local(), gateway: { channels: { local: { toolAllow: [] } } } });
  run({ flags: { toolAllow: ["time_now"] } });
  await untilTold("is running (pid");
  const echo = 'tool:tools_echo {"text":"it ran"}';
  write(echo);
  await untilAnswers(1);
  const { runId } = await ask((client) => client.request("agent.run", { input: echo, idempotencyKey: "k1" }));
  const asked = await ask((client) => client.request("agent.wait", { runId }));
  configure({ ...local(), gateway: { channels: { local: { toolAllow: ["tools_echo"] } } } });
  await ask((client) => client.request("gateway.reload", {}));
  write(echo);
  await untilAnswers(2);
  expect(answers().filter((text) => text === "it ran")).toEqual([]);
  expect(JSON.stringify(asked)).not.toContain('"result":"it ran"');
});

it("waits for room on a disk that is full when it starts, and ends where somebody waits for the start", async () => {
  let isFull = true;
  const pauses: number[] = [];
  const clock: Clock = {
    ...systemClock,
    async sleep(ms, signal) {
      if (ms !== 10_000) return systemClock.sleep(ms, signal);
      pauses.push(ms);
      isFull = pauses.length < 3;
    },
  };
  const extras: GatewayExtras = {
    wrapStores: (stores) => ({
      ...stores,
      directory: {
        ...stores.directory,
        async ensure(given) {
          if (isFull)
            throw failure("storage/full", "failure.disk-full", { reason: "full", file: home.coreDb });
          await stores.directory.ensure(given);
        },
      },
    }),
  };
  await expect(run({}, { clock, mode: "background" }, extras)).rejects.toThrow("full");
  expect(told).toEqual([]);
  void run({}, { clock }, extras);
  await untilTold("is running (pid");
  expect(pauses).toHaveLength(3);
  expect(told.filter((line) => line.includes("as soon as there is room"))).toHaveLength(3);
});
