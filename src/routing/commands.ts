/** Commands: what is answered at once and without the model. The one registry of their names. */
import { timestamp, type Clock } from "../infra/clock.ts";
import { usageWords } from "../infra/usage-words.ts";
import type { OpenSession } from "../storage/stores.ts";
import { noTotals, type UsageStore } from "../storage/usage.ts";
import { answered, isForOwnerOnly, type CommandContext, type CommandResult } from "./command.ts";
import { contextCommandName, runContextCommand, type ContextCommandParts } from "./context-command.ts";
import type { StoppedWork } from "./lane-stops.ts";
import type { Lanes } from "./lanes.ts";
import { ruleCommandNames, runRuleCommand, type RuleCommandParts } from "./rule-command.ts";
import { runUndoCommand, undoCommandName, type UndoCommandParts } from "./undo-command.ts";
import { createTapeCommands, tapeCommandNames, type TapeCommandParts } from "./tape-commands.ts";

export const commandNames = [
  "stop",
  "continue",
  "new",
  "reset",
  "help",
  "status",
  "usage",
  "cost",
  "whoami",
  ...tapeCommandNames,
  ...ruleCommandNames,
  contextCommandName,
  undoCommandName,
] as const;
export type CommandName = (typeof commandNames)[number];

export type ParsedCommand =
  | { type: "known"; name: CommandName; prefix: string; words: string }
  /** Only what is for commands alone (the prefix `!`, names as `tape.x`) makes one of these; else an unknown name is for the model. */
  | { type: "unknown"; name: string; prefix: string; words: string };

/** Undefined when the text is for the model. A name may carry the address of a bot: `/new@pincer`. */
export function parseCommand(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const trimmed = text.trim();
  const prefix = prefixes.find((mark) => mark !== "" && trimmed.startsWith(mark));
  if (prefix === undefined) return undefined;
  const match = /^([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)(?:@\S+)?(?:\s+([\s\S]*))?$/i.exec(
    trimmed.slice(prefix.length),
  );
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const words = match?.[2]?.trim() ?? "";
  const known = commandNames.find((command) => command === name);
  if (known) return { type: "known", name: known, prefix, words };
  // A name with a dot may be anything that people write, unless it begins like one of ours.
  const isForCommands = name.includes(".") ? name.startsWith("tape.") : prefix === "!";
  return isForCommands ? { type: "unknown", name, prefix, words } : undefined;
}

export interface Commands {
  /** Throws what the storage does. Safe to repeat. */
  run(command: ParsedCommand, context: CommandContext): Promise<CommandResult>;
}

export interface CommandParts
  extends TapeCommandParts, RuleCommandParts, ContextCommandParts, UndoCommandParts {
  /**
   * Ends the work of the session: the running turn, what waits in its lane, and what is still being gathered; the latter two with
   * `conversation` only where the command was said. Whoever else loses a message by it is told.
   */
  stop(
    context: Pick<CommandContext, "session" | "person" | "destination">,
    scope: "session" | "conversation",
  ): Promise<Pick<StoppedWork, "count" | "turnId">>;
  /** Ends the active session of the key and begins another, before any turn that waits. Safe to repeat. */
  beginSession(session: OpenSession): Promise<void>;
  lanes: Pick<Lanes, "running" | "load">;
  usage: Pick<UsageStore, "totals">;
  clock: Clock;
}

export function createCommands(parts: CommandParts): Commands {
  const { say } = parts;
  const answer = answered;
  const tape = createTapeCommands({ ...parts, begin: beginAnew });

  async function stop(context: CommandContext): Promise<CommandResult> {
    const { count, turnId = context.abortedTurnId } = await parts.stop(context, "session");
    const isStopped = count > 0 || turnId !== undefined;
    return {
      ...answer(say(isStopped ? "turn.aborted" : "routing.nothing-runs")),
      ...(turnId !== undefined && { stoppedTurnId: turnId }),
    };
  }

  /**
   * With words behind it, they are the first message of the new session. What waits in other conversations has nothing to do with
   * it and is answered in the new session.
   */
  async function begin({ words }: ParsedCommand, context: CommandContext): Promise<CommandResult> {
    if (isForOwnerOnly(context)) return answer(say("tape.owner-only"));
    if (words === "") {
      await beginAnew(context);
      return answer(say("routing.command.new"));
    }
    await parts.stop(context, "conversation");
    return { enterModel: true, output: "", options: { newSession: true } };
  }

  async function beginAnew(context: CommandContext): Promise<void> {
    await parts.stop(context, "conversation");
    await parts.beginSession(context.session);
  }

  async function status({ session, person }: CommandContext): Promise<CommandResult> {
    const { workspaceId, sessionKey, agentId } = session;
    const active = await parts.findActive(workspaceId, sessionKey);
    const isRunning = parts.lanes.running().some((turn) => turn.sessionKey === sessionKey);
    const state = say(isRunning ? "routing.command.status.running" : "routing.command.status.idle");
    const messages = active?.messageCount ?? 0;
    const own = say("routing.command.status", { agentId, sessionKey, messages, state });
    // How busy the others are is nobody else's business.
    if (person.role !== "owner") return answer(own);
    return answer(`${own}\n${say("routing.command.status.load", parts.lanes.load())}`);
  }

  /** What others use together is the owner's business. */
  async function usage({ session, person }: CommandContext, kind: "usage" | "cost"): Promise<CommandResult> {
    const active = await parts.findActive(session.workspaceId, session.sessionKey);
    const own = active
      ? await parts.usage.totals({ type: "session", sessionId: active.sessionId })
      : noTotals();
    const day = timestamp(parts.clock).slice(0, 10);
    const all =
      person.role === "owner"
        ? {
            today: await parts.usage.totals({ type: "day", day }),
            month: await parts.usage.totals({ type: "month", month: day.slice(0, 7) }),
          }
        : {};
    return answer(usageWords({ session: own, ...all }, kind, say));
  }

  function whoami({ session, person, rule }: CommandContext): CommandResult {
    const role = say(person.role === "owner" ? "routing.command.role.owner" : "routing.command.role.peer");
    const name = person.name ? `${person.name} (${person.id})` : person.id;
    const { agentId, sessionKey } = session;
    return answer(say("routing.command.whoami", { person: name, role, agentId, sessionKey, rule }));
  }

  return {
    async run(command, context) {
      const { prefix } = command;
      if (command.type === "unknown") {
        return answer(say("routing.command.unknown", { name: prefix + command.name, prefix }));
      }
      switch (command.name) {
        case "stop":
          return stop(context);
        case "continue":
          return { ...answer(""), goesOn: true };
        case "usage":
        case "cost":
          return usage(context, command.name);
        case "new":
        case "reset":
          return begin(command, context);
        case "help":
          return answer(
            [
              say("routing.command.help", { prefix }),
              say("tape.help", { prefix }),
              say("rules.help", { prefix }),
              say("context.help", { prefix }),
              say("undo.help", { prefix }),
            ].join("\n"),
          );
        case "status":
          return status(context);
        case "whoami":
          return whoami(context);
        case "rule":
        case "rules":
          return answer(await runRuleCommand(parts, command, context.person));
        case "context":
          return answer(await runContextCommand(parts, context));
        case "undo":
          return answer(await runUndoCommand(parts, command, context));
        default:
          return tape.run(command.name, command.words, context);
      }
    },
  };
}
