/**
 * What a turn costs whose model is asked over HTTP: a server in a process of its own that answers at once, beside a bare request to it.
 * `node --expose-gc --max-semi-space-size=1 bench/models.ts [--json]`
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { withHouse, type House } from "./house.ts";
import { throughput } from "./turns.ts";

export interface ModelFigures {
  /** A bare request and its answer. */
  bare: Cost;
  /** A turn alone, from the message to its reply. */
  turn: Cost;
  /** The first turn of the process, as a multiple of a warm one. */
  firstTurn: { wallMs: number; ratio: number };
  /** Turns a second with 20 sessions at once, and what each costs then. */
  together: { perSecond: number; cpuMs: number; eventLoopP99Ms: number };
  /** Processor time of a turn in which the model streams 400 KB of arguments in pieces of four characters, without the turn's own. */
  longCallCpuMs: number;
  rssMb: { before: number; after50: number; afterAll: number };
}

interface Cost {
  wallMs: number;
  cpuMs: number;
}

export async function measureModels({ turns = 300, seconds = 5 } = {}): Promise<ModelFigures> {
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL("instant-model-server.ts", import.meta.url))],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const [said] = (await once(server.stdout, "data")) as [Buffer];
    const port = Number(said.toString().trim());
    const bare = await costOf(turns, () => bareRequest(port));
    const config = {
      models: {
        providers: { local: { baseUrl: `http://127.0.0.1:${port}/v1`, models: [{ id: "instant" }] } },
      },
      agents: { defaults: { model: { primary: "local/instant" } } },
    };
    return await withHouse({ config }, (house) => measureIn(house, { turns, seconds, bare }));
  } finally {
    server.kill();
  }
}

async function measureIn(
  house: House,
  { turns, seconds, bare }: { turns: number; seconds: number; bare: Cost },
): Promise<ModelFigures> {
  const before = rssMb();
  const first = await wallOf(() => house.turn("first"));
  for (let count = 1; count < 50; count++) await house.turn("warm");
  const after50 = rssMb();
  const turn = await costOf(turns, () => house.turn("warm"));
  const together = await throughput(house, seconds);
  const longCall = await costOf(5, () => house.turn("long", "Make a very long call, please."));
  return {
    bare,
    turn,
    firstTurn: { wallMs: round(first), ratio: round(first / turn.wallMs) },
    together: {
      perSecond: together.perSecond,
      cpuMs: together.cpuMs,
      eventLoopP99Ms: together.eventLoopDelayMs.p99,
    },
    longCallCpuMs: round(longCall.cpuMs - turn.cpuMs),
    rssMb: { before, after50, afterAll: rssMb() },
  };
}

const agent = new Agent({ keepAlive: true });

function bareRequest(port: number): Promise<void> {
  const body = JSON.stringify({
    model: "instant",
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  });
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        port,
        host: "127.0.0.1",
        path: "/v1/chat/completions",
        method: "POST",
        agent,
        headers: { "content-type": "application/json" },
      },
      (response) => response.resume().on("end", resolve).on("error", reject),
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

async function costOf(times: number, work: () => Promise<void>): Promise<Cost> {
  for (let count = 0; count < Math.min(20, times); count++) await work();
  const walls: number[] = [];
  const cpu = process.cpuUsage();
  for (let count = 0; count < times; count++) walls.push(await wallOf(work));
  const { user, system } = process.cpuUsage(cpu);
  walls.sort((a, b) => a - b);
  return { wallMs: round(walls[Math.floor(times / 2)] ?? 0), cpuMs: round((user + system) / 1000 / times) };
}

async function wallOf(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function rssMb(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1e5) / 10;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** In a process of its own, so that nothing measured before lies in its memory. */
export function measureModelsApart(): ModelFigures {
  const file = fileURLToPath(import.meta.url);
  const flags = ["--expose-gc", "--max-semi-space-size=1"];
  const run = spawnSync(process.execPath, [...flags, file, "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e7,
  });
  if (run.status !== 0) throw new Error(`the measurement ended with ${run.status}`);
  return JSON.parse(run.stdout) as ModelFigures;
}

export function printModels(figures: ModelFigures): void {
  const { bare, turn, firstTurn, together, longCallCpuMs, rssMb: memory } = figures;
  const line = (name: string, value: string, goal?: [string, boolean]) =>
    process.stdout.write(
      `  ${name.padEnd(34)} ${value}${goal ? `  goal ${goal[0]}: ${goal[1] ? "met" : "MISSED"}` : ""}\n`,
    );
  process.stdout.write("\nturns with a model over HTTP\n");
  line("a bare request", `${bare.wallMs} ms, ${bare.cpuMs} ms CPU`);
  line("a turn", `${turn.wallMs} ms`, ["≤ 6 ms", turn.wallMs <= 6]);
  line("its processor time", `${turn.cpuMs} ms`, ["≤ 4 ms", turn.cpuMs <= 4]);
  line("the first turn", `${firstTurn.wallMs} ms, ${firstTurn.ratio} × a warm one`, [
    "≤ 5 ×",
    firstTurn.ratio <= 5,
  ]);
  line("20 sessions at once", `${together.perSecond} turns/s, ${together.cpuMs} ms CPU each`, [
    "≥ 300",
    together.perSecond >= 300,
  ]);
  line("400 KB of arguments", `${longCallCpuMs} ms CPU`, ["< 300 ms", longCallCpuMs < 300]);
  line(
    "memory",
    `${memory.before} MB before, ${memory.after50} after 50 turns, ${memory.afterAll} after all`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await measureModels();
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else printModels(figures);
  process.exit(0);
}
