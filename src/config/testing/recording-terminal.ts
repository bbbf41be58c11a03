/** A terminal that remembers what was printed on it. */
import { Readable } from "node:stream";

export interface RecordingTerminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  out(text: string): void;
  err(text: string): void;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  stdout(): string;
  stderr(): string;
}

export function createRecordingTerminal(input = ""): RecordingTerminal {
  const out: string[] = [];
  const err: string[] = [];
  return {
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    outIsTerminal: false,
    errIsTerminal: false,
    stdout: () => out.join(""),
    stderr: () => err.join(""),
  };
}
