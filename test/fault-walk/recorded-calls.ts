/** Which calls on the home a run without faults makes, read from what the tracer wrote down. */
import { mannersOf, walkedCalls, type Point } from "./point.ts";

/** How often a thread made the call on that file, at most; by `call:file`. */
export type CallCounts = Map<string, number>;

export function countCalls(log: string, home: string): CallCounts {
  const perThread = new Map<string, number>();
  const counts: CallCounts = new Map();
  for (const line of log.split("\n")) {
    // The second half of a call that was interrupted by another thread's says nothing new.
    const [, thread, call, args = ""] = /^(\d+)\s+(\w+)\((.*)$/.exec(line) ?? [];
    if (call === undefined || !walkedCalls.includes(call)) continue;
    const file = fileOf(call, args, home);
    if (file === undefined || isPassing(file)) continue;
    const key = `${call}:${file}`;
    const count = (perThread.get(`${thread} ${key}`) ?? 0) + 1;
    perThread.set(`${thread} ${key}`, count);
    counts.set(key, Math.max(counts.get(key) ?? 0, count));
  }
  return counts;
}

/** In the order of the calls' names, so that all runs of one product plan the same. */
export function pointsOf(counts: CallCounts): Point[] {
  const keys = [...counts.keys()].sort();
  return keys.flatMap((key) => {
    const [, call = "", file = ""] = /^(\w+):(.*)$/.exec(key) ?? [];
    const places = Array.from({ length: counts.get(key) ?? 0 }, (_, index) => index + 1);
    return places.flatMap((at) => mannersOf(call).map((manner) => ({ call, file, at, ...manner })));
  });
}

/** Below the home. The tracer knows a rename by the name that was, which is another each time: all of them count as one. */
function fileOf(call: string, args: string, home: string): string | undefined {
  const isNamed = ["openat", "rename", "unlink", "mkdir"].includes(call);
  const path = isNamed ? /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] : /^\d+<([^>]*)>/.exec(args)?.[1];
  if (path === home) return ".";
  if (!path?.startsWith(`${home}/`)) return undefined;
  return call === "rename" ? "*" : path.slice(home.length + 1);
}

/** Names that no other run makes. */
const isPassing = (file: string): boolean =>
  /\.[0-9a-f]{8,}\.tmp$|\.tmp-|(^|\/)[a-z]_[0-9a-z]{26}[./]|\d{4}-\d\d-\d\dT|^cache\/|\.sock$/.test(file);
