/** Commands about the conversation itself: stop its work, continue it, start a new session. */
import type { Say } from "../infra/texts.ts";
import type { OpenSession } from "../storage/stores.ts";
import {
  answered,
  type Command,
  type CommandCall,
  type CommandContext,
  type CommandResult,
} from "./command.ts";
import type { StoppedWork } from "./lane-stops.ts";

export interface ConversationCommandParts {
  say: Say;
  /**
   * Ends the work of the session: the running turn, what waits in its lane, and what is still being gathered; the latter two with
   * `conversation` only where the command was said. Others who lose a message by it are told.
   */
  stop(
    context: Pick<CommandContext, "session" | "person" | "destination">,
    scope: "session" | "conversation",
  ): Promise<Pick<StoppedWork, "count" | "turnId">>;
  /** Ends the active session of the key and begins another, before any turn that waits. Safe to repeat. */
  beginSession(session: OpenSession): Promise<void>;
}

type Parts = ConversationCommandParts;

const begins = { aliases: [], group: "conversation", usage: "[message]", access: "owner-in-groups" } as const;

export const conversationCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "stop",
    aliases: [],
    group: "conversation",
    usage: "",
    help: "command.about.stop",
    access: "anyone",
    arguments: [],
    run: stop,
  },
  {
    name: "continue",
    aliases: [],
    group: "conversation",
    usage: "[message]",
    help: "command.about.continue",
    access: "anyone",
    arguments: [{ name: "message" }],
    run: async () => ({ ...answered(""), goesOn: true }),
  },
  { name: "new", ...begins, help: "command.about.new", arguments: [{ name: "message" }], run: begin },
  { name: "reset", ...begins, help: "command.about.reset", arguments: [{ name: "message" }], run: begin },
  {
    name: "dry",
    aliases: [],
    group: "conversation",
    usage: "<message>",
    help: "command.about.dry",
    access: "owner",
    arguments: [{ name: "message" }],
    // It is for the model, as what follows the name.
    run: async ({ say }, { prefix, words }) =>
      words === ""
        ? answered(say("command.dry.usage", { prefix }))
        : { enterModel: true, output: "", options: { dryRun: true, words } },
  },
  {
    name: "quit",
    aliases: ["exit"],
    group: "conversation",
    usage: "",
    help: "command.about.quit",
    access: "anyone",
    arguments: [],
    // At the terminal the chat sees to it before anybody is asked.
    run: async ({ say }, { prefix }) => answered(say("command.quit.elsewhere", { prefix })),
  },
];

async function stop(parts: Parts, { context }: CommandCall): Promise<CommandResult> {
  const { count, turnId = context.abortedTurnId } = await parts.stop(context, "session");
  const isStopped = count > 0 || turnId !== undefined;
  return {
    ...answered(parts.say(isStopped ? "turn.aborted" : "routing.nothing-runs")),
    ...(turnId !== undefined && { stoppedTurnId: turnId }),
  };
}

/**
 * With words behind it, they are the first message of the new session. What waits in other conversations has nothing to do with
 * it and is answered in the new session.
 */
async function begin(parts: Parts, { words, context }: CommandCall): Promise<CommandResult> {
  if (words === "") {
    await beginAnew(parts, context);
    return answered(parts.say("routing.command.new"));
  }
  await parts.stop(context, "conversation");
  return { enterModel: true, output: "", options: { newSession: true, words } };
}

/** Stops what runs where it was said, and begins another session. Safe to repeat. */
export async function beginAnew(
  parts: Pick<Parts, "stop" | "beginSession">,
  context: CommandContext,
): Promise<void> {
  await parts.stop(context, "conversation");
  await parts.beginSession(context.session);
}
