/** Remembers what a turn has sent into its own conversation, to hold back an answer that only repeats it. */
import type { ToolResult } from "@pincer/sdk";
import { normaliseText } from "../normalise-text.ts";

export interface OwnMessages {
  /** Call this when a tool call has ended. */
  note(toolName: string, result: Pick<ToolResult, "ok" | "data">): void;
  /** Whether the text so far may still turn out to repeat an earlier message. */
  mayRepeat(text: string): boolean;
}

export function createOwnMessages(): OwnMessages {
  const said: string[] = [];
  return {
    note(toolName, { ok, data }) {
      const { isOwn, text } = (data ?? {}) as { isOwn?: unknown; text?: unknown };
      if (toolName === "message" && ok && isOwn === true && typeof text === "string")
        said.push(normaliseText(text));
    },
    // The length check is cheap and rules out most texts.
    mayRepeat: (text) =>
      said.some((words) => text.trim().length <= 2 * words.length + slack) &&
      said.some((words) => words.startsWith(normaliseText(text))),
  };
}

const slack = 100;
