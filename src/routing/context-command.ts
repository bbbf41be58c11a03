/** The command that shows what the next request contains, and how large it is. */
import { asPincerError, type ContextView } from "@pincer/sdk";
import { contextWords } from "../infra/context-words.ts";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { answered, type Command, type CommandContext } from "./command.ts";

export interface ContextCommandParts {
  say: Say;
  /** The next request of the session, as a turn would build it. Throws PincerError. */
  describeContext(session: { sessionKey: string; agentId: string }): Promise<ContextView>;
}

export const contextCommand: Command<ContextCommandParts> = {
  name: "context",
  aliases: [],
  group: "tape",
  usage: "",
  help: "command.about.context",
  access: "owner",
  refusal: "context.owner-only",
  arguments: [],
  run: async (parts, { context }) => answered(await runContextCommand(parts, context)),
};

/** In words, also why it cannot be told. Throws what the storage does. */
export async function runContextCommand(
  { say, describeContext }: ContextCommandParts,
  { person, session }: Pick<CommandContext, "person" | "session">,
): Promise<string> {
  if (person.role !== "owner") return say("context.owner-only");
  try {
    const { sessionKey, agentId } = session;
    return contextWords(await describeContext({ sessionKey, agentId }), say);
  } catch (thrown) {
    const refusal = asPincerError(thrown);
    if (refusal.domain === "storage") throw thrown;
    const { message, hint } = sayError(refusal, say);
    return [message, hint].filter(Boolean).join("\n");
  }
}
