/** The prompt, from the arguments or from stdin. */
import { addAbortSignal, type Readable } from "node:stream";
import { failure } from "../infra/failure.ts";
import type { Terminal } from "./command.ts";

const largest = 4 * 1024 * 1024;

/**
 * Words on the command line win; without any, or with `-`, stdin is read to its end if it is not a terminal.
 * Line ends are made `\n` and outer blank space is dropped. Throws PincerError `usage/…`, or AbortError.
 */
export async function readInput(
  words: string[],
  stdin: Terminal["stdin"],
  signal: AbortSignal,
): Promise<string> {
  const fromStdin = words.length === 0 ? stdin.isTTY !== true : words.length === 1 && words[0] === "-";
  const text = fromStdin ? await readAll(stdin, signal) : words.join(" ");
  const input = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  if (input === "") throw failure("usage/empty-input", "failure.empty-input");
  return input;
}

/** To its end; throws the signal's reason when it aborts first. */
export async function readAll(stdin: Terminal["stdin"], signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stdin as Readable)) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largest) {
      const mebibytes = largest / 1024 / 1024;
      throw failure(
        "usage/bad-argument",
        "failure.input-too-large",
        { mebibytes },
        { hint: "failure.input-too-large.hint" },
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
