/** What a turn has sent into its own conversation itself, so that the beginning of an answer that only repeats it is not shown. */
import type { ToolResult } from "@pincer/sdk";
import { normaliseText } from "../normalise-text.ts";

export interface SaidHere {
  /** A call has ended. */
  note(toolName: string, result: Pick<ToolResult, "ok" | "data">): void;
  /** Whether the words so far may still become what was said before: then they are no news yet. */
  mayRepeat(text: string): boolean;
}

export function createSaidHere(): SaidHere {
  const said: string[] = [];
  return {
    note(toolName, { ok, data }) {
      const { isOwn, text } = (data ?? {}) as { isOwn?: unknown; text?: unknown };
      if (toolName === "message" && ok && isOwn === true && typeof text === "string")
        said.push(normaliseText(text));
    },
    // What has become longer than all of it is something else, and need not be looked at closely.
    mayRepeat: (text) =>
      said.some((words) => text.trim().length <= 2 * words.length + slack) &&
      said.some((words) => words.startsWith(normaliseText(text))),
  };
}

const slack = 100;
