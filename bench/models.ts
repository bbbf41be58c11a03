/**
 * What a turn costs whose model is asked over HTTP: the built gateway as people run it, spoken to over its socket, and a model server in a
 * process of its own that answers at once; beside it a bare request to that server.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectGateway, type GatewayClient } from "../src/client/gateway-client.ts";

export interface ModelFigures {
  /** A bare request and its answer. */
  bare: Cost;
  /** A turn alone, asked for over the gateway's socket. */
  turn: Cost;
  /** The first turn of the process, as a multiple of a warm one. */
  firstTurn: { wallMs: number; ratio: number };
  /** Turns a second with 20 sessions at once, and what each costs then. */
  together: { perSecond: number; cpuMs: number };
  /** What it costs beyond an ordinary turn when the model streams 400 KB of arguments in pieces of four characters. */
  longCallCpuMs: number;
  /** Of the gateway; `bare` is a node that does nothing. */
  rssMb: { bare: number; idle: number; after50: number; afterAll: number };
}

interface Cost {
  wallMs: number;
  cpuMs: number;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function measureModels({ turns = 300, seconds = 5 } = {}): Promise<ModelFigures> {
  const home = mkdtempSync(join(tmpdir(), "pincer-bench-"));
  const children: ChildProcess[] = [];
  const start = (args: string[]): ChildProcess => {
    const environment = { ...process.env, PINCER_HOME: home, HOME: home };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env: environment });
    children.push(child);
    return child;
  };
  try {
    const server = start([here("instant-model-server.ts")]);
    const [said] = (await once(server.stdout ?? process.stdin, "data")) as [Buffer];
    const port = Number(said.toString().trim());
    const bare = await costOf(turns, ownCpuMs, () => bareRequest(port));
    const config = {
      models: {
        providers: {
          local: {
            baseUrl: `http://127.0.0.1:${port}/v1`,
            models: [{ id: "instant", contextWindow: 1_000_000 }],
          },
        },
      },
      agents: { defaults: { model: { primary: "local/instant" } } },
    };
    writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    const nothing = start(["-e", "setInterval(() => {}, 1e6)"]);
    const run = [here("../bin/pincer.mjs"), "gateway", "run"];
    // As on any day but the first: the compiled code is in the home.
    const yesterday = start(run);
    (await reach(join(home, "gateway.sock"))).close();
    await sleep(1000);
    yesterday.kill();
    await once(yesterday, "exit");
    const gateway = start(run);
    const client = await reach(join(home, "gateway.sock"));
    await sleep(1500);
    const rssMb = { bare: rssOf(nothing), idle: rssOf(gateway) };
    const figures = await measureThrough(client, gateway, { turns, seconds });
    client.close();
    return { bare, ...figures, rssMb: { ...rssMb, ...figures.rssMb } };
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
    rmSync(home, { recursive: true, force: true });
  }
}

async function reach(socketPath: string): Promise<GatewayClient> {
  for (;;) {
    const client = await connectGateway({ socketPath, clientName: "bench", version: "0", timeoutMs: 5000 });
    if (client) return client;
    await sleep(20);
  }
}

async function measureThrough(
  client: GatewayClient,
  gateway: ChildProcess,
  { turns, seconds }: { turns: number; seconds: number },
) {
  let asked = 0;
  const turn = async (session: string, input = "How are you today?") => {
    const sessionKey = `bench-${session}`;
    const key = `k${++asked}`;
    const { runId } = await client.request("agent.run", { input, sessionKey, idempotencyKey: key });
    await client.request("agent.wait", { runId });
  };
  const cpuMs = () => cpuOf(gateway);

  const first = await wallOf(() => turn("first"));
  for (let count = 1; count < 50; count++) await turn("warm");
  const after50 = rssOf(gateway);
  // Until the compiler has had its say; its threads count as processor time, too.
  for (let count = 0; count < 500; count++) await turn("warm");
  const alone = await costOf(turns, cpuMs, () => turn("warm"));

  let count = 0;
  const cpuBefore = cpuMs();
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      for (; performance.now() - begin < seconds * 1000; count++) await turn(`p${index}`);
    }),
  );
  const perSecond = Math.round(count / ((performance.now() - begin) / 1000));
  const together = { perSecond, cpuMs: round((cpuMs() - cpuBefore) / count) };

  const long = await costOf(10, cpuMs, () => turn("long", "Make a very long call, please."));
  return {
    turn: alone,
    firstTurn: { wallMs: round(first), ratio: round(first / alone.wallMs) },
    together,
    longCallCpuMs: round(long.cpuMs - alone.cpuMs),
    rssMb: { after50, afterAll: rssOf(gateway) },
  };
}

const agent = new Agent({ keepAlive: true });

function bareRequest(port: number): Promise<void> {
  const body = JSON.stringify({
    model: "instant",
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  });
  const headers = { "content-type": "application/json" };
  const place = { port, host: "127.0.0.1", path: "/v1/chat/completions", method: "POST", agent, headers };
  return new Promise((resolve, reject) => {
    const asking = request(place, (response) => response.resume().on("end", resolve).on("error", reject));
    asking.on("error", reject);
    asking.end(body);
  });
}

async function costOf(times: number, cpuMs: () => number, work: () => Promise<void>): Promise<Cost> {
  for (let count = 0; count < Math.min(20, times); count++) await work();
  const walls: number[] = [];
  const before = cpuMs();
  for (let count = 0; count < times; count++) walls.push(await wallOf(work));
  const cpu = (cpuMs() - before) / times;
  walls.sort((a, b) => a - b);
  return { wallMs: round(walls[Math.floor(times / 2)] ?? 0), cpuMs: round(cpu) };
}

async function wallOf(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The kernel counts in hundredths of a second; over some hundreds of turns that is fine enough. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssOf({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 100) / 10;
}

const round = (value: number) => Math.round(value * 100) / 100;

export function printModels({ bare, turn, firstTurn, together, longCallCpuMs, rssMb }: ModelFigures): void {
  const line = (name: string, value: string, goal?: [words: string, isMet: boolean]) => {
    const verdict = goal ? `  goal ${goal[0]}: ${goal[1] ? "met" : "MISSED"}` : "";
    process.stdout.write(`  ${name.padEnd(26)} ${value}${verdict}\n`);
  };
  const share = (mb: number) => round(mb / rssMb.bare);
  process.stdout.write("\nturns with a model over HTTP (the built gateway, over its socket)\n");
  line("a bare request", `${bare.wallMs} ms, ${bare.cpuMs} ms CPU`);
  line("a turn", `${turn.wallMs} ms`, ["≤ 6 ms", turn.wallMs <= 6]);
  line("its processor time", `${turn.cpuMs} ms`, ["≤ 4 ms", turn.cpuMs <= 4]);
  line("the first turn", `${firstTurn.wallMs} ms, ${firstTurn.ratio} ×`, ["≤ 5 ×", firstTurn.ratio <= 5]);
  line("20 sessions at once", `${together.perSecond} turns/s`, ["≥ 300", together.perSecond >= 300]);
  line("processor time of each", `${together.cpuMs} ms`);
  line("400 KB of arguments", `${longCallCpuMs} ms CPU more`, ["< 300 ms", longCallCpuMs < 300]);
  line("memory, idle", `${rssMb.idle} MB, ${share(rssMb.idle)} ×`, ["≤ 2.5 ×", share(rssMb.idle) <= 2.5]);
  line("memory after 50 turns", `${rssMb.after50} MB, ${share(rssMb.after50)} ×`, [
    "≤ 2.4 ×",
    share(rssMb.after50) <= 2.4,
  ]);
  line("memory after all", `${rssMb.afterAll} MB`);
}
