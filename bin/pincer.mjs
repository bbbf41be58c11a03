#!/usr/bin/env node
// Plain JavaScript that any Node from 18 on can read: finds a Node that is new enough and starts Pincer on it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestUsable = 24;
const built = new URL("../dist/pincer.mjs", import.meta.url);
const source = new URL("../src/cli/start.ts", import.meta.url);

if (majorOf(process.versions.node) >= oldestUsable) {
  const useSource = process.env.PINCER_FROM_SOURCE === "1" || !existsSync(built);
  await import(useSource ? source.href : built.href);
} else {
  await handOver();
}

/** Runs the same command on the Node that npm installed beside Pincer, or says what is missing. */
async function handOver() {
  const { spawn } = await import("node:child_process");
  const { createRequire } = await import("node:module");
  const candidates = [process.env.PINCER_NODE, pinnedNode(createRequire(import.meta.url))];
  const node = candidates.find((path) => path && existsSync(path));
  if (!node) {
    process.stderr.write(
      `pincer: Node ${oldestUsable} or newer is needed, and this is ${process.versions.node}.\n` +
        `  → Run \`npm ci\` in ${fileURLToPath(new URL("..", import.meta.url))} (it brings its own Node), install Node ${oldestUsable}\n` +
        `    from your system's packages, or set PINCER_NODE to the path of one.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // At a terminal Ctrl-C reaches the child by itself: handed on too, it would arrive twice.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`pincer: ${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (status, signal) => {
    if (signal) {
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
      process.kill(process.pid, signal);
    } else {
      process.exit(status ?? 1);
    }
  });
}

function pinnedNode(require) {
  try {
    return join(dirname(require.resolve("node/package.json")), "bin", "node");
  } catch {
    // Not installed beside us: the caller tells the user.
    return undefined;
  }
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}
