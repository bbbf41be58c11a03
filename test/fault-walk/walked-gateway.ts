/** One life of the product in a walk: started through a tracer or not, asked whether it is ready, stopped. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import { connectGateway } from "../../src/client/gateway-client.ts";
import { pincerBin } from "../run-pincer.ts";

export interface WalkedGateway {
  /** Whether it said that it runs; it may have ended since. */
  isRunning: boolean;
  hasEnded(): boolean;
  /** As it said last about its channel. */
  isConnected(): boolean;
  /** What it said, for the report. */
  said(): string;
  /** `gone` where nobody answers: then nothing can be expected of it. */
  readiness(): Promise<"ready" | "not-ready" | "gone">;
  /** Over its socket, as its owner would; undefined when it refused, did not answer in time, or is gone. */
  ask<Name extends MethodName>(
    method: Name,
    params: MethodParams<Name>,
  ): Promise<MethodResults[Name] | undefined>;
  /** As the system asks it to; killed when it does not follow. Answers whether it did. */
  stop(): Promise<boolean>;
  kill(): Promise<void>;
}

const startWithinMs = 60_000;
/** As long as its own stop may take, and some. */
const stopWithinMs = 20_000;
const answerWithinMs = 3000;

/** Compiled code is kept outside of the home: a walk is about what the home holds. */
const codeCache = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

export async function startWalked(home: string, through: readonly string[] = []): Promise<WalkedGateway> {
  const [command = "", ...args] = [...through, process.execPath, pincerBin, "gateway", "run"];
  const child = spawn(command, args, {
    cwd: tmpdir(),
    // One thread for what Node does beside: its calls are then counted as they come.
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      PINCER_HOME: home,
      PINCER_PORT: "0",
      LANG: "en",
      NODE_COMPILE_CACHE: codeCache,
      UV_THREADPOOL_SIZE: "1",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  let ended = false;
  const end = new Promise<void>((resolve) =>
    child.once("exit", () => {
      ended = true;
      resolve();
    }),
  );
  child.on("error", (error) => (said += error.message));
  const running = new Promise<boolean>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-6000);
      if (said.includes("is running (pid") && /Address:\s+\S+:\d+/.test(said)) resolve(true);
    });
  });
  const endNow = async () => {
    child.kill("SIGKILL");
    await end;
  };
  const isRunning = await within(startWithinMs, Promise.race([running, end.then(() => false)]));
  if (isRunning === undefined) await endNow();
  const port = /Address:\s+\S+:(\d+)/.exec(said)?.[1];

  return {
    isRunning: isRunning === true,
    hasEnded: () => ended,
    isConnected: () => [...said.matchAll(/local\/default: (\w+)/g)].at(-1)?.[1] === "connected",
    said: () => said.trim(),
    async readiness() {
      if (port === undefined || ended) return "gone";
      try {
        const signal = AbortSignal.timeout(answerWithinMs * 2);
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
        await answer.arrayBuffer();
        return answer.status === 200 ? "ready" : "not-ready";
      } catch {
        // One that does not answer is not ready either, to whoever asks.
        return "gone";
      }
    },
    async ask(method, params) {
      const client = await connectGateway({
        socketPath: join(home, "gateway.sock"),
        clientName: "walk",
        version: "0",
        timeoutMs: answerWithinMs,
      }).catch(() => undefined);
      if (!client) return undefined;
      // A refusal counts as no answer: the walk goes on with what there is.
      const answer = client.request(method, params).catch(() => undefined);
      return within(answerWithinMs, answer).finally(() => client.close());
    },
    async stop() {
      if (!ended) child.kill("SIGTERM");
      if (
        (await within(
          stopWithinMs,
          end.then(() => true),
        )) ??
        false
      )
        return true;
      await endNow();
      return false;
    },
    kill: endNow,
  };
}

/** Undefined when it takes longer. */
export async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = pause(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => stop.abort());
}
