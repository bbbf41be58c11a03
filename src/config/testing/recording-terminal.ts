/** A terminal that remembers what was printed on it. */
import { Readable } from "node:stream";

export interface RecordingTerminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  out(text: string): void;
  err(text: string): void;
  stream(text: string): Promise<boolean>;
  json(value: unknown): void;
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
    async stream(text) {
      out.push(text);
      return true;
    },
    json: (value) => void out.push(`${JSON.stringify(value, null, 2)}\n`),
    outIsTerminal: false,
    errIsTerminal: false,
    stdout: () => out.join(""),
    stderr: () => err.join(""),
  };
}
