/**
 * The lines typed in earlier chats of this home, for the arrow keys. A convenience: read and write errors are ignored.
 */
import { checkedRanges, mayHoldPaste, rewrittenSpoken, wholeOf, type MarkedText } from "@pincer/sdk";
import { join } from "node:path";
import { locateHome } from "../config/home.ts";
import { readIfThere } from "../config/read-regular-file.ts";
import { replacePrivateFile } from "../config/write-private-file.ts";
import type { CommandContext } from "./command.ts";
import { unfoldPaste } from "./pasted-text.ts";

export const mostLines = 500;
const longestLine = 2000;

export interface ChatHistory {
  /** The newest first, with what of them was pasted. */
  lines: readonly MarkedText[];
  /**
   * Keeps them, without secrets and without what begins with a space; those of a moment ago are on their way. `newest` is the one that was
   * just said. Never throws.
   */
  keep(lines: readonly string[], newest: MarkedText): void;
  /** Resolves when they are kept. Never throws. */
  settled(): Promise<void>;
}

export async function openChatHistory({
  environment,
  redactor,
}: Pick<CommandContext, "environment" | "redactor">): Promise<ChatHistory> {
  const file = join(locateHome(environment).root, "chat-history.json");
  let writing = Promise.resolve();
  let waiting: readonly string[] | undefined;
  const known = read(await readIfThere(file).catch(() => undefined));
  const pasted = new Map(known.map((line) => [line.text, line.pasted]));

  async function write(): Promise<void> {
    const lines = waiting;
    waiting = undefined;
    if (!lines) return;
    const shown = lines.filter(isKept).slice(0, mostLines).map(shownLine);
    // An unwritable disk is reported elsewhere.
    await replacePrivateFile(file, `${JSON.stringify(shown, null, 1)}\n`).catch(() => undefined);
  }

  function shownLine(text: string): KeptLine {
    const line = rewrittenSpoken({ text, pasted: pasted.get(text) ?? wholeOf(text) }, redactor.text);
    const { pasted: ranges = [] } = line;
    // As older versions kept all of them.
    if (ranges.length === 0 && !isUnsure(line.text)) return line.text;
    return { line: line.text, pasted: ranges.map(({ start, end }) => [start, end]) };
  }

  return {
    lines: known,
    keep(lines, newest) {
      pasted.set(newest.text, newest.pasted);
      const isNew = waiting === undefined;
      waiting = [...lines];
      if (isNew) writing = writing.then(write);
    },
    settled: () => writing,
  };
}

const isKept = (line: string): boolean => !/^\s|^$/.test(line) && line.length <= longestLine;

/** A line that was typed as it is, another one with the ranges that were pasted. */
type KeptLine = string | { line: string; pasted: Array<[start: number, end: number]> };

/** Of a bare line of an older version nobody knows whether it was pasted. */
const isUnsure = (line: string): boolean => mayHoldPaste(unfoldPaste(line));

function read(text: string | undefined): MarkedText[] {
  try {
    const lines: unknown = text === undefined ? [] : JSON.parse(text);
    return Array.isArray(lines) ? lines.flatMap(readLine).slice(0, mostLines) : [];
  } catch {
    return []; // cut off, or not ours
  }
}

function readLine(kept: unknown): MarkedText[] {
  if (typeof kept === "string")
    return isKept(kept) ? [{ text: kept, pasted: isUnsure(kept) ? wholeOf(kept) : [] }] : [];
  const { line, pasted } = (kept ?? {}) as { line?: unknown; pasted?: unknown };
  if (typeof line !== "string" || !isKept(line)) return [];
  const ranges = Array.isArray(pasted)
    ? pasted.map((range: unknown) =>
        Array.isArray(range) ? { start: Number(range[0]), end: Number(range[1]) } : nowhere,
      )
    : [nowhere];
  return [{ text: line, pasted: checkedRanges(line, ranges) }];
}

/** No place in any line: with it, all of the line counts as pasted. */
const nowhere = { start: -1, end: -1 };
