/** The prompt, from the arguments or from stdin. */
import { PincerError } from "@pincer/sdk";
import type { Terminal } from "./command.ts";

const largest = 4 * 1024 * 1024;

/**
 * Words on the command line win; without any, or with `-`, stdin is read to its end if it is not a terminal.
 * Line ends are made `\n` and outer blank space is dropped. Throws PincerError `usage/…`.
 */
export async function readInput(words: string[], stdin: Terminal["stdin"]): Promise<string> {
  const fromStdin = words.length === 0 ? stdin.isTTY !== true : words.length === 1 && words[0] === "-";
  const text = fromStdin ? await readAll(stdin) : words.join(" ");
  const input = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  if (input === "")
    throw new PincerError("usage/empty-input", "There is nothing to ask: the input is empty.");
  return input;
}

async function readAll(stdin: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largest)
      throw new PincerError("usage/bad-argument", `The input is larger than ${largest} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
