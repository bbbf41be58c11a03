/** The prompt, from the arguments or from stdin. */
import { once } from "node:events";
import { addAbortSignal, type Readable } from "node:stream";
import { joinedParts, type PastedRange } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import type { Terminal } from "./command.ts";

const largest = 4 * 1024 * 1024;

export interface GivenInput {
  input: string;
  /** Whether a person wrote any of it into the command line; what is piped in may be anybody's words. */
  typed: boolean;
  /** What was piped in. */
  pasted: readonly PastedRange[];
}

/**
 * Words on the command line are the prompt, and what is piped in stands below them, as if it were pasted there. Without words, or with `-`,
 * the prompt is what is piped in. Line ends are made `\n` and outer blank space is dropped. Throws PincerError `usage/…`, or AbortError.
 */
export async function readInput(
  words: string[],
  stdin: PipedInput,
  signal: AbortSignal,
): Promise<GivenInput> {
  const isBare = words.length === 0 || (words.length === 1 && words[0] === "-");
  const isRead = isBare ? words.length === 1 || stdin.isTTY !== true : stdin.isPiped === true;
  const piped = isRead ? cleaned(await readAll(stdin, signal, isBare ? undefined : firstWithinMs)) : "";
  const typed = isBare ? "" : cleaned(words.join(" "));
  if (isBare ? piped === "" : typed === "") throw failure("usage/empty-input", "failure.empty-input");
  const along = isBare || piped === "" ? piped : `\n\n${piped}`;
  const { text, pasted } = joinedParts([
    { text: typed, isPasted: false },
    { text: along, isPasted: true },
  ]);
  return { input: text, typed: !isBare, pasted };
}

type PipedInput = Terminal["stdin"];

/** A script may have left a pipe open that nobody writes to: beside words, it is not waited for longer than this. */
const firstWithinMs = 3000;

const cleaned = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();

/** To its end; throws the signal's reason when it aborts first. */
export async function readAll(
  stdin: Terminal["stdin"],
  signal: AbortSignal,
  withinMs?: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (withinMs !== undefined && !(await hasSomething(stdin as Readable, withinMs, signal))) return "";
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

/** Whether something can be read, or the end is reached, in time. */
async function hasSomething(stdin: Readable, withinMs: number, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  try {
    if (stdin.readableLength === 0 && !stdin.readableEnded) await once(stdin, "readable", { signal: late });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    stdin.destroy();
    return false;
  }
}
