/** The commands about the stored history of a session: show it, search it, set an anchor, summarise it. */
import { handoffWords, tapeHitWords, tapeInfoWords, tapeMarkWords } from "../infra/tape-words.ts";
import type { Say } from "../infra/texts.ts";
import type { SessionRecord } from "../storage/stores.ts";
import {
  answered,
  isForOwnerOnly,
  type Command,
  type CommandContext,
  type CommandResult,
} from "./command.ts";
import { beginAnew, type ConversationCommandParts } from "./conversation-commands.ts";
import { parseHandoff } from "./parse-handoff.ts";
import { termsOf, type Tape } from "./tape.ts";

export type TapeCommandName =
  | "handoff"
  | "anchors"
  | "tape"
  | "tape.info"
  | "tape.search"
  | "tape.reset"
  | "compact";

type Parts = TapeCommandParts & Pick<ConversationCommandParts, "stop" | "beginSession">;

const command = (
  name: TapeCommandName,
  { usage, access, takes = [] }: { usage: string; access: Command<Parts>["access"]; takes?: string[] },
): Command<Parts> => ({
  name,
  aliases: [],
  group: "tape",
  usage,
  help: `command.about.${name}`,
  access,
  arguments: takes.map((argument) => ({ name: argument })),
  run: (parts, { words, context }) =>
    createTapeCommands({ ...parts, begin: (where) => beginAnew(parts, where) }).run(name, words, context),
});

export const tapeCommands: ReadonlyArray<Command<Parts>> = [
  command("compact", { usage: "[what to keep]", access: "owner-in-groups", takes: ["instructions"] }),
  command("handoff", {
    usage: "[name] [summary]",
    access: "owner-in-groups",
    takes: ["name", "summary"],
  }),
  command("anchors", { usage: "", access: "anyone" }),
  command("tape", { usage: "", access: "anyone" }),
  command("tape.info", { usage: "", access: "anyone" }),
  command("tape.search", { usage: "<words>", access: "anyone", takes: ["words"] }),
  command("tape.reset", { usage: "", access: "owner-in-groups" }),
];

export interface TapeCommandParts {
  say: Say;
  tape: Pick<Tape, "info" | "marks" | "search" | "handOffIn">;
  findActive(workspaceId: string, sessionKey: string): Promise<SessionRecord | undefined>;
}

export interface TapeCommands {
  /** Throws what the storage does. Safe to repeat. */
  run(name: TapeCommandName, words: string, context: CommandContext): Promise<CommandResult>;
}

const mostHits = 10;
const mostMarks = 20;

/** `begin` stops what runs where the command was said, and begins another session. */
export function createTapeCommands(
  parts: TapeCommandParts & { begin(context: CommandContext): Promise<void> },
): TapeCommands {
  const { say, tape } = parts;

  async function about(
    { session }: CommandContext,
    tell: (active: SessionRecord) => Promise<string>,
  ): Promise<CommandResult> {
    const active = await parts.findActive(session.workspaceId, session.sessionKey);
    return answered(active ? await tell(active) : say("tape.empty"));
  }

  async function handOff(words: string, context: CommandContext): Promise<CommandResult> {
    const { session, person, input } = context;
    const isGuests = person.role !== "owner";
    const made = await tape.handOffIn(session, {
      ...parseHandoff(words),
      by: person.id,
      input,
      ...(isGuests && { isGuests }),
    });
    return answered(handoffWords(made, say));
  }

  async function reset(context: CommandContext): Promise<CommandResult> {
    const { workspaceId, sessionKey } = context.session;
    const ending = await parts.findActive(workspaceId, sessionKey);
    await parts.begin(context);
    if (!ending) return answered(say("routing.command.new"));
    // Only the owner can read a session by its id.
    const where = context.person.role === "owner" ? "tape.reset.done" : "tape.reset.done.peer";
    return answered(say(where, { sessionId: ending.sessionId }));
  }

  return {
    async run(name, words, context) {
      switch (name) {
        case "tape":
        case "tape.info":
          return about(context, async (active) => tapeInfoWords(await tape.info(active), say));
        case "anchors":
          return about(context, async ({ sessionId }) => {
            const marks = await tape.marks(sessionId, mostMarks);
            // A summary tells of everything, also of what only tools were told.
            const shown = isForOwnerOnly(context) ? marks.map((mark) => ({ ...mark, summary: "" })) : marks;
            return tapeMarkWords(shown, say);
          });
        case "tape.search":
          if (termsOf(words).length === 0) return answered(say("tape.search.what"));
          return about(context, async ({ sessionId }) => {
            const query = { limit: mostHits, asks: context.person.role };
            return tapeHitWords(await tape.search(sessionId, words, query), words, say);
          });
        case "handoff":
          return isForOwnerOnly(context) ? answered(say("tape.owner-only")) : handOff(words, context);
        case "tape.reset":
          return isForOwnerOnly(context) ? answered(say("tape.owner-only")) : reset(context);
        case "compact": {
          if (isForOwnerOnly(context)) return answered(say("tape.owner-only"));
          const compact = words === "" ? {} : { instructions: words };
          return { enterModel: true, output: "", options: { compact } };
        }
      }
    },
  };
}
