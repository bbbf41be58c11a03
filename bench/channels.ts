/**
 * What a channel costs: from a message on Telegram to its answer there, with a model that answers at once, over the time that is waited for more
 * words; and what one costs that is in the config and switched off. The Bot API is the connector's own stand-in, in this process.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createFakeBotApi, type FakeBotApi } from "../channels/telegram/src/testing/fake-bot-api.ts";

export interface ChannelFigures {
  /** From the message to its answer, less the time that is waited for more words. */
  replyMs: { median: number; p95: number; goal: number };
  /** A channel that is in the config and off, beside a config without one. */
  disabled: { startRatio: number; rssRatio: number };
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const bin = here("../bin/pincer.mjs");
const debounceMs = 20;
const goalMs = 40;

export async function measureChannels({ messages = 100, rounds = 7 } = {}): Promise<ChannelFigures> {
  const home = mkdtempSync(join(tmpdir(), "pincer-bench-"));
  const children = new Set<ChildProcess>();
  const environment = { ...process.env, PINCER_HOME: home, HOME: home, PINCER_PORT: "0" };
  const start = (args: string[], said: "stdout" | "stderr"): ChildProcess => {
    const stdio = ["ignore", said === "stdout" ? "pipe" : "ignore", said === "stderr" ? "pipe" : "ignore"];
    const child = spawn(process.execPath, args, {
      stdio: stdio as ["ignore", "pipe", "ignore"],
      env: environment,
    });
    children.add(child);
    return child;
  };
  const end = async (child: ChildProcess) => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    children.delete(child);
  };
  const configure = (channels: object, modelPort: number) =>
    writeFileSync(join(home, "config.json5"), JSON.stringify(configOf(channels, modelPort)), { mode: 0o600 });
  const run = async () => {
    const begin = performance.now();
    const gateway = start([bin, "gateway", "run"], "stderr");
    await untilRunning(gateway);
    return { gateway, ms: performance.now() - begin };
  };
  const api = await createFakeBotApi();
  try {
    const server = start([here("instant-model-server.ts")], "stdout");
    const [said] = (await once(server.stdout ?? process.stdin, "data")) as [Buffer];
    const port = Number(said.toString().trim());
    const telegram = { botToken: api.token, apiRoot: api.apiRoot };

    configure({ telegram }, port);
    const { gateway } = await run();
    await api.until(() => api.polling() > 0);
    const times = await replyTimes(api, messages);
    await end(gateway);

    const found = {
      none: { ms: [] as number[], mb: [] as number[] },
      off: { ms: [] as number[], mb: [] as number[] },
    };
    for (let round = 0; round < rounds * 2; round++) {
      const kind = round % 2 === 0 ? "none" : "off";
      configure(kind === "none" ? {} : { telegram: { ...telegram, enabled: false } }, port);
      const started = await run();
      await sleep(1500);
      found[kind].ms.push(started.ms);
      found[kind].mb.push(rssOf(started.gateway));
      await end(started.gateway);
    }
    const [median = 0, p95 = 0] = [0.5, 0.95].map((share) => quantile(times, share) - debounceMs);
    return {
      replyMs: { median: round(median), p95: round(p95), goal: goalMs },
      disabled: {
        startRatio: round(quantile(found.off.ms, 0.5) / quantile(found.none.ms, 0.5)),
        rssRatio: round(quantile(found.off.mb, 0.5) / quantile(found.none.mb, 0.5)),
      },
    };
  } finally {
    for (const child of children) await end(child);
    await api.close();
    rmSync(home, { recursive: true, force: true });
  }
}

export function printChannels({ replyMs, disabled }: ChannelFigures): void {
  const { median, p95, goal } = replyMs;
  const verdict = median <= goal ? "met" : "MISSED";
  process.stdout.write(
    [
      "channels",
      `  Telegram, message to answer over the debounce: median ${median} ms, p95 ${p95} ms  goal ≤ ${goal} ms: ${verdict}`,
      `  a channel that is off, beside none: start-up ${disabled.startRatio} ×, memory ${disabled.rssRatio} ×`,
      "",
    ].join("\n"),
  );
}

/** One after the other, as a person writes; the first ones warm everything up. */
async function replyTimes(api: FakeBotApi, count: number): Promise<number[]> {
  const ada = api.people.person(42, "Ada");
  const times: number[] = [];
  for (let index = 0; index < count + 10; index++) {
    const before = api.people.seen(42).length;
    const begin = performance.now();
    api.people.dm(ada, { text: `How are you today, for the ${index}th time?` });
    await api.until(() => api.people.seen(42).length > before);
    if (index >= 10) times.push(performance.now() - begin);
    // Longer than the pace that the network asks for.
    await sleep(60);
  }
  return times;
}

const configOf = (channels: object, modelPort: number) => ({
  owners: ["telegram:42"],
  channels,
  gateway: { limits: { perUser: 10_000_000, perTenant: 10_000_000, perChannel: 10_000_000 } },
  queue: { debounceMs },
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

async function untilRunning(child: ChildProcess): Promise<void> {
  let said = "";
  for await (const text of child.stderr ?? []) {
    said += String(text);
    if (said.includes("is running (pid")) break;
  }
  child.stderr?.resume();
}

function rssOf({ pid }: ChildProcess): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const round = (value: number): number => Math.round(value * 100) / 100;
