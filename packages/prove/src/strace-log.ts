/**
 * Reads what strace wrote down about a process (`-f -yy -xx`): which bytes went to which file, when files were synced, renamed and
 * deleted, and what was said on sockets. Times are places in the log: a call begins on one line and may end on a later one.
 */
import { resolve } from "node:path";

interface Timed {
  /** The line on which it began and the one on which it had ended. */
  begun: number;
  ended: number;
}

export type TraceEvent = Timed &
  (
    | { type: "open"; path: string; create: boolean; truncate: boolean; append: boolean }
    /** `offset` undefined: at the end, wherever that is. */
    | { type: "write"; path: string; offset: number | undefined; data: Buffer }
    | { type: "truncate"; path: string; length: number }
    | { type: "sync"; path: string }
    | { type: "rename"; from: string; to: string }
    | { type: "unlink"; path: string }
    | { type: "mkdir"; path: string }
    /** `socket` is the same for everything said on one connection. */
    | { type: "connect"; socket: string; path: string }
    | { type: "say"; socket: string; data: Buffer }
  );

interface Call extends Timed {
  name: string;
  /** What stands between the brackets. */
  args: string;
  /** What stands behind the equals sign. */
  result: string;
}

/** In the order in which the calls ended. Calls that failed or never ended are left out. */
export function readStraceLog(lines: Iterable<string>): TraceEvent[] {
  const files = new Map<string, { append: boolean; position: number }>();
  const events: TraceEvent[] = [];
  for (const call of readCalls(lines)) {
    const event = understand(call, files);
    if (event) events.push(event);
  }
  return events;
}

function* readCalls(lines: Iterable<string>): Generator<Call> {
  const unfinished = new Map<string, { name: string; text: string; begun: number }>();
  let number = -1;
  for (const line of lines) {
    number++;
    const [, thread = "", text = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const half = /^(\w+)\((.*) <unfinished \.\.\.>$/.exec(text);
    if (half) {
      unfinished.set(thread, { name: half[1] ?? "", text: half[2] ?? "", begun: number });
      continue;
    }
    const rest = /^<\.\.\. (\w+) resumed>(.*)$/.exec(text);
    const first = rest && unfinished.get(thread);
    if (rest && first?.name === rest[1]) unfinished.delete(thread);
    else if (rest) continue;
    const whole = first ? `${first.name}(${first.text}${rest[2] ?? ""}` : text;
    const [, name, args, result] = /^(\w+)\((.*)\)\s+= (.*)$/.exec(whole) ?? [];
    if (name === undefined || args === undefined || result === undefined) continue;
    if (result.startsWith("-1") || result.startsWith("?")) continue;
    yield { name, args, result, begun: first?.begun ?? number, ended: number };
  }
}

function understand(
  { name, args, result, begun, ended }: Call,
  files: Map<string, { append: boolean; position: number }>,
): TraceEvent | undefined {
  const time = { begun, ended };
  switch (name) {
    case "openat": {
      const opened = descriptor(result);
      if (!opened?.path) return undefined;
      const append = /\bO_APPEND\b/.test(args);
      files.set(opened.number, { append, position: 0 });
      const [create, truncate] = [/\bO_CREAT\b/.test(args), /\bO_TRUNC\b/.test(args)];
      return { type: "open", path: opened.path, create, truncate, append, ...time };
    }
    case "pwrite64": {
      const opened = descriptor(args);
      const offset = Number(/, (\d+)$/.exec(args)?.[1]);
      if (!opened?.path || Number.isNaN(offset)) return undefined;
      return { type: "write", path: opened.path, offset, data: bytesOf(args, result), ...time };
    }
    case "write":
    case "writev":
    case "sendto":
    case "sendmsg": {
      const opened = descriptor(args);
      const data = bytesOf(args, result);
      if (opened?.socket) return { type: "say", socket: opened.socket, data, ...time };
      if (!opened?.path) return undefined;
      const state = files.get(opened.number) ?? { append: true, position: 0 };
      const offset = state.append ? undefined : state.position;
      state.position += data.length;
      return { type: "write", path: opened.path, offset, data, ...time };
    }
    case "ftruncate": {
      const path = descriptor(args)?.path;
      const length = Number(/, (\d+)$/.exec(args)?.[1]);
      return path === undefined ? undefined : { type: "truncate", path, length, ...time };
    }
    case "fsync":
    case "fdatasync": {
      const path = descriptor(args)?.path;
      return path === undefined ? undefined : { type: "sync", path, ...time };
    }
    case "rename":
    case "renameat":
    case "renameat2": {
      const [from, to] = pathsOf(args);
      return from === undefined || to === undefined ? undefined : { type: "rename", from, to, ...time };
    }
    case "unlink":
    case "unlinkat":
    case "rmdir": {
      const [path] = pathsOf(args);
      return path === undefined ? undefined : { type: "unlink", path, ...time };
    }
    case "mkdir":
    case "mkdirat": {
      const [path] = pathsOf(args);
      return path === undefined ? undefined : { type: "mkdir", path, ...time };
    }
    case "connect": {
      const socket = descriptor(args)?.socket;
      const path = /sun_path="((?:\\x[0-9a-f]{2})*)"/.exec(args)?.[1];
      if (socket === undefined || path === undefined) return undefined;
      return { type: "connect", socket, path: unhex(path).toString(), ...time };
    }
    default:
      return undefined;
  }
}

/** `21<\x2f\x74…>` is a file, `25<UNIX-STREAM:[475676->475677]>` a socket, known by its own number. */
function descriptor(text: string): { number: string; path?: string; socket?: string } | undefined {
  const [, number, what] = /^(\d+)<([^>]*(?:->[^>]*)?)>/.exec(text) ?? [];
  if (number === undefined || what === undefined) return undefined;
  const socket = /^UNIX-STREAM:\[(\d+)/.exec(what)?.[1];
  if (socket !== undefined) return { number, socket };
  const path = /^(?:\\x[0-9a-f]{2})+$/.test(what) ? unhex(what).toString() : undefined;
  return path?.startsWith("/") ? { number, path } : { number };
}

/** All the quoted bytes of a call, as many as it said that it took. */
function bytesOf(args: string, result: string): Buffer {
  const pieces = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => unhex(hex ?? ""));
  return Buffer.concat(pieces).subarray(0, Number.parseInt(result, 10));
}

/** The paths of a call, each relative to the directory that stands before it. */
function pathsOf(args: string): string[] {
  const pattern = /(?:<((?:\\x[0-9a-f]{2})+)>, )?"((?:\\x[0-9a-f]{2})*)"/g;
  return [...args.matchAll(pattern)].map(([, directory, path]) =>
    resolve(directory === undefined ? "/" : unhex(directory).toString(), unhex(path ?? "").toString()),
  );
}

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");
