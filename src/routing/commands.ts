/** Commands: what is answered at once and without the model. The one registry of their names. */
import type { Destination } from "@pincer/sdk";
import { timestamp, type Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import { usageWords } from "../infra/usage-words.ts";
import type { TurnPerson } from "../storage/turns.ts";
import type { OpenSession, SessionRecord } from "../storage/stores.ts";
import { noTotals, type UsageStore } from "../storage/usage.ts";
import type { StoppedWork } from "./lane-stops.ts";
import type { Lanes } from "./lanes.ts";

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
] as const;
export type CommandName = (typeof commandNames)[number];

export type ParsedCommand =
  | { type: "known"; name: CommandName; prefix: string; words: string }
  /** Only a prefix that is for commands alone makes one of these; under the others an unknown name is for the model. */
  | { type: "unknown"; name: string; prefix: string; words: string };

/** Undefined when the text is for the model. A name may carry the address of a bot: `/new@pincer`. */
export function parseCommand(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const trimmed = text.trim();
  const prefix = prefixes.find((mark) => mark !== "" && trimmed.startsWith(mark));
  if (prefix === undefined) return undefined;
  const match = /^([a-z][a-z0-9_-]*)(?:@\S+)?(?:\s+([\s\S]*))?$/i.exec(trimmed.slice(prefix.length));
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const words = match?.[2]?.trim() ?? "";
  const known = commandNames.find((command) => command === name);
  if (known) return { type: "known", name: known, prefix, words };
  return prefix === "!" ? { type: "unknown", name, prefix, words } : undefined;
}

export interface CommandContext {
  person: TurnPerson;
  session: OpenSession;
  /** Where it was said. */
  destination: Destination | null;
  /** What decided the route. */
  rule: string;
  /** A running turn that was aborted for this command before its message came to its place. */
  abortedTurnId?: string | undefined;
}

export interface CommandResult {
  /** Whether the message goes on to the model. */
  enterModel: boolean;
  /** What is said at once; empty when the model answers. */
  output: string;
  /** Wishes for the turn, when the model is entered. */
  options?: Record<string, unknown>;
  /** The running turn that the command ended, whose own last line would say the same. */
  stoppedTurnId?: string;
  /** Whether the message goes to the last turn, which goes on with it; what is said when it cannot is not decided here. */
  goesOn?: true;
}

export interface Commands {
  /** Throws what the storage does. Safe to repeat. */
  run(command: ParsedCommand, context: CommandContext): Promise<CommandResult>;
}

export interface CommandParts {
  say: Say;
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
  findActive(workspaceId: string, sessionKey: string): Promise<SessionRecord | undefined>;
  lanes: Pick<Lanes, "running" | "load">;
  usage: Pick<UsageStore, "totals">;
  clock: Clock;
}

export function createCommands(parts: CommandParts): Commands {
  const { say } = parts;
  const answer = (output: string): CommandResult => ({ enterModel: false, output });

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
    await parts.stop(context, "conversation");
    if (words !== "") return { enterModel: true, output: "", options: { newSession: true } };
    await parts.beginSession(context.session);
    return answer(say("routing.command.new"));
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
          return answer(say("routing.command.help", { prefix }));
        case "status":
          return status(context);
        case "whoami":
          return whoami(context);
      }
    },
  };
}
