/**
 * Opens a home as a process of its own in which the n-th step of mending fails: `kill` ends the process just before it, `full` finds no room
 * for it and everything after it. Arguments: the root, how, the number of the step. Prints the steps, and how it ended.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [root = "", how = "", which = ""] = process.argv.slice(2);
const steps: string[] = [];
const isMending = (path: unknown) =>
  typeof path === "string" && /recovery\.json|\.repaired|\.mending|core\.db(-wal|-shm|-open)?$/.test(path);

/** What fails on a full disk; taking away and renaming need no room. */
function step(name: string, path: unknown, needsRoom: boolean): void {
  if (!isMending(path)) return;
  steps.push(`${name} ${String(path).slice(root.length)}`);
  const at = Number(which);
  if (how === "kill" && steps.length === at) process.kill(process.pid, "SIGKILL");
  if (how !== "full" || steps.length < at || !needsRoom) return;
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), {
    code: "ENOSPC",
    syscall: name,
  });
}

function guard<Name extends "renameSync" | "writeFileSync" | "rmSync" | "openSync">(
  name: Name,
  needsRoom: boolean,
): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      const isWriting = name !== "openSync" || args[1] === "wx";
      if (isWriting) step(name, args[0], needsRoom);
      return original(...args);
    },
  });
}

guard("renameSync", false);
guard("rmSync", false);
guard("writeFileSync", true);
guard("openSync", true);
const rename = fs.promises.rename;
fs.promises.rename = async (from, to) => {
  step("rename", from, false);
  return rename(from, to);
};
syncBuiltinESMExports();

const { openHome } = await import("../open-home.ts");
const { createRedactor } = await import("../../../infra/redactor.ts");
const { createSay } = await import("../../../infra/texts.ts");
const parts = {
  environment: { HOME: root, PINCER_HOME: join(root, "home") },
  redactor: createRedactor(),
  say: createSay("en"),
  notify: () => {},
  cwd: root,
};
let ending: string;
try {
  await (await openHome(parts, {})).close();
  ending = "opened";
} catch (error) {
  ending = String((error as { code?: string }).code ?? error);
}
process.stdout.write(`${JSON.stringify({ steps, ending })}\n`);
