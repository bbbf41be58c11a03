import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Terminal } from "./command.ts";

/**
 * The process's own terminal. `out` and `err` are synchronous, so that an exit right after loses nothing; `stream`
 * waits for the reader without blocking signals, for output longer than a pipe.
 */
export function systemTerminal(): Terminal {
  const out = (text: string) => writeAll(1, text);
  return {
    stdin: Object.assign(process.stdin, { isPiped: isPiped(0) }),
    out,
    err: (text) => writeAll(2, text),
    stream: writeStream,
    json: (value) => out(`${JSON.stringify(value, null, 2)}\n`),
    // Asking process.stdout would open it as a stream, and make a pipe that was blocking non-blocking.
    outIsTerminal: isatty(1),
    errIsTerminal: isatty(2),
    width: () => (isatty(1) ? process.stdout.columns : undefined),
  };
}

function isPiped(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isFile();
  } catch {
    // Closed: nothing comes.
    return false;
  }
}

const pauseMs = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (hasGone(code)) return; // nobody to tell
      if (code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, pauseMs); // a full pipe: give its reader time
    }
  }
}

/** The reader of the pipe has ended (`| head`), or the terminal was closed. */
const hasGone = (code: string | undefined): boolean => code === "EPIPE" || code === "EIO";

/** Resolves to false when the reader has gone. Between the pieces that the pipe takes, signals are seen to. */
async function writeStream(text: string, signal: AbortSignal): Promise<boolean> {
  unhurried ??= openUnhurried();
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    signal.throwIfAborted();
    try {
      rest = rest.subarray(writeSync(unhurried, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (hasGone(code)) return false;
      if (code !== "EAGAIN") throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return true;
}

let unhurried: number | undefined;

/** Stdout as a descriptor that says so when its pipe is full, where a plain one would hold up the whole process. */
function openUnhurried(): number {
  try {
    const stdout = fstatSync(1);
    if (stdout.isFIFO()) return openSync("/dev/fd/1", constants.O_WRONLY | constants.O_NONBLOCK);
    // A socket cannot be reopened; as a Node stream it does not block either.
    if (stdout.isSocket()) void process.stdout;
  } catch {
    // No such way to it on this system: the plain descriptor works too, only less gently.
  }
  return 1;
}
