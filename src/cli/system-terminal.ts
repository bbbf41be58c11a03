import { writeSync } from "node:fs";
import type { Terminal } from "./command.ts";

/** The process's own terminal. Writes are synchronous, so that an exit right after loses nothing of a pipe. */
export function systemTerminal(): Terminal {
  return {
    stdin: process.stdin,
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
  };
}

function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") continue; // a full pipe that is being read: try again
      if (code === "EPIPE") return; // the reader has gone (`| head`): nobody to tell
      throw error;
    }
  }
}
