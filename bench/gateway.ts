/**
 * The gateway as people meet it: the built product in a process of its own, spoken to over HTTP, WebSocket and by the command line, with a model
 * server that answers at once; every figure beside a bare node of the same run.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Agent, get, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { protocolVersion, type Frame } from "@pincer/sdk";
import { fillSession } from "./requests.ts";

export interface GatewayFigures {
  /** Bare node from start to end; the gateway from start until /readyz answers. */
  startMs: { bare: number; ready: number };
  rssMb: { bare: number; idle: number; after50: number; streaming: number; afterAll: number };
  /** After 550 turns, and after 2,850. */
  early: Cost;
  http: Cost;
  webSocket: Cost;
  /** Of a turn over HTTP; null where the system does not tell. */
  written: Written | null;
  /** The database's log after those turns. */
  walMb: number;
  firstTurnMs: number;
  commandLine: { bareMs: number; askMs: number; statusMs: number };
  together: { perSecond: number; cpuMs: number };
  streams: { count: number; loopP99Ms: number; mbEach: number; wallMs: number };
  earlier: { few: number; many: number; ratio: number };
}

interface Cost {
  wallMs: number;
  cpuMs: number;
}

interface Written {
  /** In whole pages of the file system, which is how the disk gets it. */
  diskKb: number;
  /** By calls, to files and to connections. */
  allKb: number;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const bin = here("../bin/pincer.mjs");
const token = "bench-token-that-nobody-else-has";
export const many = 10_000;
export const few = 10;

export async function measureGateway({
  turns = 300,
  seconds = 5,
  streams = 500,
} = {}): Promise<GatewayFigures> {
  const home = mkdtempSync(join(tmpdir(), "pincer-bench-"));
  const children: ChildProcess[] = [];
  // As `gateway start --daemon`, systemd and the container start it.
  const environment = { ...process.env, PINCER_HOME: home, HOME: home, MALLOC_ARENA_MAX: "1" };
  const start = (args: string[]): ChildProcess => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env: environment });
    children.push(child);
    return child;
  };
  try {
    const server = start([here("instant-model-server.ts")]);
    const [said] = (await once(server.stdout ?? process.stdin, "data")) as [Buffer];
    const port = 20_000 + (process.pid % 20_000);
    writeFileSync(
      join(home, "config.json5"),
      JSON.stringify(configOf(port, Number(said.toString().trim()))),
      {
        mode: 0o600,
      },
    );
    await fillSession(join(home, "core.db"), "agent:main:bench-few", few);
    await fillSession(join(home, "core.db"), "agent:main:bench-many", many);

    const nothing = start(["-e", "setInterval(() => {}, 1e6)"]);
    const run = [bin, "gateway", "run"];
    const place = { port, environment };
    // As on any day but the first: the compiled code is in the home.
    const yesterday = start(run);
    await untilReady(port);
    await sleep(1000);
    yesterday.kill();
    await once(yesterday, "exit");

    const starts: number[] = [];
    const bares: number[] = [];
    const firsts: number[] = [];
    let idle = 0;
    let gateway: ChildProcess = yesterday;
    for (let round = 0; round < 7; round++) {
      bares.push(wallOfSync(() => spawnSync(process.execPath, ["-e", "0"], { env: environment })));
      const begin = performance.now();
      gateway = start(run);
      await untilReady(port);
      starts.push(performance.now() - begin);
      await sleep(1500);
      idle = rssOf(gateway);
      firsts.push(await wallOf(() => httpTurn(port, `first${round}`)));
      if (round === 6) break;
      gateway.kill();
      await once(gateway, "exit");
    }
    const cpuMs = () => cpuOf(gateway);

    for (let count = 1; count < 50; count++) await httpTurn(port, "warm");
    const after50 = rssOf(gateway);
    for (let count = 0; count < 500; count++) await httpTurn(port, "warm");
    const early = await costOf(turns, cpuMs, () => httpTurn(port, "warm"));
    // Until some thousands of turns are over, V8 compiles in every one of them what has become worth it by then.
    for (let count = 0; count < 2000; count++) await httpTurn(port, "warm");
    const before = writtenBy(gateway);
    const http = await costOf(turns, cpuMs, () => httpTurn(port, "warm"));
    const written = writtenSince(before, gateway, turns);
    const walMb = round(statSync(join(home, "core.db-wal")).size / 1e6);

    const line = await openLine(port);
    // As many as over HTTP: what is its own of this way in is compiled by then, too.
    for (let count = 0; count < 2000; count++) await line.turn("warm-ws");
    const webSocket = await costOf(turns, cpuMs, () => line.turn("warm-ws"));
    line.close();

    const earlier = await compareEarlier(port, cpuMs);
    const together = await twentyAtOnce(port, seconds, cpuMs);
    const beforeStreams = rssOf(gateway);
    const streamed = await slowStreams(port, streams, () => rssOf(gateway));
    const commandLine = measureCommands(place);
    return {
      startMs: { bare: median(bares), ready: median(starts) },
      rssMb: { bare: rssOf(nothing), idle, after50, streaming: streamed.rssMb, afterAll: rssOf(gateway) },
      early,
      http,
      webSocket,
      written,
      walMb,
      firstTurnMs: round(median(firsts)),
      commandLine,
      together,
      streams: {
        count: streams,
        loopP99Ms: streamed.loopP99Ms,
        mbEach: round((streamed.rssMb - beforeStreams) / streams),
        wallMs: round(streamed.wallMs),
      },
      earlier,
    };
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    rmSync(home, { recursive: true, force: true });
  }
}

const configOf = (port: number, modelPort: number) => ({
  gateway: {
    port,
    auth: { token },
    limits: { perUser: 10_000_000, perTenant: 10_000_000, connections: 2000 },
  },
  queue: { concurrency: 600 },
  models: {
    providers: {
      local: {
        baseUrl: `http://127.0.0.1:${modelPort}/v1`,
        models: [{ id: "instant", contextWindow: 1_000_000 }],
      },
    },
  },
  agents: { defaults: { model: { primary: "local/instant" } } },
});

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const status = await new Promise<number>((resolve) => {
      get({ port, host: "127.0.0.1", path: "/readyz", agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on("error", () => resolve(0));
    });
    if (status === 200) return;
    await sleep(2);
  }
}

/** One question over the API; resolves to its whole answer. */
function httpTurn(
  port: number,
  session: string,
  { input = "How are you today?", stream = false } = {},
): Promise<string> {
  const body = JSON.stringify({ model: "pincer", stream, messages: [{ role: "user", content: input }] });
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${token}`,
    "x-pincer-session": `bench-${session}`,
  };
  const place = { port, host: "127.0.0.1", path: "/v1/chat/completions", method: "POST", agent, headers };
  return new Promise((resolve, reject) => {
    const asking = request(place, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
      response.on("error", reject);
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

interface Line {
  turn(session: string): Promise<void>;
  close(): void;
}

async function openLine(port: number): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const answers = new Map<string, (payload: unknown) => void>();
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame;
    if (frame.type !== "res") return;
    if (!frame.ok) throw new Error(frame.error.message);
    answers.get(frame.id)?.(frame.payload);
    answers.delete(frame.id);
  });
  await once(socket, "open");
  let asked = 0;
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = `r${++asked}`;
      answers.set(id, resolve);
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    });
  await ask("connect", { protocol: protocolVersion, client: { name: "bench", version: "0" } });
  return {
    async turn(session) {
      const question = { input: "How are you today?", sessionKey: session, idempotencyKey: `k${asked}` };
      const { runId } = (await ask("agent.run", question)) as { runId: string };
      await ask("agent.wait", { runId });
    },
    close: () => socket.close(),
  };
}

/** In turn, so that whatever else the machine does meets both. */
async function compareEarlier(port: number, cpuMs: () => number): Promise<GatewayFigures["earlier"]> {
  const costs = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < 12; round++) {
    for (const which of round % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const)) {
      const before = cpuMs();
      for (let count = 0; count < 15; count++) await httpTurn(port, which);
      if (round > 0) costs[which].push((cpuMs() - before) / 15);
    }
  }
  const ratios = costs.many.map((cost, index) => cost / (costs.few[index] ?? Number.NaN));
  return { few: round(median(costs.few)), many: round(median(costs.many)), ratio: round(median(ratios)) };
}

async function twentyAtOnce(
  port: number,
  seconds: number,
  cpuMs: () => number,
): Promise<GatewayFigures["together"]> {
  let count = 0;
  const cpuBefore = cpuMs();
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      for (; performance.now() - begin < seconds * 1000; count++) await httpTurn(port, `p${index}`);
    }),
  );
  const perSecond = Math.round(count / ((performance.now() - begin) / 1000));
  return { perSecond, cpuMs: round((cpuMs() - cpuBefore) / count) };
}

/** Answers that take their time, all at once; the loop's delay is what the gateway itself measured meanwhile. */
async function slowStreams(
  port: number,
  count: number,
  rss: () => number,
): Promise<{ loopP99Ms: number; rssMb: number; wallMs: number }> {
  const begin = performance.now();
  const asking = Promise.all(
    Array.from({ length: count }, (_, index) =>
      httpTurn(port, `slow${index}`, { input: "Take your time, please.", stream: true }),
    ),
  ).then(() => "over" as const);
  let most = 0;
  let loopP99Ms = 0;
  while ((await Promise.race([sleep(250), asking])) !== "over") {
    most = Math.max(most, rss());
    if (performance.now() - begin > 4000) loopP99Ms = Math.max(loopP99Ms, await loopDelay(port));
  }
  await asking;
  return { loopP99Ms: round(loopP99Ms), rssMb: most, wallMs: performance.now() - begin };
}

function loopDelay(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path: "/metrics", headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => {
        const found = /^pincer_event_loop_delay_seconds\{quantile="0\.99"\} (\S+)/m.exec(text)?.[1];
        if (found === undefined) return reject(new Error("no delay of the event loop in /metrics"));
        resolve(Number(found) * 1000);
      });
    }).on("error", reject);
  });
}

function measureCommands({ environment }: { environment: NodeJS.ProcessEnv }): GatewayFigures["commandLine"] {
  const subjects = { bareMs: ["-e", "0"], askMs: [bin, "ask", "hello"], statusMs: [bin, "status"] };
  const times = { bareMs: [] as number[], askMs: [] as number[], statusMs: [] as number[] };
  for (let count = -2; count < 15; count++) {
    for (const name of ["bareMs", "askMs", "statusMs"] as const) {
      const wall = wallOfSync(() => {
        const { status, stderr } = spawnSync(process.execPath, subjects[name], {
          env: environment,
          encoding: "utf8",
        });
        if (status !== 0) throw new Error(`${name}: ${stderr}`);
      });
      if (count >= 0) times[name].push(wall);
    }
  }
  return {
    bareMs: round(median(times.bareMs)),
    askMs: round(median(times.askMs)),
    statusMs: round(median(times.statusMs)),
  };
}

async function costOf(times: number, cpuMs: () => number, work: () => Promise<unknown>): Promise<Cost> {
  const walls: number[] = [];
  const before = cpuMs();
  for (let count = 0; count < times; count++) walls.push(await wallOf(work));
  return { wallMs: round(median(walls)), cpuMs: round((cpuMs() - before) / times) };
}

async function wallOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function wallOfSync(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/** The kernel counts in hundredths of a second; over some hundreds of turns that is fine enough. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Bytes since it started; undefined where the system does not tell. */
function writtenBy({ pid }: ChildProcess): { disk: number; all: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/io`, "utf8");
    const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1]);
    return { disk: of("write_bytes"), all: of("wchar") };
  } catch {
    return undefined;
  }
}

function writtenSince(
  before: ReturnType<typeof writtenBy>,
  gateway: ChildProcess,
  turns: number,
): Written | null {
  const after = writtenBy(gateway);
  if (!before || !after) return null;
  const each = (bytes: number) => Math.round(bytes / turns / 100) / 10;
  return { diskKb: each(after.disk - before.disk), allKb: each(after.all - before.all) };
}

function rssOf({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 100) / 10;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const round = (value: number) => Math.round(value * 100) / 100;
