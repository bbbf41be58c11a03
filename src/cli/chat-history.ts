/**
 * The lines typed in earlier chats of this home, for the arrow keys. A convenience: read and write errors are ignored.
 */
import { join } from "node:path";
import { locateHome } from "../config/home.ts";
import { readIfThere } from "../config/read-regular-file.ts";
import { replacePrivateFile } from "../config/write-private-file.ts";
import type { CommandContext } from "./command.ts";

export const mostLines = 500;
const longestLine = 2000;

export interface ChatHistory {
  /** The newest first. */
  lines: string[];
  /** Keeps them, without secrets and without what begins with a space; those of a moment ago are on their way. Never throws. */
  keep(lines: readonly string[]): void;
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

  async function write(): Promise<void> {
    const lines = waiting;
    waiting = undefined;
    if (!lines) return;
    const shown = lines.filter(isKept).slice(0, mostLines).map(redactor.text);
    // An unwritable disk is reported elsewhere.
    await replacePrivateFile(file, `${JSON.stringify(shown, null, 1)}\n`).catch(() => undefined);
  }

  return {
    lines: read(await readIfThere(file).catch(() => undefined)),
    keep(lines) {
      const isNew = waiting === undefined;
      waiting = [...lines];
      if (isNew) writing = writing.then(write);
    },
    settled: () => writing,
  };
}

const isKept = (line: string): boolean => !/^\s|^$/.test(line) && line.length <= longestLine;

function read(text: string | undefined): string[] {
  try {
    const lines: unknown = text === undefined ? [] : JSON.parse(text);
    return Array.isArray(lines)
      ? lines.filter((line): line is string => typeof line === "string" && isKept(line)).slice(0, mostLines)
      : [];
  } catch {
    return []; // cut off, or not ours
  }
}
