/** What a chat at the terminal knows about commands itself; the rest of them takes the way of every message. */
import { asPincerError } from "@pincer/sdk";
import type { Command } from "commander";
import { slipOf } from "../../routing/commands/terminal-commands.ts";
import { sayError } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { contextTable } from "../context-table.ts";
import { withApi } from "./with-api.ts";

/** Means the session that goes on; one that is about to begin has nothing in it yet. */
export const isAboutSession = (name: string): boolean =>
  name === "anchors" || name === "handoff" || (name.startsWith("tape") && name !== "tape.search");

/** Means the session from now on; one that is about to begin has to begin first. */
export const isForSession = (name: string): boolean => ["model", "think", "verbose"].includes(name);

/** The command that a single word behind a mark was probably meant to be; undefined when it is one, or is for the model or, as a program that there is, the shell. */
export function meantBy(input: string, isProgram: (word: string) => boolean): string | undefined {
  if (input.startsWith(",") && isProgram(input.slice(1))) return undefined;
  return slipOf(input);
}

/** What the next request would hold, as a table: there is space for one here. In words, also what went wrong. Never throws. */
export async function showContext(
  place: { program: Command; context: CommandContext },
  session: string | undefined,
): Promise<string> {
  const { context } = place;
  try {
    return await withApi("context", place, async ({ api }) =>
      contextTable(await api.show(session === undefined ? {} : { sessionKey: session }), context).trimEnd(),
    );
  } catch (thrown) {
    const { message, hint } = sayError(asPincerError(thrown), context.say);
    return [message, hint].filter(Boolean).join("\n");
  }
}
